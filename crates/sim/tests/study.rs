//! The behavior of processes and primitives of studies, ties and dropped waits included.
#![expect(clippy::float_cmp, reason = "times are exact")]

mod buffers;
mod chaos;
mod conditions;
mod ends;
mod errors;
mod events;
mod facilities;
mod interrupts;
mod mailboxes;
mod processes;
mod sharing;
mod storages;
mod timeouts;

use std::cell::RefCell;

use prophet_sim::{Failure, Process, Run, Stopped, Study};

/// Runs a study that is expected to end.
fn run<M, P>(model: &M, program: P) -> Run
where
    P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
{
    Study::new()
        .run(model, program)
        .expect("the study runs to its end")
}

/// Runs a study that is expected to fail.
fn failure<M, P>(model: &M, program: P) -> Failure
where
    P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
{
    Study::new()
        .run(model, program)
        .expect_err("the study fails")
}

/// `many`, or `few` under Miri, which takes about a thousand times as long.
const fn sized(many: u32, few: u32) -> u32 {
    if cfg!(miri) { few } else { many }
}

/// Diary of what happened, in order, with its time.
#[derive(Debug, Default)]
struct Diary(RefCell<Vec<(f64, &'static str)>>);

impl Diary {
    fn note(&self, process: &Process<'_>, what: &'static str) {
        self.0.borrow_mut().push((process.now_s(), what));
    }

    fn entries(&self) -> Vec<(f64, &'static str)> {
        self.0.borrow().clone()
    }
}
