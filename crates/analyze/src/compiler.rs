//! Runs clang, which reads the source, and `mpicc`, which knows where MPI's headers are.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_text::{Problem, problem};

use crate::tree::{self, Tree};

/// Names of clang, the preferred first.
const NAMES: [&str; 9] = [
    "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-16", "clang-15",
    "clang-14",
];

/// Returns the name of the installed clang.
///
/// # Errors
///
/// Returns an error if there is none.
pub fn installed() -> Result<&'static str, Problem> {
    let starts = |name: &&&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|it| it.success())
    };
    let found = NAMES.iter().find(starts);
    found.copied().ok_or_else(|| {
        let help = "install clang 14 or newer, such as with `apt-get install clang`";
        Problem::with_help("`analyze` needs clang, which is not installed", help)
    })
}

/// Returns the flags for MPI's headers.
fn mpi_flags(mpicc: &OsString) -> Option<Vec<String>> {
    let ask = |flag: &str| {
        let output = Command::new(mpicc)
            .arg(flag)
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    };
    let text = ask("--showme:compile").or_else(|| ask("-show"))?;
    let is_flag = |it: &&str| it.starts_with("-I") || it.starts_with("-D");
    Some(
        text.split_whitespace()
            .filter(is_flag)
            .map(str::to_owned)
            .collect(),
    )
}

/// Returns the syntax tree of a file.
pub(crate) fn tree(
    clang: &str,
    mpicc: &OsString,
    file: &Path,
    flags: &[OsString],
) -> Result<Tree, Problem> {
    let mpi = mpi_flags(mpicc);
    let mut command = Command::new(clang);
    command.args([
        "-fsyntax-only",
        "-fopenmp",
        "-w",
        "-Xclang",
        "-ast-dump=json",
    ]);
    command.args(mpi.iter().flatten()).args(flags).arg(file);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = command.spawn();
    let mut child = started.map_err(|error| problem!("cannot start {clang}: {error}"))?;
    let (Some(output), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(problem!("cannot read what {clang} writes"));
    };
    let told = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    let is_own = |it: &str| {
        !it.is_empty()
            && !it.ends_with("mpi.h")
            && !it.starts_with("/usr/")
            && !it.contains("/lib/clang/")
    };
    let tree = tree::read(output, &is_own);
    let status = child
        .wait()
        .map_err(|error| problem!("cannot wait for {clang}: {error}"))?;
    let told = told.join().unwrap_or_default();
    // Without a message, clang only ended because its tree was not read to its end.
    if !status.success() && !(tree.is_err() && told.trim().is_empty()) {
        let help = if mpi.is_none() && told.contains("mpi.h") {
            "install MPI with its `mpicc`, or pass the folder of mpi.h after `--`, such as `-- -I/opt/mpi/include`"
        } else {
            "pass the flags that the file is compiled with after `--`, such as `-- -Iinclude -DN=4`"
        };
        let message = format!(
            "clang cannot compile {}:\n{}",
            file.display(),
            told.trim_end()
        );
        return Err(Problem::with_help(message, help));
    }
    tree
}
