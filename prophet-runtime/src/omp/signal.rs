//! Implements the signals of a process. Each of them is kept until a thread accepts it.

use std::cell::RefCell;
use std::collections::VecDeque;

use prophet_map::Map;

use super::{Candidate, Turns};
use crate::kernel::Kernel;

#[derive(Debug, Default)]
pub(crate) struct Signals {
    places: RefCell<Map<(u32, u32), usize>>,
    pub(crate) boxes: RefCell<Vec<SignalBox>>,
}

#[derive(Debug, Default)]
pub(crate) struct SignalBox {
    /// Number of signals that have been sent but not accepted.
    pending: u64,
    pub(crate) sent: u64,
    /// The unit that sent the latest signal.
    pub(crate) last: u32,
    queue: VecDeque<Candidate>,
}

impl SignalBox {
    /// Adds a signal, and lets the thread that has waited longest try again.
    pub(crate) fn put(&mut self, sender: u32, turns: &Turns, kernel: &Kernel<'_>) {
        self.pending += 1;
        self.sent += 1;
        self.last = sender;
        self.pass_on(turns, kernel);
    }

    /// Takes a signal. Returns `false` if there is none.
    pub(crate) fn take(&mut self) -> bool {
        let rest = self.pending.checked_sub(1);
        self.pending = rest.unwrap_or(0);
        rest.is_some()
    }

    pub(crate) fn enqueue(&mut self, candidate: Candidate) {
        let behind = |other: &Candidate| other.precedes(&candidate);
        let place = self.queue.partition_point(behind);
        self.queue.insert(place, candidate);
    }

    /// Removes a thread that is no longer waiting. If it was woken, wakes the next one instead.
    pub(crate) fn withdraw(&mut self, leaving: Candidate, turns: &Turns, kernel: &Kernel<'_>) {
        let who = |it: &Candidate| (it.unit, it.generation);
        let before = self.queue.len();
        self.queue.retain(|it| who(it) != who(&leaving));
        if self.queue.len() == before {
            self.pass_on(turns, kernel);
        }
    }

    fn pass_on(&mut self, turns: &Turns, kernel: &Kernel<'_>) {
        if self.pending > 0
            && let Some(next) = self.queue.pop_front()
        {
            turns.ask_lock(kernel, next);
        }
    }
}

impl Signals {
    /// Returns the index of a process's mailbox for a signal. `signal` is the signal's number in
    /// the model.
    pub(crate) fn place(&self, pid: u32, signal: u32) -> usize {
        let mut boxes = self.boxes.borrow_mut();
        let mut places = self.places.borrow_mut();
        *places.get_or_insert_with((pid, signal), || {
            boxes.push(SignalBox::default());
            boxes.len() - 1
        })
    }
}
