//! Implements Performance Prophet's commands for every program that offers them.
//!
//! Such a program is a [`Door`]: `cargo xtask` in the repository, or the installed program. The
//! door knows how users call the program, and where the runtime's sources are. Commands only add a
//! command line to library functions.
//!
//! The modules are layers, lowest first: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `cache` | what can be made again |
//! | `door` | a program that offers the commands, and how commands end |
//! | `format` | how what a command finds is printed |
//! | `given` | files that a command line names, or standard input |
//! | `kind` | what a file is that `run` takes in place of a model |
//! | `flags` | flags of a model's program in the command line of a command |
//! | `lacking` | what a command line lacks |
//! | `toolchain` | Rust on this machine |
//! | `tool` | programs that this process becomes |
//! | `fix` | `check --fix` |
//! | `summary` | `check --summary` |
//! | `explain` | `check --explain` |
//! | `memory` | memory that a model needs beside what a machine has |
//! | `check` | `check`, and how all commands show problems |
//! | `outputs` | outputs of a model's program that would replace what it reads |
//! | `target` | choice of a target |
//! | `gen_cmd` | `gen` |
//! | `run` | `run`: interpret, or generate, compile and become the program |
//! | `sweep` | `sweep`: of models, and of workflows |
//! | `watch` | `watch`: predict on each change |
//! | `cache_cmd` | `cache` |
//! | `validate` | `validate` |
//! | `where_cmd` | `where` |
//! | `new` | `new`: a first model, a sample, a crate |
//! | `doctor` | `doctor`: what commands can use on this machine |
//! | `manual` | `completions`, `man`: what shells and `man` know of the program |
//! | `machine` | `machine`: show, draw and convert machines |
//! | `studio` | `studio` |
//! | `trace` | `trace` |
//! | `report` | `report` |

#![cfg_attr(
    not(feature = "whole"),
    allow(
        dead_code,
        unused_variables,
        reason = "some of it is for the commands left out"
    )
)]

mod cache;
mod cache_cmd;
mod check;
#[cfg(feature = "whole")]
mod doctor;
mod door;
mod explain;
#[cfg(feature = "whole")]
mod fix;
mod flags;
mod format;
#[cfg(feature = "whole")]
mod gen_cmd;
mod given;
mod kind;
mod lacking;
#[cfg(feature = "whole")]
mod machine;
#[cfg(feature = "whole")]
mod manual;
mod memory;
#[cfg(feature = "whole")]
mod new;
mod outputs;
#[cfg(feature = "whole")]
mod report;
mod run;
#[cfg(feature = "whole")]
mod studio;
mod summary;
#[cfg(feature = "whole")]
mod sweep;
#[cfg(feature = "whole")]
mod target;
mod tool;
mod toolchain;
#[cfg(feature = "whole")]
mod trace;
#[cfg(feature = "whole")]
mod validate;
#[cfg(feature = "whole")]
mod watch;
#[cfg(feature = "whole")]
mod where_cmd;

use std::path::PathBuf;

use clap::Subcommand;

pub use cache::ProgramCache;
#[cfg(feature = "whole")]
pub use check::show_failure;
pub use door::{CommandOutcome, Door, Stop, end};
pub use lacking::parsed;

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a folder with a first model or a sample to start from
    #[cfg(feature = "whole")]
    New(new::Arguments),
    /// Write the simulation crate of a model
    #[cfg(feature = "whole")]
    Gen(gen_cmd::Arguments),
    /// Check a model and show what is wrong with it
    Check(check::Arguments),
    /// Evaluate a model by interpreting or compiling it
    Run(run::Arguments),
    /// Predict again whenever the model changes, and show the difference
    #[cfg(feature = "whole")]
    Watch(watch::Arguments),
    #[cfg(feature = "whole")]
    Studio(Box<prophet_studio::command::Arguments>),
    #[cfg(feature = "whole")]
    Lsp(Box<prophet_lsp::command::Arguments>),
    /// Explain traces and results: where the time went, and how runs differ
    #[cfg(feature = "whole")]
    Report(report::Arguments),
    /// Convert a trace to another format, or summarize it
    #[cfg(feature = "whole")]
    Trace(trace::Arguments),
    #[cfg(feature = "whole")]
    Runs(prophet_runs::command::Arguments),
    #[cfg(feature = "whole")]
    Fit(Box<prophet_fit::command::Arguments>),
    #[cfg(feature = "whole")]
    Import(prophet_import::command::Arguments),
    #[cfg(feature = "whole")]
    Record(prophet_record::command::Record),
    #[cfg(feature = "whole")]
    Learn(prophet_record::command::Learn),
    #[cfg(feature = "whole")]
    Analyze(prophet_analyze::command::Arguments),
    #[cfg(feature = "whole")]
    Sweep(Box<prophet_sweep::command::Arguments>),
    #[cfg(feature = "whole")]
    Calibrate(prophet_calibrate::command::Arguments),
    /// Show a machine, draw it, or convert it to another form
    #[cfg(feature = "whole")]
    Machine(machine::Arguments),
    /// Compare a prediction with a recording, or with a run of the program's skeleton here
    #[cfg(feature = "whole")]
    Validate(validate::Arguments),
    #[cfg(feature = "whole")]
    Compare(prophet_crosscheck::command::Arguments),
    /// Show which part of a model a line of a generated file comes from
    #[cfg(feature = "whole")]
    Where(where_cmd::Arguments),
    /// Show which required programs are installed, and how to install the others
    #[cfg(feature = "whole")]
    Doctor(doctor::Arguments),
    /// Print completions of the command line for a shell
    #[cfg(feature = "whole")]
    Completions(manual::completions::Arguments),
    /// Print a page for `man`, or write all pages to a folder
    #[cfg(feature = "whole")]
    Man(manual::pages::Arguments),
    /// List or clear the cache
    Cache(cache_cmd::Arguments),
}

