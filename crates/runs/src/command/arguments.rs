//! Defines the command line of `runs`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use prophet_text::{Problem, problem, whole_number};

/// The repository that is used if no other is named.
pub(crate) const DEFAULT: &str = "runs.sqlite";

/// Keep runs in a database, and list, show and compare them
#[derive(Debug, Parser)]
#[command(name = "runs", version, disable_help_subcommand = true)]
pub struct Arguments {
    /// The database: an SQLite file, or the URL of a PostgreSQL database
    #[arg(
        long,
        global = true,
        value_name = "FILE|URL",
        env = "PROPHET_REPOSITORY",
        hide_env_values = true,
        default_value = DEFAULT
    )]
    pub(crate) repository: String,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Save results from files, all in one transaction
    Add(Add),
    /// Show one row per run
    List {
        /// Only show runs of the model with this name
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Only show the last N runs
        #[arg(long, value_name = "N", value_parser = count)]
        last: Option<usize>,
        /// Format of the list
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Show all information about a run
    Show {
        /// The run's number
        #[arg(value_parser = number)]
        run: i64,
        /// Format of the run
        #[arg(long, value_enum, default_value_t = ShowFormat::Human)]
        format: ShowFormat,
    },
    /// Compare runs: differences, speedup and efficiency, and the time of each element
    Compare {
        /// The runs' numbers; each run is compared with the first
        #[arg(required = true, num_args = 1.., value_parser = number)]
        runs: Vec<i64>,
        /// Format of the comparison
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Write runs as JSON, which `add` can read, or as CSV
    Export {
        /// The runs' numbers [default: all]
        #[arg(value_parser = number)]
        runs: Vec<i64>,
        /// Format of the file
        #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
        format: ExportFormat,
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Delete runs
    Delete {
        /// The runs' numbers
        #[arg(required = true, value_parser = number)]
        runs: Vec<i64>,
    },
    /// Run a program, and save its result: used by `run --save`
    #[command(hide = true)]
    Keep(Keep),
}

/// Parses the number of a run.
fn number(text: &str) -> Result<i64, Problem> {
    let number = whole_number(text, 1..=u64::MAX);
    number.map_err(|it| problem!("{it}; `runs list` shows the numbers of all runs"))
}

/// Arguments of `add`.
#[derive(Debug, clap::Args)]
pub(crate) struct Add {
    /// Files with results written by `--format json` or `--record`, or with exported runs
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The model of the results, to note its hash
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Keep {
    /// The model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The folder of its crate, if any
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// The program and its flags
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}

/// Format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

/// Format of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Text for people
    Human,
    /// All information about it
    Json,
    /// Only its result, as the program wrote it
    Result,
}

/// Format of an export for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// All information about each run
    Json,
    /// One line per run
    Csv,
}

fn count(text: &str) -> Result<usize, Problem> {
    whole_number(text, 0..=u64::MAX)
}
