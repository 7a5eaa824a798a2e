//! The behavior of elements and primitives in simulated time, ties and dropped waits included.
#![expect(clippy::float_cmp, reason = "times are exact")]

mod any;
mod any_of;
mod any_tag;
mod charges;
mod collectives;
mod communicators;
mod cpus;
mod determinism;
mod disciplines;
mod event;
mod facility;
mod hold;
mod mailbox;
mod memory;
mod nobody;
mod point_to_point;
mod rendezvous;
mod requests;
mod shared_nic;
mod topology;

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use prophet_runtime::{Model, Network, Outcome, ProcessCtx, Simulation, Stopped, System};

const MODEL: Model = Model::new("Meaning", &[], 16);

/// L = 4 s, o = 1 s, g = 2 s, G = 0.5 s: a message of 21 bytes takes 15 s to arrive.
const LOGGP: Network = Network::LogGp {
    l_s: 4.0,
    o_s: 1.0,
    g_s: 2.0,
    gap_per_byte_s: 0.5,
};

/// Processes on a node each, on a slow network with round numbers.
fn apart(processes: u32, network: Network) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = network;
    system
}

/// Runs a program to its end.
fn run_on<P>(system: System, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    Simulation::new(&MODEL, system)
        .run(program)
        .expect("the program ends")
}

/// Runs a program to its end, a CPU for each process.
fn run<P>(processes: u32, program: P) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    run_on(System::new(1, processes, processes, 1), program)
}

/// End of each process.
fn ends(outcome: &Outcome) -> Vec<f64> {
    outcome
        .processes
        .iter()
        .map(|process| process.end_s)
        .collect()
}

/// Begins a wait and drops it immediately.
async fn give_up<F: Future + Unpin>(mut future: F) {
    poll_fn(|cx| {
        assert!(Pin::new(&mut future).poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

/// Waits, and drops the wait when it is over without taking what it was given.
async fn waste<F: Future + Unpin>(mut future: F) {
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
