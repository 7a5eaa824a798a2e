//! Contains the programs that the engines are compared with.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::pin::pin;

use odem_rs::prelude::*;
use odem_rs::sync::facility::Facility;
use prophet_runtime::Generator;

use crate::measure::Stopwatch;

/// Measures the loop: returns the time for a pop and a push on a bare heap of `processes` (time,
/// number) pairs, in seconds.
pub(crate) fn the_loop(processes: u64, turns: u32) -> f64 {
    let mut generator = Generator::new(1, 0, 1);
    let mut draw = || generator.exponential(1.0).unwrap_or(0.0);
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = (0..processes)
        .map(|process| Reverse((draw().to_bits(), process)))
        .collect();
    let watch = Stopwatch::start();
    for _ in 0..turns {
        let Some(Reverse((time, process))) = heap.pop() else {
            break;
        };
        let time_s = f64::from_bits(time) + draw();
        heap.push(Reverse((time_s.to_bits(), process)));
    }
    let seconds = watch.seconds() / f64::from(turns);
    black_box(heap);
    seconds
}

/// A queue in odem-rs, which its customers share.
#[derive(Config)]
struct Queue {
    server: Facility,
    times: RefCell<Generator>,
    customers: u32,
}

impl Queue {
    fn draw(&self, mean_s: f64) -> f64 {
        self.times.borrow_mut().exponential(mean_s).unwrap_or(0.0)
    }
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            server: Facility::new(),
            times: RefCell::new(Generator::new(1, 0, 1)),
            customers: 0,
        }
    }
}

struct Customer;

impl Behavior<Queue> for Customer {
    type Output = ();

    async fn actions(&self, sim: &Sim<Queue>) {
        let queue = sim.global();
        let server = queue.server.seize().await;
        sim.advance(queue.draw(0.9)).await;
        server.release();
    }
}

/// Returns the time per customer of M/M/1 at load 0.9 in odem-rs, in seconds. Each customer is an
/// agent.
pub(crate) fn odem_mm1(customers: u32) -> f64 {
    let queue = Queue {
        customers,
        ..Queue::default()
    };
    let watch = Stopwatch::start();
    let run = Simulator::new(queue).run(async |sim: &Sim<Queue>| {
        let pool = pin!(Pool::dynamic().with(Agent::new));
        for _ in 0..sim.global().customers {
            sim.advance(sim.global().draw(1.0)).await;
            sim.activate(pool.alloc(Customer));
        }
    });
    assert!(run.is_ok(), "no customer waits forever");
    watch.seconds() / f64::from(customers)
}
