//! `cargo xtask ci`: everything that `.ci/run` checks besides the tests.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Request, generate};
use prophet_codegen::output::Mode;

use crate::check::show_failure;
use crate::{Outcome, Stop, workspace};

pub(crate) fn run() -> Outcome {
    let workspace = workspace()?;
    cargo(
        "format",
        &workspace.root,
        &["fmt", "--all", "--check"],
        None,
    )?;
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    cargo("lints", &workspace.root, &lints, None)?;
    let docs = [
        "doc",
        "--workspace",
        "--no-deps",
        "--locked",
        "--document-private-items",
    ];
    cargo(
        "docs",
        &workspace.root,
        &docs,
        Some(("RUSTDOCFLAGS", "-D warnings")),
    )?;
    eprintln!("ci: generated code");
    let rules = RuleSet::shipped();
    for model in samples(&workspace.root)? {
        let request = Request {
            mode: Mode::Check,
            ..Request::new(&model, &rules)
        };
        generate(&request, &workspace).map_err(|failure| show_failure(&failure))?;
    }
    eprintln!("ci: all is well");
    Ok(ExitCode::SUCCESS)
}

/// Runs cargo in `folder` and stops where it fails.
fn cargo(
    what: &str,
    folder: &Path,
    arguments: &[&str],
    variable: Option<(&str, &str)>,
) -> Result<(), Stop> {
    eprintln!("ci: {what}: cargo {}", arguments.join(" "));
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program)
        .args(arguments)
        .envs(variable)
        .current_dir(folder)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Stop::input(format!("the check of {what} failed"))),
        Err(error) => Err(Stop::input(format!("cannot start cargo: {error}"))),
    }
}

/// The sample models, in order of their names. Profiles are no models.
fn samples(root: &Path) -> Result<Vec<PathBuf>, Stop> {
    let folder = root.join("sample-models");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Stop::input(format!("cannot read {}: {error}", folder.display())))?;
    let mut models: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "uml"))
        .filter(|path| !path.to_string_lossy().ends_with(".profile.uml"))
        .collect();
    models.sort();
    Ok(models)
}
