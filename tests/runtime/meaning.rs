//! Tests what elements and primitives do in simulated time, including ties and waits that are
//! dropped.
#![expect(clippy::float_cmp, reason = "times are exact")]

mod determinism;
mod disciplines;
mod event;
mod facility;
mod mailbox;
mod memory;
mod others;
mod topology;

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use prophet_runtime::{Model, Outcome, Simulation, System};

use prophet_runtime::ProcessProgram;

use crate::ends;

const MODEL: Model = Model::new("Meaning", &[], 16);

fn run_on(system: System, program: impl ProcessProgram) -> Outcome {
    Simulation::new(&MODEL, system)
        .run(program)
        .expect("the program ends")
}

/// Runs a program until it ends, with a CPU for each process.
fn run(processes: u32, program: impl ProcessProgram) -> Outcome {
    run_on(System::new(1, processes, processes, 1), program)
}

/// Starts a wait and drops it immediately.
pub(crate) async fn give_up<F: Future + Unpin>(mut future: F) {
    poll_fn(|cx| {
        assert!(Pin::new(&mut future).poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

/// Waits, and drops the completed wait without taking the result.
pub(crate) async fn waste<F: Future + Unpin>(mut future: F) {
    let mut begun = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut begun, true) {
            return Poll::Ready(());
        }
        assert!(Pin::new(&mut future).poll(cx).is_pending());
        Poll::Pending
    })
    .await;
}
