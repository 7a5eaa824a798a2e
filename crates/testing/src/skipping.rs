//! Skips tests that need a missing program.

use std::fmt::Display;
use std::process::{Command, Stdio};

/// The environment variable that makes tests fail instead of being skipped.
pub const NO_SKIP: &str = "PROPHET_NO_SKIP";

/// Returns `true` in the gate, which tries everything; elsewhere someone waits for the tests.
pub fn in_gate() -> bool {
    std::env::var_os(NO_SKIP).is_some()
}

/// Returns how many cases a search tries: `many` in the gate, a tenth elsewhere.
pub fn cases(many: u32) -> u32 {
    if in_gate() { many } else { many.div_ceil(10) }
}

/// Reports why a test is skipped.
///
/// # Panics
///
/// Panics if [`NO_SKIP`] is set, as in the gate.
pub fn skip(reason: impl Display) {
    assert!(
        std::env::var_os(NO_SKIP).is_none(),
        "the gate skips nothing, but {reason}"
    );
    eprintln!("skipped: {reason}");
}

/// Returns `true` if a program is installed, that is, if it starts with that flag; otherwise skips
/// the test.
///
/// # Panics
///
/// Panics like [`skip`].
pub fn has(program: &str, flag: &str) -> bool {
    let started = Command::new(program)
        .arg(flag)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if started.is_err() {
        skip(format_args!("there is no {program}"));
    }
    started.is_ok()
}
