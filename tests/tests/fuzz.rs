//! Tests that everything that reads files survives the corpus, and mutations of it, without a
//! panic.
//!
//! `cargo xtask fuzz` continues from there for as long as you like.

use prophet_testing::cases;
use prophet_tests::fuzz::{TARGETS, Target};
use prophet_tests::mutate::mutate;
use prophet_tests::random::Random;

/// Number of mutations for each target, or for the target in `PROPHET_FUZZ_TARGET`.
/// `PROPHET_FUZZ_RUNS` replaces it.
const RUNS: u32 = 500;
/// Longer inputs take more time to read, and rarely find more problems.
const BYTES_MAX: usize = 32 * 1024;

fn contents(target: &Target) -> Vec<Vec<u8>> {
    let files = target.corpus();
    assert!(
        !files.is_empty(),
        "{} has nothing to begin with",
        target.name
    );
    let read = |path| std::fs::read(path).expect("a file of the corpus can be read");
    files.iter().map(read).collect()
}

#[test]
fn the_corpus_is_read_without_a_panic() {
    for target in TARGETS {
        for bytes in contents(target) {
            (target.run)(&bytes);
        }
    }
}

#[test]
fn mutations_of_the_corpus_are_read_without_a_panic() {
    let runs = std::env::var("PROPHET_FUZZ_RUNS");
    let runs = runs.ok().and_then(|runs| runs.parse().ok());
    let runs = runs.unwrap_or_else(|| cases(RUNS));
    let only = std::env::var("PROPHET_FUZZ_TARGET").ok();
    let chosen = TARGETS
        .iter()
        .filter(|it| only.as_ref().is_none_or(|only| it.name == only));
    for target in chosen {
        let mut files = contents(target);
        files.retain(|bytes| bytes.len() <= BYTES_MAX);
        let mut random = Random(1);
        for run in 0..runs {
            let bytes = mutate(&mut random, &files, BYTES_MAX);
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let outcome = std::panic::catch_unwind(|| (target.run)(&bytes));
            assert!(
                outcome.is_ok(),
                "{} fails at run {run} on\n{shown}",
                target.name
            );
        }
    }
}
