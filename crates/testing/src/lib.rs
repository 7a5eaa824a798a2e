//! Helps with the tests and benchmarks of several crates: skips tests when programs are missing,
//! drives a browser, checks layers of modules, creates programs, provides models in difficult
//! formats, generates random cost laws, and measures time.
//!
//! Users need only Rust. If a test needs a program that is missing, the test is skipped and says
//! so. The gate (`.ci/run`) installs everything and sets [`NO_SKIP`], so that such a test fails
//! there.
//!
//! | module | is |
//! |---|---|
//! | `assertions` | assertions of many tests, which show what was found |
//! | `skipping` | tests that need a program, and skip without it |
//! | `benchmark` | rows of the table of a benchmark, a stopwatch, the machine that it runs on |
//! | `programs` | programs that tests make, start and signal |
//! | `browser` | a small client of the W3C's `WebDriver` that drives Debian's headless Chromium |
//! | `browser::driver` | the start of Chromium's driver on a busy machine |
//! | `browser::page` | a page of one file, open in a browser of its own |
//! | `cases` | files of cases: what goes in, and what is expected to come out |
//! | `imports` | imports of a crate's modules |
//! | `laws` | random laws in the performance model normal form, and noisy measurements of them |
//! | `layers` | the tests of a crate's layers |
//! | `models` | one small model in the many forms that tools and people give to a file |
//! | `random` | numbers that look random and are the same at every run |
//! | `transcript` | lines of commands, and what they print |
//! | `home` | a command in a folder of its own, as users call it |

mod assertions;
mod benchmark;
mod browser;
mod cases;
mod home;
mod imports;
pub mod laws;
mod layers;
mod models;
mod programs;
mod random;
mod skipping;
mod transcript;

pub use assertions::{assert_close, assert_near, assert_says, assert_starts, stderr, succeeded};
pub use benchmark::{Stopwatch, is_asked_for, machine, median, verdict};
pub use browser::{Browser, BrowserPage, PAINTED, keep_file, kept_pages};
pub use cases::{Case, assert_cases};
pub use home::Home;
pub use layers::{assert_documented_layers, assert_layers};
pub use models::{hard_models, models_in};
pub use programs::{cargo, compile_with_simgrid, copy_program, send_signal, write_script};
pub use random::Random;
pub use skipping::{NO_SKIP, cases, has, in_gate, skip};
pub use transcript::{transcript, words};

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        crate::assert_documented_layers();
    }
}
