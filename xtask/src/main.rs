//! `cargo xtask`: the door to the commands in the repository, and the checks of the project.

mod accuracy;
mod bench;
mod book;
mod ci;
mod dist;
mod fuzz;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use prophet_cli::{CommandOutcome, Common, Door, ProgramCache, Stop};
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
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    User(prophet_cli::Command),
    /// Measure the engine, and write the table of prophet-runtime/benches/figures.md
    Bench(bench::Arguments),
    /// Compute or measure how right predictions are, and write docs/accuracy.md
    Accuracy(accuracy::Arguments),
    /// Fuzz everything that reads a file (needs a nightly Rust and cargo-fuzz)
    Fuzz(fuzz::Arguments),
    /// Make a book of the documentation, with a search (needs mdbook)
    Book(book::Arguments),
    /// Make packages of the program for others, with checksums
    Dist(dist::Arguments),
    /// Check the project itself: format, lints, docs, generated code (`cargo test` is separate)
    Ci,
}

fn main() -> ExitCode {
    let words = prophet_cli::apart(&Arguments::command(), std::env::args_os().collect());
    let arguments = Arguments::parse_from(words);
    let checkout = Checkout {
        cache: arguments.common.cache,
    };
    prophet_cli::end(match arguments.command {
        Command::User(command) => command.run(&checkout),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Accuracy(arguments) => accuracy::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Ci => ci::run(),
    })
}

/// The door in a checkout of the project.
#[derive(Debug)]
struct Checkout {
    /// The folder that the user names for what can be made again.
    cache: Option<PathBuf>,
}

impl Door for Checkout {
    fn program(&self) -> &'static str {
        "cargo xtask"
    }

    fn options(&self) -> Vec<OsString> {
        let cache = self.cache.iter();
        cache
            .flat_map(|folder| ["--cache".into(), folder.into()])
            .collect()
    }

    fn project(&self) -> Result<PathBuf, Stop> {
        let manifest = manifest()?;
        let root = manifest.ancestors().nth(2);
        root.map(Path::to_owned).ok_or_else(outside)
    }

    fn cache(&self) -> Result<ProgramCache, Stop> {
        match &self.cache {
            Some(folder) => Ok(ProgramCache::at(folder)),
            None => Ok(ProgramCache::at(
                self.project()?.join("target").join("prophet"),
            )),
        }
    }

    fn target(&self) -> Result<PathBuf, Stop> {
        Ok(self.workspace()?.target)
    }

    fn workspace(&self) -> Result<Workspace, Stop> {
        let workspace = workspace()?;
        Ok(match &self.cache {
            Some(folder) => Workspace {
                built: ProgramCache::at(folder).crates(),
                target: ProgramCache::at(folder).target().join("checkout"),
                ..workspace
            },
            None => workspace,
        })
    }
}

/// The workspace that this command belongs to.
fn workspace() -> Result<Workspace, Stop> {
    Workspace::find(&manifest()?).map_err(Stop::input)
}

/// The manifest of this package.
fn manifest() -> Result<PathBuf, Stop> {
    Workspace::called_for().ok_or_else(outside)
}

fn outside() -> Stop {
    Stop::usage("run it as `cargo xtask …` inside the project")
}
