//! `cargo xtask`: the command lines of Performance Prophet. The work is done by library functions.

mod bench;
mod check;
mod ci;
mod format;
mod fuzz;
mod gen_cmd;
mod report;
mod run;
mod summary;
mod trace;
mod validate;
mod where_cmd;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prophet_codegen::workspace::Workspace;

/// How a command ends: well, with wrong input, or with a wrong command line.
type Outcome = Result<ExitCode, Stop>;

/// Why a command stopped before its end.
#[derive(Debug)]
struct Stop {
    /// 1 for input that is wrong, 2 for a command line that is.
    code: u8,
    /// What to tell the user; empty where it was told.
    message: String,
}

impl Stop {
    /// The input is wrong.
    fn input(message: impl Into<String>) -> Self {
        Self {
            code: 1,
            message: message.into(),
        }
    }

    /// The command line is wrong.
    fn usage(message: impl Into<String>) -> Self {
        Self {
            code: 2,
            message: message.into(),
        }
    }
}

/// Predicts how long parallel programs run, from UML activity diagrams of them.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the simulation crate of a model
    Gen(gen_cmd::Arguments),
    /// Check a model and show what is wrong with it
    Check(check::Arguments),
    /// Generate, compile and evaluate a model
    Run(run::Arguments),
    /// Explain traces and results: where the time went, and how runs differ
    Report(report::Arguments),
    /// Turn a trace into another format, or sum it up
    Trace(trace::Arguments),
    /// Keep runs, and list, show and compare those that are kept (`runs --help`)
    #[command(disable_help_flag = true)]
    Runs {
        /// What to do
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Run the program's skeleton with MPI on this machine, and compare it with the prediction
    Validate(validate::Arguments),
    /// Compare a prediction with that of another simulator (`compare --help`)
    #[command(disable_help_flag = true)]
    Compare {
        /// Which, and of what
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Tell which part of a model a line of a generated file comes from
    Where(where_cmd::Arguments),
    /// Measure the engine, and write the table of docs/performance.md
    Bench(bench::Arguments),
    /// Fuzz everything that reads a file (needs a nightly Rust and cargo-fuzz)
    Fuzz(fuzz::Arguments),
    /// Check the project itself: format, lints, docs, generated code (`cargo test` is separate)
    Ci,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Gen(arguments) => gen_cmd::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
        Command::Runs { arguments } => run::become_tool("repository", &arguments),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Compare { arguments } => run::become_tool("compare", &arguments),
        Command::Where(arguments) => where_cmd::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Ci => ci::run(),
    };
    outcome.unwrap_or_else(|stop| {
        if !stop.message.is_empty() {
            eprintln!("error: {}", prophet_plain::lines(&stop.message));
        }
        ExitCode::from(stop.code)
    })
}

/// The workspace that this command belongs to.
fn workspace() -> Result<Workspace, Stop> {
    let manifest = Workspace::called_for();
    let manifest =
        manifest.ok_or_else(|| Stop::usage("run it as `cargo xtask …` inside the project"))?;
    Workspace::find(&manifest).map_err(Stop::input)
}
