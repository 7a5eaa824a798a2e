//! What is to be done at the ends of instants, now and later: receives from whoever sends and
//! waits for requests are to be looked at, and network interfaces that units share are to be given
//! away.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Something to do when an instant ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// A rank's receives from whoever sends.
    Wildcards(u32),
    /// A wait of a rank's thread for requests, with its number.
    Wait(u32, u32, u32),
    /// The work of a rank's thread for a network interface that others use, with its number.
    Nic(u32, u32, u64),
    /// The wait of a rank's thread for any of several requests, with its number.
    Choice(u32, u32, u32),
}

/// Tasks, now and later.
#[derive(Debug)]
pub(crate) struct Alarms {
    /// When this instant ends: ranks to be looked at.
    ranks: RefCell<BTreeSet<u32>>,
    /// The same for waits.
    waits: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// The same for network interfaces.
    works: RefCell<BTreeSet<(u32, u32, u64)>>,
    /// The same for waits for any of several requests.
    choices: RefCell<BTreeSet<(u32, u32, u32)>>,
    later: RefCell<Later>,
    /// The earliest of those to come, in simulated seconds.
    next_s: Cell<f64>,
}

/// Times as bits, which sort as the times do.
#[derive(Debug, Default)]
struct Later {
    /// When tasks are done that are [`set`](Alarms::set).
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
            later: RefCell::default(),
            next_s: Cell::new(f64::INFINITY),
        }
    }

    /// Has a task done when this instant ends.
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
        }
    }

    /// Has a task done when the instant `time_s` ends, or this one.
    pub(crate) fn at(&self, task: Task, time_s: f64, now_s: f64) {
        if time_s <= now_s {
            return self.look_at(task);
        }
        let mut later = self.later.borrow_mut();
        later.order.insert((time_s.to_bits(), task));
        self.note_next(&later);
    }

    /// Takes the ranks whose receives from whoever sends are to be looked at at this instant.
    pub(crate) fn take_ranks(&self) -> BTreeSet<u32> {
        self.ranks.take()
    }

    /// Takes the waits for requests that are to be looked at at this instant: by rank and thread,
    /// with their numbers.
    pub(crate) fn take_waits(&self) -> BTreeSet<(u32, u32, u32)> {
        self.waits.take()
    }

    /// The same of those that are for any of their requests.
    pub(crate) fn take_choices(&self) -> BTreeSet<(u32, u32, u32)> {
        self.choices.take()
    }

    /// Takes what network interfaces are to do at this instant: by rank and thread, with numbers.
    pub(crate) fn take_works(&self) -> BTreeSet<(u32, u32, u64)> {
        self.works.take()
    }

    /// Has a task done at `time_s` and not at the time set before; never, if that is infinite.
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

    /// The next time at which there is a task; infinite if there is none.
    #[inline]
    pub(crate) fn next_s(&self) -> f64 {
        self.next_s.get()
    }

    /// It is that time: makes its tasks due.
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
