//! Creates and starts programs for tests, and sends signals to them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::skip;

/// Writes a script file that everyone can execute.
///
/// A separate process writes the file: Linux refuses to execute a file that is open for writing
/// (`ETXTBSY`), and a process that another test is just starting inherits all open files of this
/// one.
///
/// # Panics
///
/// Panics if the file can't be written.
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

/// Copies a program to an executable file.
///
/// # Panics
///
/// Panics if the program can't be copied.
pub fn copy_program(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("there is cp").success());
}

/// Sends a signal, such as `TERM`, to a process, and returns `true` if the process exists.
///
/// A shell sends it, because minimal Debian systems lack the program `kill`.
///
/// # Panics
///
/// Panics if there is no shell.
pub fn send_signal(process: u32, signal: &str) -> bool {
    let command = format!("kill -{signal} {process} 2>/dev/null");
    let sent = Command::new("/bin/sh").args(["-c", &command]).status();
    sent.expect("there is a shell").success()
}

/// Returns a command that runs cargo and shares compiled crates with other calls. The variables
/// that cargo sets for tests and programs are removed, because they would cause the library `ring`
/// to be compiled again.
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

/// Compiles a C++ program that uses `SimGrid`, with these flags. Skips the test and returns `false`
/// if `SimGrid` isn't installed.
///
/// # Panics
///
/// Panics if the program has errors or warnings, and under the same conditions as [`skip`].
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
