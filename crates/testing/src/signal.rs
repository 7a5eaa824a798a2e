//! Signals to programs that a test started.

use std::process::Command;

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
