//! Tests the processes and primitives of studies, including ties and waits that are dropped.
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

/// Runs a study that must succeed.
fn run<M, P>(model: &M, program: P) -> Run
where
    P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
{
    Study::new()
        .run(model, program)
        .expect("the study runs to its end")
}

/// Runs a study that must fail.
fn failure<M, P>(model: &M, program: P) -> Failure
where
    P: for<'w> AsyncFnOnce(Process<'w>, &'w M) -> Result<(), Stopped>,
{
    Study::new()
        .run(model, program)
        .expect_err("the study fails")
}

/// Returns `many`, or `few` under Miri, which is about a thousand times slower.
const fn sized(many: u32, few: u32) -> u32 {
    if cfg!(miri) { few } else { many }
}

/// Records what happened and when, in order.
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
