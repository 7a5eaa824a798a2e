//! Queues the units that are waiting for a CPU of a node, first come, first served.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::kernel::{Activity, Spending as _, Waiter};
use crate::tracing::Tracing;

/// The requests of this instant, and older ones.
#[derive(Debug, Default)]
pub(super) struct Queue {
    asking: RefCell<Vec<Request>>,
    waiting: RefCell<VecDeque<Request>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) waiter: Waiter,
    pub(super) asked_s: f64,
    pub(super) cost_s: f64,
}

impl Queue {
    pub(super) fn ask(&self, request: Request) {
        self.asking.borrow_mut().push(request);
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.borrow().len()
    }

    /// Removes a wait whose future was dropped. Returns `true` if it was in the queue.
    pub(super) fn withdraw(&self, waiter: Waiter) -> bool {
        let (mut asking, mut waiting) = (self.asking.borrow_mut(), self.waiting.borrow_mut());
        let before = asking.len() + waiting.len();
        asking.retain(|request| request.waiter != waiter);
        waiting.retain(|request| request.waiter != waiter);
        asking.len() + waiting.len() < before
    }

    /// Gives `free` CPUs to waiting units, and returns how many it gave away. Units whose requests
    /// are from this instant come last, by (pid, tid). `serve` makes a unit compute for a time in
    /// seconds.
    pub(super) fn dispatch(
        &self,
        run: &Tracing<'_>,
        free: u32,
        serve: impl Fn(Waiter, f64),
    ) -> u32 {
        let now_s = run.now_s();
        let (mut asking, mut waiting) = (self.asking.borrow_mut(), self.waiting.borrow_mut());
        // Units may have requested a CPU at this instant before CPUs were last assigned.
        let before = waiting.partition_point(|request| request.asked_s < now_s);
        asking.splice(0..0, waiting.drain(before..));
        // Threads of nested teams can have the same numbers. Among these, it is first come, first
        // served.
        asking.sort_by_key(|request| run.pid_and_tid(request.waiter.0));
        waiting.extend(asking.drain(..));
        let mut given = 0;
        while given < free
            && let Some(request) = waiting.pop_front()
        {
            given += 1;
            let unit = request.waiter.0;
            run.unit(unit)
                .spend(Activity::Wait, now_s - request.asked_s);
            run.trace_granted(unit, request.asked_s);
            serve(request.waiter, request.cost_s);
        }
        given
    }
}
