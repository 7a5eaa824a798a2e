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
//! | `toolchain` | Rust on this machine |
//! | `tool` | large commands, which are part of the program or compiled on first use |
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
//! | `lsp` | `lsp`: serve an editor |
//! | `trace` | `trace` |
//! | `report` | `report` |

#![cfg_attr(
    not(feature = "generation"),
    allow(
        dead_code,
        unused_variables,
        reason = "some of it is for the commands left out"
    )
)]

mod cache;
mod cache_cmd;
mod check;
#[cfg(feature = "generation")]
mod doctor;
mod door;
mod explain;
#[cfg(feature = "generation")]
mod fix;
mod flags;
mod format;
#[cfg(feature = "generation")]
mod gen_cmd;
mod given;
mod kind;
mod lsp;
#[cfg(feature = "generation")]
mod machine;
#[cfg(feature = "manual")]
mod manual;
mod memory;
#[cfg(feature = "generation")]
mod new;
mod outputs;
mod report;
mod run;
mod studio;
mod summary;
mod sweep;
#[cfg(feature = "generation")]
mod target;
mod tool;
mod toolchain;
#[cfg(feature = "generation")]
mod trace;
#[cfg(feature = "generation")]
mod validate;
#[cfg(feature = "generation")]
mod watch;
#[cfg(feature = "generation")]
mod where_cmd;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Subcommand;

pub use cache::ProgramCache;
#[cfg(feature = "generation")]
pub use check::show_failure;
pub use door::{CommandOutcome, Door, Stop, end};
pub use flags::apart;
use given::Given;
use tool::Tool;

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create a folder with a first model or a sample to start from
    #[cfg(feature = "generation")]
    New(new::Arguments),
    /// Write the simulation crate of a model
    #[cfg(feature = "generation")]
    Gen(gen_cmd::Arguments),
    /// Check a model and show what is wrong with it
    Check(check::Arguments),
    /// Evaluate a model by interpreting or compiling it
    Run(run::Arguments),
    /// Predict again whenever the model changes, and show the difference
    #[cfg(feature = "generation")]
    Watch(watch::Arguments),
    /// Draw a model in the browser, next to its prediction
    Studio(studio::Arguments),
    /// Serve an editor: problems, completions, explanations and predictions as you type
    Lsp(lsp::Arguments),
    /// Explain traces and results: where the time went, and how runs differ
    Report(report::Arguments),
    /// Convert a trace to another format, or summarize it
    #[cfg(feature = "generation")]
    Trace(trace::Arguments),
    /// Keep runs, and list, show and compare them (`runs --help`)
    #[command(disable_help_flag = true)]
    Runs(Passed),
    /// Fit cost functions to measurements, and write them into models (`fit --help`)
    #[command(disable_help_flag = true)]
    Fit(Passed),
    /// Fold another tool's trace into a model (`import --help`)
    #[command(disable_help_flag = true)]
    Import(Passed),
    /// Record a program's MPI calls (`record --help`)
    #[command(disable_help_flag = true)]
    Record(Passed),
    /// Create one model from recordings with different numbers of ranks (`learn --help`)
    #[command(disable_help_flag = true)]
    Learn(Passed),
    /// Predict a model at many points, to explore designs (`sweep --help`)
    #[command(disable_help_flag = true)]
    Sweep(Passed),
    /// Create machine files from measurements, of this machine or from files (`calibrate --help`)
    #[command(disable_help_flag = true)]
    Calibrate(Passed),
    /// Show a machine, draw it, or convert it to another form
    #[cfg(feature = "generation")]
    Machine(machine::Arguments),
    /// Compare a prediction with a recording, or with a run of the program's skeleton here
    #[cfg(feature = "generation")]
    Validate(validate::Arguments),
    /// Compare a prediction with another simulator (`compare --help`)
    #[command(disable_help_flag = true)]
    Compare(Passed),
    /// Show which part of a model a line of a generated file comes from
    #[cfg(feature = "generation")]
    Where(where_cmd::Arguments),
    /// Show which required programs are installed, and how to install the others
    #[cfg(feature = "generation")]
    Doctor(doctor::Arguments),
    /// Print completions of the command line for a shell
    #[cfg(feature = "manual")]
    Completions(manual::completions::Arguments),
    /// Print a page for `man`, or write all pages to a folder
    #[cfg(feature = "manual")]
    Man(manual::pages::Arguments),
    /// List or clear the cache
    Cache(cache_cmd::Arguments),
}

