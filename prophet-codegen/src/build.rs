//! Compiles crates with cargo: generated crates, crates of commands, and users' own targets.

use prophet_text::{Context as _, Problem, problem};
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::Deserialize;

use crate::workspace::{self, Metadata, Workspace};

/// Compiles the crate in `folder` for this machine, with optimizations, and returns the path of the
/// executable.
///
/// # Errors
///
/// Returns an error if cargo can't be started or fails. In the latter case, cargo itself has told
/// the user why.
pub fn release(folder: &Path) -> Result<PathBuf, Problem> {
    build(folder, &["--release".as_ref()])
}

/// Compiles a generated crate like [`release`], so that it can be run. If the crate is its own
/// workspace, it uses the project's dependency versions, and shares the compiled runtime and
/// dependencies with all other such crates.
///
/// # Errors
///
/// Returns the errors of [`release`], or an error if the lock file cannot be written.
pub fn generated(folder: &Path, workspace: &Workspace) -> Result<PathBuf, Problem> {
    build(folder, &flags_of_generated(folder, workspace)?)
}

/// Starts compiling a generated crate like [`generated`], but in the background and without output.
///
/// # Errors
///
/// Returns an error if the lock file cannot be written, or cargo cannot be started.
pub fn generated_quietly(
    folder: &Path,
    workspace: &Workspace,
) -> Result<(Child, Artifacts), Problem> {
    let flags = flags_of_generated(folder, workspace)?;
    quietly(&mut cargo(folder, &flags))
}

/// Starts a build command that reports its artifacts like cargo with `--message-format=json`.
/// Messages for the user are discarded.
///
/// # Errors
///
/// Returns an error if the command can't be started.
pub fn quietly(building: &mut Command) -> Result<(Child, Artifacts), Problem> {
    start(building.stdin(Stdio::null()).stderr(Stdio::null()))
}

fn flags_of_generated<'w>(
    folder: &Path,
    workspace: &'w Workspace,
) -> Result<Vec<&'w OsStr>, Problem> {
    if workspace.has_member(folder) {
        return Ok(vec!["--release".as_ref()]);
    }
    copy_versions(workspace, &folder.join("Cargo.lock"))?;
    let target = workspace.target.as_os_str();
    Ok(vec!["--release".as_ref(), "--target-dir".as_ref(), target])
}

/// Compiles a user's crate, like `cargo build` in its folder but with the profile of `cargo xtask`.
/// If the crate has no lock file, it uses the project's dependency versions.
///
/// The crate has its own `target` folder. In a shared folder, cargo would confuse crates of the
/// same name.
///
/// # Errors
///
/// Returns the errors of [`release`], or an error if the lock file cannot be written.
pub fn outside(folder: &Path, workspace: &Workspace) -> Result<PathBuf, Problem> {
    let mut asked = workspace::cargo();
    let metadata = Metadata::of(asked.arg("metadata").current_dir(folder));
    let metadata = metadata.context("cargo cannot read its Cargo.toml")?;
    let lock = metadata.workspace_root.join("Cargo.lock");
    if !lock.exists() {
        copy_versions(workspace, &lock)?;
    }
    // Passed as a configuration file, our manifest provides its profiles.
    let settings = workspace.root.join("Cargo.toml");
    let target = metadata.target_directory.as_os_str();
    let flags = ["--config".as_ref(), settings.as_os_str()];
    build(
        folder,
        &[&flags[..], &["--target-dir".as_ref(), target]].concat(),
    )
}

/// Writes a lock file with the project's dependency versions.
fn copy_versions(workspace: &Workspace, lock: &Path) -> Result<(), Problem> {
    fs::read(workspace.root.join("Cargo.lock"))
        .and_then(|versions| prophet_files::write(lock, versions))
        .cannot("write", lock.display())
}

fn build(folder: &Path, flags: &[&OsStr]) -> Result<PathBuf, Problem> {
    let (mut build, artifacts) = start(&mut cargo(folder, flags))?;
    let program = artifacts.program()?;
    let status = build.wait().cannot("wait", "for cargo")?;
    if !status.success() {
        return Err(problem!("cargo could not build {}", folder.display()));
    }
    program.ok_or_else(|| problem!("the crate in {} has no program", folder.display()))
}

fn cargo(folder: &Path, flags: &[&OsStr]) -> Command {
    let mut build = workspace::cargo();
    build
        .args([
            "build",
            "--message-format=json-render-diagnostics",
            "--manifest-path",
        ])
        .arg(folder.join("Cargo.toml"))
        .args(flags);
    build
}

fn start(build: &mut Command) -> Result<(Child, Artifacts), Problem> {
    let build = build.stdout(Stdio::piped()).spawn();
    let mut build = build.cannot("start", "cargo")?;
    let artifacts = Artifacts(build.stdout.take());
    Ok((build, artifacts))
}

/// The artifacts that cargo reports during a build.
#[derive(Debug)]
pub struct Artifacts(Option<ChildStdout>);

impl Artifacts {
    /// Waits until the build ends, and returns the path of the last executable that it built, if
    /// any.
    ///
    /// # Errors
    ///
    /// Returns an error if cargo's output can't be read.
    pub fn program(self) -> Result<Option<PathBuf>, Problem> {
        let mut program = None;
        for line in self.0.into_iter().flat_map(|it| BufReader::new(it).lines()) {
            let line = line.context("cannot read the output of cargo")?;
            // All other lines are other messages, or the output of build scripts.
            let made = serde_json::from_str::<Made>(&line).ok();
            program = made.and_then(|it| it.executable).or(program);
        }
        Ok(program)
    }
}

#[derive(Deserialize)]
struct Made {
    executable: Option<PathBuf>,
}
