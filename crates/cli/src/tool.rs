//! Turns this process into another program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::{CommandOutcome, Stop};
#[cfg(not(feature = "whole"))]
use crate::{Door, given::Given};

/// Turns this process into the whole program, which gets the same words, and the same standard
/// input even if `given` has read it.
#[cfg(not(feature = "whole"))]
pub(crate) fn become_whole(door: &dyn Door, given: Option<Given>) -> CommandOutcome {
    let mut whole = door
        .whole(None)
        .ok_or_else(|| Stop::input("this program does not have this command"))?;
    if let Some(given) = given.filter(Given::is_stdin) {
        let read = std::fs::File::open(given.path());
        whole.stdin(read.map_err(|error| Stop::input(format!("standard input: {error}")))?);
    }
    let program = PathBuf::from(whole.get_program());
    start(&mut whole).map_err(|error| cannot_start(&program, &error))
}

/// Replaces this process with the program, so that only the program receives Ctrl-C. Returns only
/// if that fails. The program appears as `name`, if the system allows that.
pub(crate) fn become_program(
    program: &Path,
    name: &OsStr,
    arguments: &[OsString],
) -> CommandOutcome {
    let mut command = Command::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, name);
    #[cfg(not(unix))]
    let _ = name;
    start(command.args(arguments)).map_err(|error| cannot_start(program, &error))
}

pub(crate) fn this_program() -> Result<PathBuf, Stop> {
    std::env::current_exe()
        .map_err(|error| Stop::input(format!("cannot find this program's own file: {error}")))
}

fn cannot_start(program: &Path, error: &std::io::Error) -> Stop {
    Stop::input(format!("cannot start {}: {error}", program.display()))
}

#[cfg(unix)]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(program))
}

#[cfg(not(unix))]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    let code = program.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
