//! Defines the command line of `sweep`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Parser;

use crate::cluster::Task;
use crate::evaluate::read_threads;
use crate::goal::Words;
use crate::output::Format;
use crate::study::Points;
use prophet_frontend::rule_flags::RuleFlags;

/// Predict a model at many points: all combinations of values for its parameters and its machine
#[derive(Debug, Parser)]
#[command(
    name = "sweep",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) here: Here,
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
}

/// Options of a sweep that this process evaluates.
#[derive(Debug, clap::Args)]
pub(crate) struct Here {
    /// The UML model (XMI), or a plan (.toml)
    #[arg(required = true)]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) points: Points,
    #[command(flatten)]
    pub(crate) rules: RuleFlags,
    #[command(flatten)]
    pub(crate) goals: Words,
    /// Print the results of the goals as JSON
    #[arg(long, help_heading = "To find")]
    pub(crate) json: bool,
    /// Evaluate on this many threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = read_threads)]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Write the rows to this file. After Ctrl-C, run the same command to continue
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Format of the rows: csv, jsonl, parquet [default: from the file name, otherwise csv]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// Write a page with curves, maps and all points: one file that works offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write the full result of each point, which `runs add` can save
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,
    /// Print this sweep as a TOML plan, without evaluating it
    #[arg(long)]
    pub(crate) print_plan: bool,
}
