//! Helpers of tests and benchmarks of several crates: a report of missing programs, a browser,
//! layers of modules, programs that tests make, models in hard forms, random laws of costs, a
//! stopwatch.
//!
//! A user's machine needs only Rust: tests that need another program report that they skip without
//! it. The gate (`.ci/run`) installs everything that they need and sets [`NO_SKIP`], so that there
//! a test that cannot run fails.
//!
//! | module | is |
//! |---|---|
//! | `browser` | a small client of the W3C's `WebDriver` that drives Debian's headless Chromium |
//! | `browser::driver` | the start of Chromium's driver on a busy machine |
//! | `browser::page` | a page of one file, open in a browser of its own |
//! | `cases` | files of cases: what goes in, and what is expected to come out |
//! | `executable` | executable files that a test makes while other tests start programs |
//! | `imports` | imports of a crate's modules |
//! | `laws` | random laws in the performance model normal form, and noisy measurements of them |
//! | `layers` | the tests of a crate's layers |
//! | `machine` | the machine that a benchmark runs on |
//! | `models` | one small model in the many forms that tools and people give to a file |
//! | `signal` | signals to programs that a test started |
//! | `simgrid` | programs that tests compile against `SimGrid` |
//! | `stopwatch` | time that a benchmark takes |
//! | `transcript` | lines of commands, and what they print |

mod browser;
mod cases;
mod executable;
mod imports;
pub mod laws;
mod layers;
mod machine;
mod models;
mod signal;
mod simgrid;
mod stopwatch;
mod transcript;

use std::fmt::Display;
use std::process::{Command, Stdio};

pub use browser::{Browser, PAINTED, Page, keep_file, kept_pages};
pub use cases::{Case, assert_cases};
pub use executable::{copy_program, write_script};
pub use layers::{assert_documented_layers, assert_documented_layers_with_knots, assert_layers};
pub use machine::machine;
pub use models::{hard_models, models_in};
pub use signal::send_signal;
pub use simgrid::compile_with_simgrid;
pub use stopwatch::Stopwatch;
pub use transcript::{transcript, words};

/// The environment variable that makes a test fail instead of skip.
pub const NO_SKIP: &str = "PROPHET_NO_SKIP";

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
