//! Saves runs to a repository.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{self, ExitCode, ExitStatus};

use super::arguments::{Add, DEFAULT, Keep};
use super::signals::Signals;
use super::{Outcome, runs_of};
use crate::database::Location;
use crate::hash;
use crate::repository::Repository;
use crate::run::RunRecord;
use prophet_files::Folder;
use prophet_text::{Context as _, FileKind, Problem};

/// Saves the results in all files, or none of them.
pub(crate) fn add(location: &Location, arguments: &Add) -> Outcome {
    let model = arguments.model.as_deref();
    let hash = model.map(hash_of_model).transpose()?;
    let mut runs = Vec::new();
    for file in &arguments.files {
        runs.extend(runs_of(file)?);
    }
    for run in runs.iter_mut().filter(|_| model.is_some()) {
        run.model_file = model.map(|model| model.display().to_string());
        run.model_hash.clone_from(&hash);
    }
    save(location, &runs)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a program, which prints its result, and saves the result.
///
/// Returns the program's exit code, or 1 if the result can't be saved.
pub(crate) fn keep(location: &Location, arguments: &Keep, command: &str) -> Outcome {
    let origin = Origin::of(&arguments.model, arguments.folder.as_deref())?;
    let (program, flags) = arguments.command.split_first().expect("clap requires it");
    keep_in(location, &origin, (flags, command), |record| {
        exit_code(program, run(program, flags, record)?)
    })
}

/// Runs a prediction, which gets the name of the file to write its result to, and saves the result,
/// if there is one. `repository` is a file or a URL; if it is empty, the result is saved in the
/// repository of `runs`. `flags` are the prediction's flags, and `command` is what users type for
/// `runs`.
///
/// # Errors
///
/// Returns an error if the prediction fails, or if its result can't be saved.
pub fn keep_result<E: From<Problem>>(
    repository: &OsStr,
    origin: &Origin,
    (flags, command): (&[OsString], &str),
    run: impl FnOnce(&Path) -> Result<ExitCode, E>,
) -> Result<ExitCode, E> {
    let location = Location::of(&chosen_repository(repository).to_string_lossy());
    keep_in(&location, origin, (flags, command), run)
}

/// Returns the repository that a user named or, if the name is empty, the repository of `runs`.
pub fn chosen_repository(named: &OsStr) -> OsString {
    if named.is_empty() {
        std::env::var_os("PROPHET_REPOSITORY").unwrap_or_else(|| DEFAULT.into())
    } else {
        named.to_owned()
    }
}

fn keep_in<E: From<Problem>>(
    location: &Location,
    origin: &Origin,
    (flags, command): (&[OsString], &str),
    run: impl FnOnce(&Path) -> Result<ExitCode, E>,
) -> Result<ExitCode, E> {
    let folder = Folder::temporary("prophet-run");
    let folder = folder.context("cannot create a folder for the result")?;
    let record = folder.path().join("run.json");
    let code = run(&record)?;
    if record.exists() {
        let runs = origin.runs(&record, flags)?;
        save(location, &runs).map_err(|failure| rescue(&runs, &failure, command))?;
    }
    Ok(code)
}

/// The files that a result depends on.
#[derive(Debug)]
pub struct Origin {
    model: String,
    model_hash: Option<String>,
    crate_hash: Option<String>,
}

impl Origin {
    /// Reads the files before a prediction, since they can change meanwhile: a model, or a folder
    /// of a trace, and the folder of the model's crate, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if a file can't be read.
    pub fn of(model: &Path, folder: Option<&Path>) -> Result<Self, Problem> {
        let is_file = !model.is_dir();
        Ok(Self {
            model: model.display().to_string(),
            model_hash: is_file.then(|| hash_of_model(model)).transpose()?,
            crate_hash: folder.map(hash_of_crate).transpose()?,
        })
    }

    /// Returns the runs in a file that a program wrote with these flags.
    fn runs(&self, record: &Path, flags: &[OsString]) -> Result<Vec<RunRecord>, Problem> {
        let text = |flag: &OsString| flag.to_string_lossy().into_owned();
        let mut runs = runs_of(record)?;
        for run in &mut runs {
            run.model_file = Some(self.model.clone());
            run.model_hash.clone_from(&self.model_hash);
            run.crate_hash.clone_from(&self.crate_hash);
            run.command = Some(flags.iter().map(text).collect());
            run.trace = trace(flags);
        }
        Ok(runs)
    }
}

/// Returns the absolute path of the trace that the program writes with these flags, if `report` can
/// read it.
fn trace(flags: &[OsString]) -> Option<String> {
    let mut flags = flags.iter().map(|flag| flag.to_string_lossy());
    let path = flags.find_map(|flag| match flag.strip_prefix("--trace") {
        Some("") => Some(None),
        Some(rest) => Some(Some(rest.strip_prefix('=')?.to_owned())),
        None => None,
    })?;
    let path = path.or_else(|| flags.next().map(Cow::into_owned))?;
    let path = std::path::absolute(path).ok()?;
    let is_read = prophet_files::format_of(&path)?.kind == FileKind::Recorded;
    is_read.then(|| path.display().to_string())
}

fn save(location: &Location, runs: &[RunRecord]) -> Result<(), Problem> {
    let ids = Repository::create(location)?.add(runs)?;
    match ids.as_slice() {
        [id] => prophet_text::tell!("saved as run {id} in {location}"),
        [first, .., last] => prophet_text::tell!("saved as runs {first} to {last} in {location}"),
        [] => {}
    }
    Ok(())
}

/// Writes runs that couldn't be saved to a file, and reports the file with the command that saves
/// it.
fn rescue(runs: &[RunRecord], failure: &Problem, command: &str) -> Problem {
    let text = serde_json::to_string(runs).expect("runs are always JSON");
    let temporary = std::env::temp_dir();
    let rescued = [Path::new("."), &temporary].into_iter().find_map(|folder| {
        let mut name = tempfile::Builder::new();
        let file = name.prefix("unsaved-run-").suffix(".json");
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::PermissionsExt as _;
            // The umask of the process applies, as for every new file.
            file.permissions(fs::Permissions::from_mode(0o666))
        };
        let (mut file, path) = file.tempfile_in(folder).ok()?.keep().ok()?;
        let written = file.write_all(text.as_bytes());
        written.inspect_err(|_| drop(fs::remove_file(&path))).ok()?;
        Some(folder.join(path.file_name()?))
    });
    let rescued = rescued.map_or(String::new(), |path| {
        let path = path.display();
        format!("; the result is in {path}; save it with `{command} add {path}`")
    });
    Problem::new(format!("the run was not saved: {failure}{rescued}"))
}

