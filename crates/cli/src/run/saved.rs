//! Saves results in a repository, for `run --save`.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use prophet_files::Folder;
use prophet_interpreter::Interpreted;
use prophet_runs::command::{Arguments as Runs, run as runs};

use super::{Subject, native, words};
use crate::tool::{become_program, this_program};
use crate::{CommandOutcome, Door};
use prophet_text::Context as _;

pub(super) fn interpret(
    door: &dyn Door,
    subject: Subject<'_>,
    repository: &OsString,
    program: &Interpreted,
) -> CommandOutcome {
    let folder =
        Folder::temporary("prophet-run").context("cannot create a folder for the result")?;
    let record = folder.path().join("run.json");
    // The model can change while the program runs.
    let copy = folder.path().join("model");
    std::fs::copy(&subject.arguments.model, &copy).context(subject.arguments.model.display())?;
    let mut words: Vec<OsString> = words(subject.arguments).collect();
    words.extend(["--record".into(), record.clone().into()]);
    let code = ExitCode::from(super::interpret(door, subject, program, words));
    if !record.exists() {
        return Ok(code);
    }
    let mut command = command(door, subject, repository);
    command.extend(["--copy".into(), copy.into()]);
    command.extend(["--record".into(), record.into(), "--".into()]);
    command.extend(subject.arguments.flags.iter().cloned());
    command.insert(0, "runs".into());
    let program = format!("{} runs", door.program());
    let kept = runs(&Runs::parse_from(command), &program)?;
    Ok(if kept == ExitCode::SUCCESS {
        code
    } else {
        kept
    })
}

/// Turns this process into a command that runs the compiled program and saves its result.
pub(super) fn finish_as(
    door: &dyn Door,
    subject: Subject<'_>,
    repository: &OsString,
    program: &Path,
) -> CommandOutcome {
    let mut command = vec!["runs".into()];
    command.extend(self::command(door, subject, repository));
    command.extend(["--".into(), program.into()]);
    command.extend(subject.arguments.flags.iter().cloned());
    let this = this_program()?;
    let options = door.options();
    let words: Vec<OsString> = options.into_iter().chain(command).collect();
    become_program(&this, this.as_os_str(), &words)
}

/// Returns the command that saves the result of a run. The result itself isn't included.
fn command(door: &dyn Door, subject: Subject<'_>, repository: &OsString) -> Vec<OsString> {
    let model = &subject.arguments.model;
    let mut command: Vec<OsString> = vec!["keep".into(), "--model".into(), model.into()];
    if let Some(folder) = native::folder(door, subject) {
        command.extend(["--folder".into(), folder.into()]);
    }
    if !repository.is_empty() {
        command.extend(["--repository".into(), repository.clone()]);
    }
    command
}
