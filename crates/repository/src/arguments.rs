//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Keeps runs in a database, and shows and compares those that are there
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask runs",
    bin_name = "cargo xtask runs",
    version,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    /// Where the runs are: a file of SQLite, or the URL of a PostgreSQL database
    #[arg(
        long,
        global = true,
        value_name = "FILE|URL",
        env = "PROPHET_REPOSITORY",
        hide_env_values = true,
        default_value = "runs.sqlite"
    )]
    pub(crate) repository: String,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Save results that are in files, all in one transaction
    Add(Add),
    /// Show a row for each run
    List {
        /// Only runs of the model of that name
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Only the last N
        #[arg(long, value_name = "N")]
        last: Option<usize>,
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Show all that is known of a run
    Show {
        /// Its number
        run: i64,
        /// How to print it
        #[arg(long, value_enum, default_value_t = ShowFormat::Human)]
        format: ShowFormat,
    },
    /// Put runs side by side: what differs, speed-up and efficiency, the time of each element
    Compare {
        /// Their numbers; each is compared with the first
        #[arg(required = true, num_args = 2..)]
        runs: Vec<i64>,
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Write runs as JSON, which `add` reads, or as CSV
    Export {
        /// Their numbers [default: all]
        runs: Vec<i64>,
        /// As what
        #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
        format: ExportFormat,
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Forget runs
    Delete {
        /// Their numbers
        #[arg(required = true)]
        runs: Vec<i64>,
    },
    /// Run a program and save its result: what `cargo xtask run --save` does
    #[command(hide = true)]
    Keep(Keep),
}

/// What results are of.
#[derive(Debug, clap::Args)]
pub(crate) struct Add {
    /// Files with results as `--format json` or `--record` write them, or with exported runs
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The model they are of, to note its hash
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Keep {
    /// The model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The folder of its crate
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The program, and its flags
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}

/// How to print a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For programs
    Json,
}

/// How to print a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// For people
    Human,
    /// All that is known of it
    Json,
    /// Its result alone, as the program wrote it
    Result,
}

/// How to write runs for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// All of each run
    Json,
    /// A line for each run
    Csv,
}
