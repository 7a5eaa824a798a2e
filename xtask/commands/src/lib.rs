//! Offers the commands in the repository, where `cargo xtask` compiles only what a command needs.
//!
//! The program `predict` contains the commands for a first prediction. For what it can't do, such
//! as predicting a workflow, it replaces itself with the program `commands`, which contains all
//! commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use prophet_cli::{Command, Common, Door, ProgramCache, Stop};
use prophet_codegen::workspace::Workspace;

/// Predicts how long parallel programs run, from their UML activity diagrams.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    disable_help_subcommand = true,
    after_help = "For work on the project itself: accuracy, bench, book, ci, dist, fuzz, page."
)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

pub fn run_command() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let matches = prophet_cli::parsed(&Arguments::command(), words.clone());
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let checkout = Checkout {
        cache: arguments.common.cache,
        words,
    };
    prophet_cli::end(arguments.command.run(&checkout))
}

/// Offers the commands in a checkout of the project.
#[derive(Debug)]
struct Checkout {
    cache: Option<PathBuf>,
    words: Vec<OsString>,
}

impl Door for Checkout {
    fn program(&self) -> &'static str {
        "cargo xtask"
    }

    fn whole(&self, words: Option<Vec<OsString>>) -> Option<process::Command> {
        let root = self.project().ok()?;
        let mut cargo = process::Command::new(std::env::var_os("CARGO")?);
        cargo.arg("run");
        let own = std::env::current_exe().unwrap_or_default();
        if words.is_some() || own.with_file_name("commands").exists() {
            cargo.arg("--quiet");
        } else {
            // Cargo shows its progress, because compiling takes a long time.
            eprintln!(
                "compiling what this command needs; this happens once and takes about three minutes"
            );
        }
        cargo.arg("--manifest-path").arg(root.join("Cargo.toml"));
        cargo.args([
            "--package",
            "xtask-commands",
            "--features",
            "whole",
            "--bin",
            "commands",
        ]);
        cargo.arg("--");
        match words {
            Some(words) => cargo.args(self.options()).args(words),
            None => cargo.args(self.words.iter().skip(1)),
        };
        Some(cargo)
    }

    fn options(&self) -> Vec<OsString> {
        let cache = self.cache.iter();
        cache
            .flat_map(|folder| ["--cache".into(), folder.into()])
            .collect()
    }

    fn project(&self) -> Result<PathBuf, Stop> {
        let manifest = manifest()?;
        let root = manifest.ancestors().nth(3);
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
        let workspace = Workspace::find(&manifest()?).map_err(Stop::input)?;
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

fn manifest() -> Result<PathBuf, Stop> {
    Workspace::called_for().ok_or_else(outside)
}

fn outside() -> Stop {
    Stop::usage("run this tool as `cargo xtask …` inside the project")
}
