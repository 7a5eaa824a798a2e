//! Defines the command line of `fit`.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use prophet_text::{Problem, problem};

use crate::cost::{Place, Wanted};

/// Fit cost functions to measurements: CSV, Extra-P, Caliper, Google Benchmark, Criterion, …
#[derive(Debug, Parser)]
#[command(
    name = "fit",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) fit: FitOptions,
}

impl Arguments {
    /// Returns the files with measurements, one of which can be standard input.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let varying = self.command.iter_mut();
        let varying = varying.flat_map(|Command::Distribution(it)| &mut it.measured.files);
        let fit = &mut self.fit;
        let runs = fit.runs.iter_mut().chain(&mut fit.held_out);
        fit.measured.files.iter_mut().chain(runs).chain(varying)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fit a distribution to times that vary: lognormal, gamma, Weibull, or the times themselves
    Distribution(Distribution),
}

/// Options of `fit` itself.
#[derive(Debug, clap::Args)]
pub(crate) struct FitOptions {
    #[command(flatten)]
    pub(crate) measured: Measured,
    /// Predict at this point, with a value for each parameter, such as p=512,n=9000
    #[arg(long, value_name = "POINT", value_parser = point)]
    pub(crate) at: Vec<Place>,
    /// Set the probability of ranges; real programs are outside them more often [default: 0.9; 0.95
    /// with --request]
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) level: Option<f64>,
    /// Write the lines of a Slurm batch script that request time and memory at the point of --at
    #[arg(long, conflicts_with_all = ["html", "into", "runs", "format"])]
    pub(crate) request: bool,
    /// Allow negative coefficients, and so negative costs
    #[arg(long)]
    pub(crate) allow_negative: bool,
    /// Let costs change where the parameter `working_set`, in bytes, exceeds a cache of this
    /// machine file
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub(crate) machine: Option<PathBuf>,
    /// Format of the findings: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub(crate) format: Format,
    /// Write a page with points, curves, intervals and residuals
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
    /// Fit parameters of the model FILE to measured runs: CSV with a column of times and a column
    /// for each flag or parameter that varies
    #[arg(long, value_name = "RUNS", requires = "free")]
    #[arg(conflicts_with_all = ["at", "html", "element", "allow_negative"])]
    pub(crate) runs: Vec<PathBuf>,
    /// Fit this parameter, or anything that `sweep --vary` accepts, within a range such as
    /// network.latency=0.1us..10us. Can be repeated
    #[arg(long, value_name = "NAME[=FROM..TO]", requires = "runs")]
    pub(crate) free: Vec<String>,
    /// Test the fit with these measured runs, which it does not use
    #[arg(long, value_name = "RUNS", requires = "runs")]
    pub(crate) held_out: Vec<PathBuf>,
    /// Count runs that are far from all other runs less (Huber's loss)
    #[arg(long, requires = "runs")]
    pub(crate) robust: bool,
    /// Start with this activity of the model
    #[arg(long, value_name = "NAME", requires = "runs")]
    pub(crate) main: Option<String>,
    /// Flags of all runs, as for `run`
    #[arg(last = true, value_name = "FLAGS", requires = "runs")]
    pub(crate) flags: Vec<String>,
    /// Write the cost function into this model; with --runs, the values of its parameters
    #[arg(long, value_name = "MODEL")]
    pub(crate) into: Option<PathBuf>,
    /// Write the machine fitted to --runs as a file for `--machine`
    #[arg(long, value_name = "FILE.toml", requires = "runs")]
    pub(crate) out: Option<PathBuf>,
    /// Give the cost to this element of the model, by name or id
    #[arg(long, value_name = "NAME", requires = "into")]
    pub(crate) element: Option<String>,
    /// Write a parameter as this expression in the model, such as p=2*N [default: the variable with
    /// its name]. Can be repeated
    #[arg(long, value_name = "NAME=EXPRESSION", requires = "into", value_parser = argument)]
    pub(crate) argument: Vec<(String, String)>,
}

impl FitOptions {
    /// Returns the probability that a range contains a new value, or that a later job stays within
    /// its request.
    pub(crate) fn level(&self) -> f64 {
        self.level.unwrap_or(if self.request { 0.95 } else { 0.9 })
    }

    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted {
            at: &self.at,
            level: self.level(),
            signed: self.allow_negative,
            machine: self.machine.as_deref(),
        }
    }
}

/// Options of `fit distribution`.
#[derive(Debug, clap::Args)]
pub(crate) struct Distribution {
    #[command(flatten)]
    pub(crate) measured: Measured,
    /// Seed of the samples that show how well a distribution fits
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Format of the findings: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    pub(crate) format: Format,
    /// Write the quantiles of the times, for `interpolate` in a model
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,
}

/// Files, and what counts in them.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Measured {
    /// Files of measurements, recognized by their contents
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only fit this region [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) region: Vec<String>,
    /// Fit this metric, or this column of values [default: all, times first]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Ignore a CSV column, such as a comment. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) ignore: Vec<String>,
    /// Fit each word of this CSV column as a region. Can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Vec<String>,
    /// Convert a rate, such as MB/s, to the time of this amount: a number in the rate's unit, or a
    /// parameter
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) work: Option<String>,
    /// Use this parameter [default: all]. With a value, use only points with that value. Can be
    /// repeated
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = parameter)]
    pub(crate) parameter: Vec<At>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct At {
    pub(crate) name: String,
    pub(crate) value: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
}

fn parameter(text: &str) -> Result<At, Problem> {
    let Some((name, value)) = text.split_once('=') else {
        let name = text.to_owned();
        return Ok(At { name, value: None });
    };
    Ok(At {
        name: name.to_owned(),
        value: Some(number(value)?),
    })
}

fn point(text: &str) -> Result<Place, Problem> {
    let pair = |part: &str| {
        let pair = part.split_once('=');
        let (name, value) = pair.ok_or("expected a point such as p=512,n=9000")?;
        Ok((name.trim().to_owned(), number(value)?))
    };
    text.split(',').map(pair).collect()
}

fn argument(text: &str) -> Result<(String, String), Problem> {
    let pair = text.split_once('=').filter(|it| !it.1.trim().is_empty());
    let (name, expression) = pair.ok_or("expected an argument such as p=NUM_PROCESSES")?;
    Ok((name.trim().to_owned(), expression.trim().to_owned()))
}

fn probability(text: &str) -> Result<f64, Problem> {
    let level = number(text)?;
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err("expected a probability between 0 and 1, such as 0.9".into())
}

fn number(text: &str) -> Result<f64, Problem> {
    let number = text.trim().parse().ok().filter(|it: &f64| it.is_finite());
    number.ok_or_else(|| problem!("expected a finite number, found `{text}`"))
}
