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
//! | `assertions` | assertions of many tests, which show what was found |
//! | `skipping` | tests that need a program, and skip without it |
//! | `browser` | a small client of the W3C's `WebDriver` that drives Debian's headless Chromium |
//! | `browser::driver` | the start of Chromium's driver on a busy machine |
//! | `browser::page` | a page of one file, open in a browser of its own |
//! | `cargo` | cargo, as users call it |
//! | `cases` | files of cases: what goes in, and what is expected to come out |
//! | `executable` | executable files that a test makes while other tests start programs |
//! | `imports` | imports of a crate's modules |
//! | `laws` | random laws in the performance model normal form, and noisy measurements of them |
//! | `layers` | the tests of a crate's layers |
//! | `machine` | the machine that a benchmark runs on |
//! | `models` | one small model in the many forms that tools and people give to a file |
//! | `rows` | rows of the table that a benchmark prints |
//! | `signal` | signals to programs that a test started |
//! | `simgrid` | programs that tests compile against `SimGrid` |
//! | `stopwatch` | time that a benchmark takes |
//! | `transcript` | lines of commands, and what they print |
//! | `home` | a command in a folder of its own, as users call it |

mod assertions;
mod browser;
mod cargo;
mod cases;
mod executable;
mod home;
mod imports;
pub mod laws;
mod layers;
mod machine;
mod models;
mod rows;
mod signal;
mod simgrid;
mod skipping;
mod stopwatch;
mod transcript;

pub use assertions::{assert_close, assert_near, assert_says, assert_starts, stderr, succeeded};
pub use browser::{Browser, BrowserPage, PAINTED, keep_file, kept_pages};
pub use cargo::cargo;
pub use cases::{Case, assert_cases};
pub use executable::{copy_program, write_script};
pub use home::Home;
pub use layers::{assert_documented_layers, assert_layers};
pub use machine::machine;
pub use models::{hard_models, models_in};
pub use rows::{is_asked_for, median, verdict};
pub use signal::send_signal;
pub use simgrid::compile_with_simgrid;
pub use skipping::{NO_SKIP, cases, has, in_gate, skip};
pub use stopwatch::Stopwatch;
pub use transcript::{transcript, words};

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        crate::assert_documented_layers();
    }
}