/// Arguments that are passed on to a command with its own command line.
#[derive(Debug, clap::Args)]
pub struct Passed {
    /// Arguments of the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
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
    pub fn run(&self, door: &dyn Door) -> CommandOutcome {
        #[cfg(not(feature = "generation"))]
        if std::env::args_os().any(|word| kind::needs_archives(word.as_ref())) {
            return tool::become_whole(door);
        }
        #[cfg(not(feature = "generation"))]
        match self {
            Self::Check(arguments) if arguments.need_whole() => return tool::become_whole(door),
            Self::Run(arguments) if arguments.need_whole() => return tool::become_whole(door),
            _ => {}
        }
        match self {
            #[cfg(feature = "generation")]
            Self::New(arguments) => new::run(door, arguments),
            #[cfg(feature = "generation")]
            Self::Gen(arguments) => gen_cmd::run(door, arguments),
            Self::Check(arguments) => check::run(arguments),
            Self::Run(arguments) => run::run(door, arguments),
            #[cfg(feature = "generation")]
            Self::Watch(arguments) => watch::run(door, arguments),
            Self::Studio(arguments) => studio::run(door, arguments),
            Self::Lsp(arguments) => lsp::run(door, arguments),
            Self::Report(arguments) => report::run(door, arguments),
            #[cfg(feature = "generation")]
            Self::Trace(arguments) => trace::run(door, arguments),
            Self::Runs(passed) => Tool::Runs.finish(door, &passed.arguments),
            Self::Fit(passed) => fit(door, &passed.arguments),
            Self::Import(passed) => Tool::Import.finish(door, &passed.arguments),
            Self::Record(passed) => Tool::Record.finish(door, &recorded(&passed.arguments)),
            Self::Learn(passed) => Tool::Record.finish(door, &learn(&passed.arguments)),
            Self::Sweep(passed) => sweep::run(door, &passed.arguments),
            Self::Calibrate(passed) => Tool::Calibrate.finish(door, &passed.arguments),
            #[cfg(feature = "generation")]
            Self::Machine(arguments) => machine::run(arguments),
            #[cfg(feature = "generation")]
            Self::Validate(arguments) => validate::run(door, arguments),
            Self::Compare(passed) => Tool::Compare.finish(door, &passed.arguments),
            #[cfg(feature = "generation")]
            Self::Where(arguments) => where_cmd::run(arguments),
            #[cfg(feature = "generation")]
            Self::Doctor(arguments) => doctor::run(door, arguments),
            #[cfg(feature = "manual")]
            Self::Completions(arguments) => manual::completions::run(arguments, commands),
            #[cfg(feature = "manual")]
            Self::Man(arguments) => manual::pages::run(arguments, commands),
            Self::Cache(arguments) => cache_cmd::run(door, arguments),
        }
    }
}

/// Returns all commands, without the parts that depend on the program that offers them.
#[cfg(feature = "manual")]
fn commands(program: &'static str) -> clap::Command {
    let commands = Command::augment_subcommands(clap::Command::new(program));
    <Common as clap::Args>::augment_args(commands)
}

/// Removes a `--` without flags before it from the arguments of `record`.
fn recorded(arguments: &[OsString]) -> Vec<OsString> {
    let is_flag = |it: &OsString| it.to_string_lossy().starts_with('-');
    let lost = arguments.first().filter(|it| !is_flag(it));
    let lost = lost.map(|_| "--".into());
    lost.into_iter().chain(arguments.iter().cloned()).collect()
}

fn learn(arguments: &[OsString]) -> Vec<OsString> {
    let words = std::iter::once("learn".into());
    words.chain(arguments.iter().cloned()).collect()
}

fn fit(door: &dyn Door, arguments: &[OsString]) -> CommandOutcome {
    let is_stdin = |word: &&OsString| *word == given::STDIN;
    let given = arguments
        .iter()
        .find(is_stdin)
        .map(|it| Given::of(it.as_ref()));
    let Some(given) = given.transpose()? else {
        return Tool::Fit.finish(door, arguments);
    };
    let replaced = |word: &OsString| {
        if *word == given::STDIN {
            given.path().as_os_str().to_owned()
        } else {
            word.clone()
        }
    };
    let arguments: Vec<OsString> = arguments.iter().map(replaced).collect();
    Tool::Fit.run(door, &arguments)
}

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
