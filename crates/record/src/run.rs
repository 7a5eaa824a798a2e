//! Runs a command with the recorder loaded.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use prophet_files::Folder;
use prophet_import::recording::FUNCTIONS;
use prophet_text::{Context as _, FileKind, Problem, problem};

use crate::elf;
use crate::system::{Signals, linked};

/// The folder of a new recording. It is locked, so that no other command writes to it.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) path: PathBuf,
    _lock: Option<File>,
}

/// Prepares the folder of a recording: creates it, or removes the files of an earlier recording.
///
/// # Errors
///
/// Returns an error if the folder contains a recording that the user doesn't want to replace, if it
/// contains other files, or if another command is recording into it.
pub(crate) fn prepared(folder: &Path, is_forced: bool) -> Result<Prepared, Problem> {
    let shown = folder.display();
    if folder.is_file() {
        let why = "`--out` names a folder, but this is a file; choose another name";
        return Err(Problem::of(folder, why));
    }
    fs::create_dir_all(folder).cannot("write", &shown)?;
    let lock = File::open(folder).ok();
    let locked = lock.as_ref().map(File::try_lock);
    if matches!(locked, Some(Err(TryLockError::WouldBlock))) {
        return Err(Problem::with_help(
            format!("another `record` is writing {shown}"),
            "wait for it, or choose another folder, such as `--out other`",
        ));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).cannot("write", &shown)? {
        files.push(entry.cannot("write", &shown)?.path());
    }
    let name = |it: &Path| {
        it.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let is_ours = |it: &String| {
        let rank = it.strip_prefix("rank-");
        *it == FUNCTIONS || rank.is_some_and(|it| it.strip_suffix(".calls").is_some())
    };
    if let Some(other) = files.iter().map(|it| name(it)).find(|it| !is_ours(it)) {
        return Err(problem!(
            "{shown} contains files that do not belong to a recording, such as {other}; choose \
             another folder"
        ));
    }
    if !is_forced && !files.is_empty() {
        return Err(problem!(
            "{shown} already contains a recording; pass `--force` to replace it"
        ));
    }
    for file in files {
        fs::remove_file(&file).cannot("write", &shown)?;
    }
    let path = folder.canonicalize().cannot("write", &shown)?;
    Ok(Prepared { path, _lock: lock })
}

/// Runs a command with the library loaded into its programs. `SIGTERM` is passed on to the command,
/// which then ends its own programs.
///
/// # Errors
///
/// Returns an error if the command can't be started.
pub(crate) fn run(
    words: &[OsString],
    library: &Path,
    folder: &Path,
    parameters: &str,
    limit_bytes: u64,
) -> Result<ExitStatus, Problem> {
    let (program, arguments) = words.split_first().ok_or("missing command")?;
    let shown = program.to_string_lossy();
    prophet_files::expect(Path::new(program), &[FileKind::Foreign]).map_err(not_started)?;
    let (library, _link) = loadable(library)?;
    let mut preload = library.into_os_string();
    if let Some(others) = env::var_os("LD_PRELOAD").filter(|it| !it.is_empty()) {
        preload.push(" ");
        preload.push(others);
    }
    let signals = Signals::catch().cannot("start", &shown)?;
    let child = Command::new(program)
        .args(arguments)
        .env("LD_PRELOAD", preload)
        .env("PROPHET_RECORD_FOLDER", folder)
        .env("PROPHET_RECORD_PARAMETERS", parameters)
        .env("PROPHET_RECORD_LIMIT", limit_bytes.to_string())
        .spawn();
    let child = child.cannot("start", &shown);
    let mut child = child.map_err(not_started)?;
    let passed_on = signals.pass_on_to(&child);
    let status = child.wait();
    passed_on.close();
    status.cannot("wait for", &shown)
}

/// Adds which command to pass instead of one that can't be started.
fn not_started(mut problem: Problem) -> Problem {
    "pass the command that starts the program, such as `mpirun -n 4 ./app`"
        .clone_into(&mut problem.help);
    problem
}

/// Returns a path to the library that `LD_PRELOAD` accepts, where spaces and colons separate paths.
/// If necessary, the path is a link in a temporary folder, which is removed on drop.
fn loadable(library: &Path) -> Result<(PathBuf, Option<Folder>), Problem> {
    let is_parted = |it: &Path| it.to_string_lossy().contains([' ', ':']);
    if !is_parted(library) {
        return Ok((library.to_owned(), None));
    }
    let temporary = Some(env::temp_dir()).filter(|it| !is_parted(it));
    let parent = temporary.unwrap_or_else(|| "/tmp".into());
    let folder =
        Folder::beside(&parent.join("prophet-record")).cannot("write", parent.display())?;
    let link = folder.path().join("librecord.so");
    linked(library, &link).cannot("write", link.display())?;
    Ok((link, Some(folder)))
}

pub(crate) fn nothing(words: &[OsString], status: ExitStatus) -> Problem {
    if let Some(program) = elf::without_loader(words) {
        return problem!(
            "nothing was recorded: {} is linked statically, so no library can be loaded before its \
             MPI; link it without `-static`",
            program.display()
        );
    }
    let shown: Vec<_> = words
        .iter()
        .map(|it: &OsString| it.to_string_lossy())
        .collect();
    if !status.success() {
        let shown = shown.join(" ");
        return problem!("nothing was recorded: `{shown}` failed ({status}); see its message");
    }
    problem!(
        "nothing was recorded: no program in `{}` called MPI_Init, or its launcher does not pass \
         on LD_PRELOAD; start an MPI program, such as `record -- mpirun -n 4 ./app`",
        shown.join(" ")
    )
}

pub(crate) fn compiler() -> &'static OsStr {
    OsStr::new("mpicc")
}
