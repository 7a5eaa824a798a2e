//! Executable files that a test makes while other tests of its process start programs.
//!
//! A process that is started inherits what is open at that moment, until it runs its program. Linux
//! refuses to run a file that somebody has open for writing (`ETXTBSY`), so that a file written
//! here could not be run while another test's process starts. Another process writes it instead.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes a script that everybody can run.
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