/// Options that all commands have.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Common {
    /// Cache folder [default: see docs/installing.md]
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl Command {
    /// Runs the command for the program `door`.
    ///
    /// # Errors
    ///
    /// Returns an error if the input or the command line is invalid.
    pub fn run(self, door: &dyn Door) -> CommandOutcome {
        #[cfg(not(feature = "whole"))]
        {
            let needs_whole = match &self {
                Self::Check(arguments) => arguments.need_whole(),
                Self::Run(arguments) => arguments.need_whole(),
                Self::Cache(_) => false,
            };
            let mut words = std::env::args_os();
            if needs_whole || words.any(|word| kind::needs_archives(word.as_ref())) {
                return tool::become_whole(door, None);
            }
        }
        match &self {
            Self::Check(arguments) => check::run(arguments),
            Self::Run(arguments) => run::run(door, arguments),
            Self::Cache(arguments) => cache_cmd::run(door, arguments),
            #[cfg(feature = "whole")]
            _ => self.run_whole(door),
        }
    }

    /// Runs a command that only the whole program has.
    #[cfg(feature = "whole")]
    fn run_whole(self, door: &dyn Door) -> CommandOutcome {
        let named = |command: &str| format!("{} {command}", door.program());
        Ok(match self {
            Self::Check(_) | Self::Run(_) | Self::Cache(_) => return self.run(door),
            Self::New(arguments) => new::run(door, &arguments)?,
            Self::Gen(arguments) => gen_cmd::run(door, &arguments)?,
            Self::Watch(arguments) => watch::run(door, &arguments)?,
            Self::Studio(arguments) => studio::run(door, &arguments)?,
            Self::Lsp(arguments) => prophet_lsp::command::run(&arguments)?,
            Self::Report(arguments) => report::run(door, &arguments)?,
            Self::Trace(arguments) => trace::run(&arguments)?,
            Self::Runs(arguments) => prophet_runs::command::run(&arguments, &named("runs"))?,
            Self::Fit(arguments) => fit(arguments)?,
            Self::Import(arguments) => prophet_import::command::run(&arguments)?,
            Self::Record(arguments) => prophet_record::command::record(&arguments)?,
            Self::Learn(arguments) => prophet_record::command::learn(&arguments)?,
            Self::Analyze(arguments) => prophet_analyze::command::run(&arguments)?,
            Self::Sweep(arguments) => sweep::run(door, &arguments)?,
            Self::Calibrate(arguments) => prophet_calibrate::command::run(&arguments)?,
            Self::Machine(arguments) => machine::run(&arguments)?,
            Self::Validate(arguments) => validate::run(door, &arguments)?,
            Self::Compare(arguments) => prophet_crosscheck::command::run(&arguments, || {
                door.workspace().map_err(|stop| stop.message.into())
            }),
            Self::Where(arguments) => where_cmd::run(&arguments)?,
            Self::Doctor(arguments) => doctor::run(door, &arguments)?,
            Self::Completions(arguments) => manual::completions::run(&arguments, commands)?,
            Self::Man(arguments) => manual::pages::run(&arguments, commands)?,
        })
    }
}

/// Fits measurements, one file of which can be standard input.
#[cfg(feature = "whole")]
fn fit(mut arguments: Box<prophet_fit::command::Arguments>) -> CommandOutcome {
    let stdin = std::path::Path::new(given::STDIN);
    let named: Vec<_> = arguments.files_mut().filter(|it| **it == stdin).collect();
    let given = (!named.is_empty()).then(|| given::Given::of(stdin));
    let given = given.transpose()?;
    for (file, given) in named.into_iter().zip(given.iter().cycle()) {
        given.path().clone_into(file);
    }
    Ok(prophet_fit::command::run(&arguments)?)
}

/// Returns all commands, without the parts that depend on the program that offers them.
#[cfg(feature = "whole")]
fn commands(program: &'static str) -> clap::Command {
    let commands = Command::augment_subcommands(clap::Command::new(program));
    <Common as clap::Args>::augment_args(commands)
}

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
