//! Tests that browsers start on a busy machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use prophet_testing::Browser;

/// Number of browsers requested at the same time, some of which must wait, and of threads that
/// compute in the meantime.
const BROWSERS: usize = 6;
const BUSY: usize = 4;

#[test]
fn six_browsers_start_while_others_compute() {
    let folder = tempfile::tempdir().unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|threads| {
        for _ in 0..BUSY {
            threads.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let start = |at: usize| {
            let browser = Browser::start(&folder.path().join(at.to_string()))?;
            Some(browser.run("return 6 * 7"))
        };
        let started: Vec<_> = (0..BROWSERS)
            .map(|at| threads.spawn(move || start(at)))
            .collect();
        let answers: Vec<_> = started.into_iter().map(|it| it.join().unwrap()).collect();
        is_over.store(true, Ordering::Relaxed);
        // Without Chromium, all of them are skipped.
        for answer in answers.into_iter().flatten() {
            assert_eq!(answer, 42);
        }
    });
}
