//! Schedules tasks for the end of an instant. The tasks decide receives from any source, check
//! waits for requests, and assign shared network interfaces.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// Receives of a rank from any source.
    Wildcards(u32),
    /// A wait for requests: the rank, the thread and the wait's number.
    Wait(u32, u32, u32),
    /// Work of a shared network interface: the rank, the thread and the work's number.
    Nic(u32, u32, u64),
    /// A wait for any of several requests: the rank, the thread and the wait's number.
    Choice(u32, u32, u32),
    Flows,
    Changes,
}

#[derive(Debug)]
pub(crate) struct Alarms {
    /// Ranks to examine when this instant ends.
    ranks: RefCell<BTreeSet<u32>>,
    /// Waits to examine when this instant ends.
    waits: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// Work of network interfaces to do when this instant ends.
    works: RefCell<BTreeSet<(u32, u32, u64)>>,
    /// Waits for any of several requests, to examine when this instant ends.
    choices: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// Whether to examine the messages on shared links when this instant ends.
    flows: Cell<bool>,
    /// Whether to examine the changes of the machine when this instant ends.
    changes: Cell<bool>,
    later: RefCell<Later>,
    /// Time of the next alarm, in simulated seconds.
    next_s: Cell<f64>,
}

/// A time as bits, which sort like the times themselves.
#[derive(Debug, Default)]
struct Later {
    /// Times of the tasks scheduled with [`set`](Alarms::set).
    set: BTreeMap<Task, u64>,
    order: BTreeSet<(u64, Task)>,
}

impl Alarms {
    pub(crate) fn new() -> Self {
        Self {
            ranks: RefCell::default(),
            waits: RefCell::default(),
            works: RefCell::default(),
            choices: RefCell::default(),
            flows: Cell::new(false),
            changes: Cell::new(false),
            later: RefCell::default(),
            next_s: Cell::new(f64::INFINITY),
        }
    }

    /// Schedules a task for the end of this instant.
    pub(crate) fn look_at(&self, task: Task) {
        match task {
            Task::Wildcards(rank) => {
                self.ranks.borrow_mut().insert(rank);
            }
            Task::Wait(rank, tid, number) => {
                self.waits.borrow_mut().insert((rank, tid, number));
            }
            Task::Nic(rank, tid, number) => {
                self.works.borrow_mut().insert((rank, tid, number));
            }
            Task::Choice(rank, tid, number) => {
                self.choices.borrow_mut().insert((rank, tid, number));
            }
            Task::Flows => self.flows.set(true),
            Task::Changes => self.changes.set(true),
        }
    }

    /// Schedules a task for the end of the instant `time_s`, or of the current instant.
    pub(crate) fn at(&self, task: Task, time_s: f64, now_s: f64) {
        if time_s <= now_s {
            return self.look_at(task);
        }
        let mut later = self.later.borrow_mut();
        later.order.insert((time_s.to_bits(), task));
        self.note_next(&later);
    }

    /// Takes the ranks whose receives from any source must be examined at this instant.
    pub(crate) fn take_ranks(&self) -> BTreeSet<u32> {
        self.ranks.take()
    }

    /// Takes the waits for requests to examine at this instant: rank, thread and number.
    pub(crate) fn take_waits(&self) -> BTreeSet<(u32, u32, u32)> {
        self.waits.take()
    }

    /// Takes the waits for any of several requests that are due.
    pub(crate) fn take_choices(&self) -> BTreeSet<(u32, u32, u32)> {
        self.choices.take()
    }

    /// Returns `true` if the messages on shared links must be examined at this instant, and clears
    /// the flag.
    pub(crate) fn take_flows(&self) -> bool {
        self.flows.take()
    }

    /// Returns `true` if the changes of the machine must be examined at this instant, and clears
    /// the flag.
    pub(crate) fn take_changes(&self) -> bool {
        self.changes.take()
    }

    /// Takes the work of network interfaces at this instant: rank, thread and number.
    pub(crate) fn take_works(&self) -> BTreeSet<(u32, u32, u64)> {
        self.works.take()
    }

    /// Moves a task to `time_s`; an infinite time cancels the task.
    pub(crate) fn set(&self, task: Task, time_s: f64) {
        let mut later = self.later.borrow_mut();
        if let Some(bits) = later.set.remove(&task) {
            later.order.remove(&(bits, task));
        }
        if time_s.is_finite() {
            later.set.insert(task, time_s.to_bits());
            later.order.insert((time_s.to_bits(), task));
        }
        self.note_next(&later);
    }

    fn note_next(&self, later: &Later) {
        let next = later.order.first();
        let next_s = next.map_or(f64::INFINITY, |(bits, _)| f64::from_bits(*bits));
        self.next_s.set(next_s);
    }

    /// Returns the time of the next task; infinite if no task is left.
    #[inline]
    pub(crate) fn next_s(&self) -> f64 {
        self.next_s.get()
    }

    /// Makes the tasks of this time due.
    pub(crate) fn sound(&self) {
        let now = self.next_s.get().to_bits();
        let mut later = self.later.borrow_mut();
        while let Some((bits, task)) = later.order.first().copied()
            && bits == now
        {
            later.order.pop_first();
            later.set.remove(&task);
            self.look_at(task);
        }
        self.note_next(&later);
    }
}
