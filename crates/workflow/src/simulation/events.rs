//! Orders events by time; events at the same time keep the order in which they were added.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::{HostId, TaskId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Ready(TaskId),
    Computed(TaskId),
    Failed(TaskId),
    /// The queue of another site lets a task pass. This host belongs to the site.
    Passed(HostId),
    /// Another user's job is submitted at a site. The number is the site's index among the sites
    /// with jobs.
    Submitted(u32),
    /// Another user's job ends: the site's index among the sites with jobs, and the number of the
    /// run.
    JobEnded(u32, u32),
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    time_s: f64,
    number: u64,
    event: Event,
}

#[derive(Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Entry>,
    added: u64,
}

impl Events {
    pub(super) fn add(&mut self, time_s: f64, event: Event) {
        let number = self.added;
        self.added += 1;
        self.heap.push(Entry {
            time_s,
            number,
            event,
        });
    }

    /// Returns the time of the next event; infinite if there is none.
    pub(super) fn next_s(&self) -> f64 {
        self.heap.peek().map_or(f64::INFINITY, |it| it.time_s)
    }

    /// Returns the next event, if it isn't after `until_s`.
    pub(super) fn pop(&mut self, until_s: f64) -> Option<Event> {
        if self.next_s() > until_s {
            return None;
        }
        self.heap.pop().map(|it| it.event)
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = other.time_s.total_cmp(&self.time_s);
        time.then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}