fn hash_of_crate(folder: &Path) -> Result<String, Problem> {
    hash::crate_folder(folder)
        .map_err(|error| Problem::new(format!("{}: {error}", folder.display())))
}

fn hash_of_model(model: &Path) -> Result<String, Problem> {
    hash::file(model).map_err(|error| Problem::new(format!("{}: {error}", model.display())))
}

/// Runs a program to its end. If the user stops it, the program still writes a partial result.
fn run(program: &OsString, flags: &[OsString], record: &Path) -> Result<ExitStatus, Problem> {
    let failure =
        |error: io::Error| Problem::new(format!("cannot run {}: {error}", program.display()));
    // Catch signals before the program starts, so that none of them ends only this process.
    let signals = Signals::catch().map_err(failure)?;
    let mut command = process::Command::new(program);
    let child = command.args(flags).arg("--record").arg(record).spawn();
    let mut child = child.map_err(failure)?;
    let _passed_on = signals.pass_on_to(&child);
    child.wait().map_err(failure)
}

fn exit_code(program: &OsString, status: ExitStatus) -> Outcome {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map(ExitCode::from).ok_or_else(|| {
        // The status reads `signal: 9 (SIGKILL)`.
        Problem::new(format!(
            "{} ended with {status}, without a result",
            program.display()
        ))
    })
}
