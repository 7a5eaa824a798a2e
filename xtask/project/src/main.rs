//! Runs the project's development commands, which check, measure and package it.
//!
//! They are a separate program that `cargo xtask` runs, so that a first prediction doesn't have to
//! compile them.

mod accuracy;
mod bench;
mod book;
mod ci;
mod dist;
mod fuzz;
mod npm;
mod page;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prophet_cli::{CommandOutcome, Stop};
use prophet_codegen::workspace::Workspace;

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
    /// Measure the engine, and write the table of prophet-runtime/benches/figures.md
    Bench(bench::Arguments),
    /// Compute or measure how accurate predictions are, and write docs/accuracy.md
    Accuracy(accuracy::Arguments),
    /// Fuzz everything that reads a file (needs a nightly Rust and cargo-fuzz)
    Fuzz(fuzz::Arguments),
    /// Build a book from the documentation, with a search (needs mdbook)
    Book(book::Arguments),
    /// Build packages of the program, with checksums
    Dist(dist::Arguments),
    /// Pack the studio's page after a change to its source code (needs npm)
    Page,
    /// Check the project itself: format, lints, docs, generated code (`cargo test` is separate)
    Ci,
}

fn main() -> ExitCode {
    prophet_cli::end(match Arguments::parse().command {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Accuracy(arguments) => accuracy::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Page => page::run(),
        Command::Ci => ci::run(),
    })
}

fn workspace() -> Result<Workspace, Stop> {
    let outside = || Stop::usage("run this tool as `cargo xtask …` inside the project");
    let manifest = Workspace::called_for().ok_or_else(outside)?;
    Workspace::find(&manifest).map_err(Stop::input)
}
