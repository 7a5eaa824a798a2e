//! Defines the command line of `calibrate`.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use prophet_runtime::quantity::bytes;
use prophet_text::{Context as _, Problem};

use crate::network;

/// Measure this machine, or read measurements, and write a machine file for --machine
#[derive(Debug, Parser)]
#[command(name = "calibrate", version, disable_help_subcommand = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure how long operations take on this machine: prices for `clc` and `rud`
    Cpu(Target),
    /// Measure the caches and memory of this machine: sizes, bandwidths for one CPU up to all,
    /// latencies
    Node(Target),
    /// Fit a network to ping-pongs (CSV, Intel MPI Benchmarks, OSU, or a run here) or nccl-tests
    Network(Network),
}

/// Options of the machine that is written.
#[derive(Debug, clap::Args)]
pub(crate) struct Target {
    /// Write the machine to this file instead of the terminal
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    pub(crate) force: bool,
    /// Name of the machine
    #[arg(long, value_name = "NAME", default_value = "measured", value_parser = word)]
    pub(crate) name: String,
}

/// Options of `calibrate network`.
#[derive(Debug, clap::Args)]
pub(crate) struct Network {
    /// Files with measurements of one network, recognized by their contents, such as `osu_latency`
    /// with `osu_bw`
    #[arg(required_unless_present = "run", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Measure two processes on this machine, with its MPI
    #[arg(long, conflicts_with = "files")]
    pub(crate) run: bool,
    /// Save the measurements in this file
    #[arg(
        long,
        value_name = "FILE.csv",
        requires = "run",
        conflicts_with = "files"
    )]
    pub(crate) csv: Option<PathBuf>,
    /// Stop the measurement after this time
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: u32,
    /// Model to fit: hockney, loggp [default: loggp if its overhead was measured]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub(crate) model: Option<ModelChoice>,
    /// Smallest message to use in the fit
    #[arg(long, value_name = "SIZE", default_value = "0B", value_parser = size)]
    pub(crate) from: u64,
    /// Largest message to use in the fit
    #[arg(long, value_name = "SIZE", default_value = "1TiB", value_parser = size)]
    pub(crate) to: u64,
    #[command(flatten)]
    pub(crate) target: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelChoice {
    Hockney,
    Loggp,
}

impl From<ModelChoice> for network::Model {
    fn from(model: ModelChoice) -> Self {
        match model {
            ModelChoice::Hockney => Self::Hockney,
            ModelChoice::Loggp => Self::LogGp,
        }
    }
}

fn word(text: &str) -> Result<String, Problem> {
    if text.is_empty() || text.chars().any(char::is_whitespace) {
        return Err("expected one word as the name of the machine".into());
    }
    Ok(text.to_owned())
}

fn size(text: &str) -> Result<u64, Problem> {
    bytes(text).told()
}
