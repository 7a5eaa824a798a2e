//! Saves results in a repository, for `run --save`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use prophet_runs::command::{Origin, keep_result};

use super::{Arguments, Subject, native};
use crate::tool::{become_program, this_program};
use crate::{CommandOutcome, Door, Stop};

/// Runs a prediction with the flags that it gets, and saves its result. `folder` is the folder of
/// the model's crate, if there is one.
pub(super) fn keep(
    door: &dyn Door,
    (arguments, folder): (&Arguments, Option<PathBuf>),
    repository: &OsStr,
    run: impl FnOnce(Vec<OsString>) -> Result<ExitCode, Stop>,
) -> CommandOutcome {
    let origin = Origin::of(&arguments.model, folder.as_deref())?;
    let command = format!("{} runs", door.program());
    keep_result(
        repository,
        &origin,
        (&arguments.flags, &command),
        |record| {
            let mut flags = arguments.flags.clone();
            flags.extend(["--record".into(), record.into()]);
            run(flags)
        },
    )
}

/// Turns this process into a command that runs the compiled program and saves its result.
pub(super) fn finish_as(
    door: &dyn Door,
    subject: Subject<'_>,
    repository: &OsStr,
    program: &Path,
) -> CommandOutcome {
    let mut command: Vec<OsString> = vec!["runs".into(), "keep".into()];
    command.extend(["--model".into(), (&subject.arguments.model).into()]);
    if let Some(folder) = native::folder(door, subject) {
        command.extend(["--folder".into(), folder.into()]);
    }
    if !repository.is_empty() {
        command.extend(["--repository".into(), repository.to_owned()]);
    }
    command.extend(["--".into(), program.into()]);
    command.extend(subject.arguments.flags.iter().cloned());
    let this = this_program()?;
    let options = door.options();
    let words: Vec<OsString> = options.into_iter().chain(command).collect();
    become_program(&this, this.as_os_str(), &words)
}
