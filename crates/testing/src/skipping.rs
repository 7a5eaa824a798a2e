//! Skips tests that need missing programs.

use std::fmt::Display;
use std::process::{Command, Stdio};

/// The environment variable that makes tests fail instead of being skipped.
pub const NO_SKIP: &str = "PROPHET_NO_SKIP";

/// Returns `true` in the gate, where tests try everything. Elsewhere, somebody is waiting for them.
pub fn in_gate() -> bool {
    std::env::var_os(NO_SKIP).is_some()
}

/// Returns the number of cases to try: `many` in the gate, and a tenth of that elsewhere.
pub fn cases(many: u32) -> u32 {
    if in_gate() { many } else { many.div_ceil(10) }
}

/// Reports that a test is skipped, and why.
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

/// Returns `true` if a program can be started with this flag. Otherwise, skips the test and returns
/// `false`.
///
/// # Panics
///
/// Panics under the same conditions as [`skip`].
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
