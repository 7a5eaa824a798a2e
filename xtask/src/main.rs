//! `cargo xtask`: the door to the commands in the repository, and the checks of the project.

mod bench;
mod book;
mod ci;
mod fuzz;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prophet_cli::{Door, Outcome, Stop};
use prophet_codegen::workspace::Workspace;

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
    #[command(flatten)]
    User(prophet_cli::Command),
    /// Measure the engine, and write the table of docs/performance.md
    Bench(bench::Arguments),
    /// Fuzz everything that reads a file (needs a nightly Rust and cargo-fuzz)
    Fuzz(fuzz::Arguments),
    /// Make a book of the documentation, with a search (needs mdbook)
    Book,
    /// Check the project itself: format, lints, docs, generated code (`cargo test` is separate)
    Ci,
}

fn main() -> ExitCode {
    prophet_cli::end(match Arguments::parse().command {
        Command::User(command) => command.run(&Checkout),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Book => book::run(),
        Command::Ci => ci::run(),
    })
}

/// The door in a checkout of the project.
#[derive(Debug)]
struct Checkout;

impl Door for Checkout {
    fn program(&self) -> &'static str {
        "cargo xtask"
    }

    fn workspace(&self) -> Result<Workspace, Stop> {
        workspace()
    }
}

/// The workspace that this command belongs to.
fn workspace() -> Result<Workspace, Stop> {
    let manifest = Workspace::called_for();
    let manifest =
        manifest.ok_or_else(|| Stop::usage("run it as `cargo xtask …` inside the project"))?;
    Workspace::find(&manifest).map_err(Stop::input)
}
