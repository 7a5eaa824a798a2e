//! Tests that need a program, and skip without it.

use std::fmt::Display;
use std::process::{Command, Stdio};

/// The environment variable that makes a test fail instead of skip.
pub const NO_SKIP: &str = "PROPHET_NO_SKIP";

/// True in the gate, which tries everything; elsewhere somebody waits for the tests.
pub fn in_gate() -> bool {
    std::env::var_os(NO_SKIP).is_some()
}

/// The number of cases that a search tries: all of `many` in the gate, a tenth elsewhere.
pub fn cases(many: u32) -> u32 {
    if in_gate() { many } else { many.div_ceil(10) }
}

/// Reports the reason why a test skips.
///
/// # Panics
///
/// If [`NO_SKIP`] is set, as the gate does.
pub fn skip(reason: impl Display) {
    assert!(
        std::env::var_os(NO_SKIP).is_none(),
        "the gate skips nothing, but {reason}"
    );
    eprintln!("skipped: {reason}");
}

/// True if a program is installed, that is, starts with that flag; if not, the test skips.
///
/// # Panics
///
/// As [`skip`].
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
