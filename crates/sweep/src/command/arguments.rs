//! Command line.

use std::path::PathBuf;

use clap::Parser;

use crate::goal::Words;
use crate::output::Format;
use crate::study::Points;
use prophet_codegen::rule_flags::RuleFlags;

/// Predicts a model at many points: all combinations of values of its parameters and the machine's
#[derive(Debug, Parser)]
#[command(name = "sweep", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// The UML model (XMI), or a plan (.toml)
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) points: Points,
    #[command(flatten)]
    pub(crate) rules: RuleFlags,
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
