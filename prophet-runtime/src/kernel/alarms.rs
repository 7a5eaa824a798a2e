//! Tasks at the ends of instants, now and later: they examine receives from any sender and waits
//! for requests, and give away shared network interfaces.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Something to do when an instant ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// A rank's receives from any source.
    Wildcards(u32),
    /// A wait of a rank's thread for requests, with its number.
    Wait(u32, u32, u32),
    /// The work of a rank's thread for a network interface that others use, with its number.
    Nic(u32, u32, u64),
    /// The wait of a rank's thread for any of several requests, with its number.
    Choice(u32, u32, u32),
    /// The messages on links that they share.
    Flows,
    Changes,
}

/// Tasks, now and later.
#[derive(Debug)]
pub(crate) struct Alarms {
    /// Ranks to be looked at when this instant ends.
    ranks: RefCell<BTreeSet<u32>>,
    /// Waits to be looked at when this instant ends.
    waits: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// Network interfaces to be given away when this instant ends.
    works: RefCell<BTreeSet<(u32, u32, u64)>>,
    /// Waits for any of several requests, to be looked at when this instant ends.
    choices: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// True if the messages on shared links are to be looked at when this instant ends.
    flows: Cell<bool>,
    /// True if the changes of the machine are to be looked at when this instant ends.
    changes: Cell<bool>,
    later: RefCell<Later>,
    /// Time of the next alarm, in simulated seconds.
    next_s: Cell<f64>,
}

/// Times as bits, which sort as the times do.
#[derive(Debug, Default)]
struct Later {
    /// Times of the tasks that are [`set`](Alarms::set).
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

    /// Takes the waits for requests that are to be looked at at this instant: by rank and thread,
    /// with their numbers.
    pub(crate) fn take_waits(&self) -> BTreeSet<(u32, u32, u32)> {
        self.waits.take()
    }

    /// Takes the waits for any of their requests, which are due.
    pub(crate) fn take_choices(&self) -> BTreeSet<(u32, u32, u32)> {
        self.choices.take()
    }

    /// True if the messages on shared links must be examined at this instant; clears the flag.
    pub(crate) fn take_flows(&self) -> bool {
        self.flows.take()
    }

    /// True if the changes of the machine are to be looked at at this instant; asks once.
    pub(crate) fn take_changes(&self) -> bool {
        self.changes.take()
    }

    /// Takes the work of network interfaces at this instant: by rank and thread, with numbers.
    pub(crate) fn take_works(&self) -> BTreeSet<(u32, u32, u64)> {
        self.works.take()
    }

    /// Schedules a task for `time_s` instead of the time set before; for never, if that is
    /// infinite.
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

    /// Makes due the tasks of this time.
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
