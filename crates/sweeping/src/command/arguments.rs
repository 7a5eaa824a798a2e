//! Command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::goal::Words;

/// Predicts a model at many points: all combinations of values of its parameters and the machine's
#[derive(Debug, Parser)]
#[command(name = "sweep", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// The UML model (XMI), or a plan (.toml)
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) points: Points,
    #[command(flatten)]
    pub(crate) rules: Rules,
    #[command(flatten)]
    pub(crate) goals: Words,
    /// Print what is found as JSON
    #[arg(long, help_heading = "To find")]
    pub(crate) json: bool,
    /// Threads that evaluate [default: one for each core]
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZero<usize>>,
    /// File for the rows; Ctrl-C keeps those that are done, and the same command goes on
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Format of the rows: csv, jsonl, parquet [default: by the name of the file, else csv]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// HTML page with curves, maps, fronts and all points, one file that works offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// File for the whole result of each point, which `runs add` saves in a repository
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,
    /// Print the plan of this sweep, as TOML, and evaluate nothing
    #[arg(long)]
    pub(crate) print_plan: bool,
}

/// Points of a sweep.
#[derive(Debug, clap::Args)]
pub(crate) struct Points {
    /// A flag or parameter and its values: nodes=1,2,4..64; several with blanks between vary
    /// together; may be given several times
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub(crate) vary: Vec<String>,
    /// Take a sample instead of all combinations: sobol:1024, lhs:1000
    #[arg(long, value_name = "SAMPLE")]
    pub(crate) sample: Option<String>,
    /// Seeds of each point: a number, or FIRST..LAST; rows have means and 95 % intervals
    #[arg(long, value_name = "SEEDS")]
    pub(crate) seeds: Option<String>,
    /// End the seeds of a point when its interval is this narrow, as 1%
    #[arg(long, value_name = "SHARE")]
    pub(crate) precision: Option<String>,
    /// The activity to start with, where the model leaves it open
    #[arg(long, value_name = "NAME")]
    pub(crate) main: Option<String>,
    /// Flags of all points, as `run` has them; `run MODEL -- --help` lists them
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

/// Rules by which a model is checked.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct Rules {
    /// A file of rules to add to those that are shipped (docs/rules.md)
    #[arg(long = "rules", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A file of stereotypes of your own (docs/vocabulary.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) vocabulary: Vec<PathBuf>,
    /// A rule or warning to switch off, by its code
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) off: Vec<String>,
    /// Assume what the drawing leaves open, and tell so (docs/xmi.md)
    #[arg(long)]
    #[serde(default)]
    pub(crate) assume: bool,
    /// Time that `--assume` gives each action without a cost; with 0, no time is assumed
    /// [default: 1]
    #[arg(long, value_name = "SECONDS", requires = "assume")]
    #[serde(default)]
    pub(crate) assume_cost: Option<String>,
}

/// Format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Comma-separated values, with a heading
    Csv,
    /// JSON Lines, an object for each row
    Jsonl,
    /// Parquet, for data frames
    Parquet,
}
