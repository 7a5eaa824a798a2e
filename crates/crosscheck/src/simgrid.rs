//! Compiles the generated `SimGrid` program, if `SimGrid` is installed.

use prophet_text::{Context as _, Problem, problem};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use prophet_targets::simgrid::{COMPILER_FLAGS, PROGRAM};

/// Advice if `SimGrid` is missing.
pub const HOW_TO_INSTALL: &str = "install g++ and libsimgrid-dev (Debian 12 has SimGrid 3.32)";

/// Returns `true` if a C++ compiler that can find `SimGrid` is installed.
pub fn is_installed() -> bool {
    let compiler = Command::new("g++")
        .args(["-std=c++17", "-E", "-x", "c++", "-o", "/dev/null", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut compiler) = compiler else {
        return false;
    };
    if let Some(mut input) = compiler.stdin.take() {
        // A compiler that doesn't read its input fails too.
        let _ = input.write_all(b"#include <simgrid/s4u.hpp>\n");
    }
    compiler.wait().is_ok_and(|status| status.success())
}

/// Compiles the program generated in `folder`, unless it is already up to date.
///
/// # Errors
///
/// Returns an error with the compiler's output, or with the reason if the compiler can't be
/// started.
pub fn compile(folder: &Path, flags: &[&str]) -> Result<PathBuf, Problem> {
    let program = folder.join("program");
    if is_fresh(&program, folder) {
        return Ok(program);
    }
    // Another comparison may be running the existing program, so its file isn't overwritten.
    let name = format!("program-{}", std::process::id());
    let output = Command::new("g++")
        .args(COMPILER_FLAGS)
        .args(flags)
        .args([PROGRAM, "-lsimgrid", "-o", &name])
        .current_dir(folder)
        .output()
        .context("cannot start g++")?;
    if output.status.success() {
        return match fs::rename(folder.join(&name), &program) {
            Ok(()) => Ok(program),
            Err(error) => Err(problem!("cannot write {}: {error}", program.display())),
        };
    }
    let says = String::from_utf8_lossy(&output.stderr);
    Err(problem!(
        "g++ could not compile {}:\n{}",
        folder.join(PROGRAM).display(),
        says.trim_end()
    ))
}

fn is_fresh(program: &Path, folder: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
    let Some(made) = changed(program) else {
        return false;
    };
    let sources = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut sources = sources.map(|it| it.path()).filter(|path| path != program);
    sources.all(|path| changed(&path).is_some_and(|time: SystemTime| time < made))
}
