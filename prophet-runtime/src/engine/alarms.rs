//! What is to be done at the ends of instants, now and later: receives from whoever sends are to
//! be looked at, and network interfaces that ranks share are to be given away.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Something to do when an instant ends; those of one instant in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// A rank's work for the network interface of its node, with its number.
    Nic(u32, u64),
    /// A rank's receives from whoever sends.
    Wildcards(u32),
}

/// Tasks, now and later.
#[derive(Debug)]
pub(crate) struct Alarms {
    /// When this instant ends.
    due: RefCell<BTreeSet<Task>>,
    later: RefCell<Later>,
    /// The earliest of those to come, in simulated seconds.
    next_s: Cell<f64>,
}

/// Times as bits, which sort as the times do.
#[derive(Debug, Default)]
struct Later {
    /// When the receives of ranks are looked at.
    of_rank: BTreeMap<u32, u64>,
    order: BTreeSet<(u64, Task)>,
}

impl Alarms {
    pub(super) fn new() -> Self {
        Self {
            due: RefCell::default(),
            later: RefCell::default(),
            next_s: Cell::new(f64::INFINITY),
        }
    }

    /// Has a rank looked at when this instant ends.
    pub(crate) fn look_at(&self, rank: u32) {
        self.due.borrow_mut().insert(Task::Wildcards(rank));
    }

    /// Has a task done when the instant `time_s` ends, or this one.
    pub(crate) fn at(&self, task: Task, time_s: f64, now_s: f64) {
        if time_s <= now_s {
            self.due.borrow_mut().insert(task);
            return;
        }
        let mut later = self.later.borrow_mut();
        later.order.insert((time_s.to_bits(), task));
        self.note_next(&later);
    }

    /// Takes the tasks of this instant, in order.
    pub(crate) fn take_due(&self) -> BTreeSet<Task> {
        self.due.take()
    }

    pub(super) fn has_due(&self) -> bool {
        !self.due.borrow().is_empty()
    }

    /// Has a rank looked at again at `time_s` and not at the time set before; never, if that is
    /// infinite.
    pub(crate) fn set(&self, rank: u32, time_s: f64) {
        let mut later = self.later.borrow_mut();
        if let Some(bits) = later.of_rank.remove(&rank) {
            later.order.remove(&(bits, Task::Wildcards(rank)));
        }
        if time_s.is_finite() {
            later.of_rank.insert(rank, time_s.to_bits());
            later
                .order
                .insert((time_s.to_bits(), Task::Wildcards(rank)));
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
    pub(super) fn next_s(&self) -> f64 {
        self.next_s.get()
    }

    /// It is that time: makes its tasks due.
    pub(super) fn sound(&self) {
        let now = self.next_s.get().to_bits();
        let mut later = self.later.borrow_mut();
        while let Some((bits, task)) = later.order.first().copied()
            && bits == now
        {
            later.order.pop_first();
            if let Task::Wildcards(rank) = task {
                later.of_rank.remove(&rank);
            }
            self.due.borrow_mut().insert(task);
        }
        self.note_next(&later);
    }
}
