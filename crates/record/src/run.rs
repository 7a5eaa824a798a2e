//! A command that is run with the recorder.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use prophet_text::{Context as _, Problem, problem};

use crate::elf;

/// Prepares the folder of a recording: makes it, or takes the files of an earlier recording away.
///
/// # Errors
///
/// The folder has something, and the user does not want it replaced, or files of something
/// else.
pub(crate) fn prepared(folder: &Path, is_forced: bool) -> Result<PathBuf, Problem> {
    let shown = folder.display();
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).cannot("write", &shown)? {
            files.push(entry.cannot("write", &shown)?.path());
        }
    }
    let name = |it: &Path| {
        it.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let is_ours = |it: &String| {
        let rank = it.strip_prefix("rank-");
        rank.is_some_and(|it| it.strip_suffix(".calls").is_some())
    };
    if let Some(other) = files.iter().map(|it| name(it)).find(|it| !is_ours(it)) {
        return Err(problem!(
            "{shown} has files that are not of a recording, such as {other}; name a folder of its \
             own"
        ));
    }
    if !is_forced && !files.is_empty() {
        return Err(problem!(
            "{shown} has a recording already; `--force` replaces it"
        ));
    }
    for file in files {
        fs::remove_file(&file).cannot("write", &shown)?;
    }
    fs::create_dir_all(folder).cannot("write", &shown)?;
    folder.canonicalize().cannot("write", &shown)
}

/// Runs a command whose programs load the library.
///
/// # Errors
///
/// The command cannot be started.
pub(crate) fn run(
    words: &[OsString],
    library: &Path,
    folder: &Path,
    parameters: &str,
    limit_bytes: u64,
) -> Result<ExitStatus, Problem> {
    let (program, arguments) = words.split_first().ok_or("a command is missing")?;
    let mut preload = library.as_os_str().to_owned();
    if let Some(others) = env::var_os("LD_PRELOAD").filter(|it| !it.is_empty()) {
        preload.push(" ");
        preload.push(others);
    }
    let status = Command::new(program)
        .args(arguments)
        .env("LD_PRELOAD", preload)
        .env("PROPHET_RECORD_FOLDER", folder)
        .env("PROPHET_RECORD_PARAMETERS", parameters)
        .env("PROPHET_RECORD_LIMIT", limit_bytes.to_string())
        .status();
    status.cannot("start", program.to_string_lossy())
}

/// The reason why a command has left no recording.
pub(crate) fn nothing(words: &[OsString], status: ExitStatus) -> Problem {
    if let Some(program) = elf::without_loader(words) {
        return problem!(
            "nothing was recorded: {} is linked statically, and no library can be loaded before \
             its MPI; link it without `-static`",
            program.display()
        );
    }
    let shown: Vec<_> = words
        .iter()
        .map(|it: &OsString| it.to_string_lossy())
        .collect();
    let ended = if status.success() {
        String::new()
    } else {
        format!(" It ended with {status}.")
    };
    problem!(
        "nothing was recorded: no program of `{}` called MPI_Init, or its launcher does not pass \
         LD_PRELOAD on.{ended}",
        shown.join(" ")
    )
}

/// The compiler of MPI by default.
pub(crate) fn compiler() -> &'static OsStr {
    OsStr::new("mpicc")
}
