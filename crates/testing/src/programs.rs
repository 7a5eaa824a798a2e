//! Programs that tests make, start and signal.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::skip;

/// Makes a script that everybody can run.
///
/// A process that is started inherits what is open at that moment, until it runs its program. Linux
/// refuses to run a file that somebody has open for writing (`ETXTBSY`), so that a file written
/// here could not be run while another test's process starts. Another process writes it instead.
///
/// # Panics
///
/// If it cannot be written.
pub fn write_script(path: &Path, text: &str) {
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut input = shell.stdin.take().expect("it is piped");
    input.write_all(text.as_bytes()).expect("the shell reads");
    drop(input);
    assert!(shell.wait().expect("it was started").success());
}

/// Copies a program to a file that can be run.
///
/// # Panics
///
/// If it cannot be copied.
pub fn copy_program(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("there is cp").success());
}

/// Sends a signal, such as `TERM`, to a process; returns whether there was such a process.
///
/// The shell sends it: a bare Debian has no program `kill`.
///
/// # Panics
///
/// If there is no shell.
pub fn send_signal(process: u32, signal: &str) -> bool {
    let command = format!("kill -{signal} {process} 2>/dev/null");
    let sent = Command::new("/bin/sh").args(["-c", &command]).status();
    sent.expect("there is a shell").success()
}

/// A call of cargo that shares what other calls have compiled: by what cargo tells a test or a
/// program of its package, the library `ring` would be compiled again.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let of_package = ["CARGO_MANIFEST_", "CARGO_PKG_"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if of_package.iter().any(|prefix| text.starts_with(prefix)) {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// Compiles a program in C++ that uses `SimGrid`, with these flags; false where `SimGrid` is not
/// installed, which skips the test.
///
/// # Panics
///
/// If the program has an error or a warning; as [`skip`].
pub fn compile_with_simgrid(source: &Path, program: &Path, flags: &[&str]) -> bool {
    let output = Command::new("g++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(program)
        .arg(source)
        .args(flags)
        .arg("-lsimgrid")
        .output();
    let problem = match output {
        Err(error) => error.to_string(),
        Ok(output) if output.status.success() => return true,
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    let is_missing = !problem.contains("error:") || problem.contains("simgrid/");
    assert!(is_missing, "{problem}");
    skip("there is no SimGrid; install g++ and libsimgrid-dev (Debian 12 has SimGrid 3.32)");
    false
}
