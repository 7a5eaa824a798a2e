//! Schedules tasks for the end of an instant: matching receives from any source, checking waits for
//! requests, and assigning shared network interfaces.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// Match a rank's receives from any source.
    Wildcards(u32),
    /// Check a wait for requests, given by the rank, the thread, and the number of the wait.
    Wait(u32, u32, u32),
    /// Do work of a shared network interface, given by the rank, the thread, and the number of the
    /// work.
    Nic(u32, u32, u64),
    /// Check a wait for any of several requests, given by the rank, the thread, and the number of
    /// the wait.
    Choice(u32, u32, u32),
    Flows,
    Changes,
}

#[derive(Debug)]
pub(crate) struct Alarms {
    /// Ranks whose receives from any source are matched when this instant ends.
    ranks: RefCell<BTreeSet<u32>>,
    /// Waits to check when this instant ends.
    waits: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// Work of network interfaces to do when this instant ends.
    works: RefCell<BTreeSet<(u32, u32, u64)>>,
    /// Waits for any of several requests to check when this instant ends.
    choices: RefCell<BTreeSet<(u32, u32, u32)>>,
    /// Whether messages on shared links must be checked when this instant ends.
    flows: Cell<bool>,
    /// Whether changes of the machine must be applied when this instant ends.
    changes: Cell<bool>,
    later: RefCell<Later>,
    /// When the next alarm is due, in simulated seconds.
    next_s: Cell<f64>,
}

/// Tasks at later times. Times are stored as bits, which sort like the times themselves.
#[derive(Debug, Default)]
struct Later {
    /// The times of tasks that were scheduled with [`set`](Alarms::set).
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

    /// Schedules a task for the end of the instant `time_s`, or of the current instant if that is
    /// over.
    pub(crate) fn at(&self, task: Task, time_s: f64, now_s: f64) {
        if time_s <= now_s {
            return self.look_at(task);
        }
        let mut later = self.later.borrow_mut();
        later.order.insert((time_s.to_bits(), task));
        self.note_next(&later);
    }

    /// Takes the ranks whose receives from any source must be matched at this instant.
    pub(crate) fn take_ranks(&self) -> BTreeSet<u32> {
        self.ranks.take()
    }

    /// Takes the waits for requests to check at this instant, each with rank, thread, and number.
    pub(crate) fn take_waits(&self) -> BTreeSet<(u32, u32, u32)> {
        self.waits.take()
    }

    /// Takes the waits for any of several requests that are due.
    pub(crate) fn take_choices(&self) -> BTreeSet<(u32, u32, u32)> {
        self.choices.take()
    }

    /// Returns `true` if messages on shared links must be checked at this instant, and clears the
    /// mark.
    pub(crate) fn take_flows(&self) -> bool {
        self.flows.take()
    }

    /// Returns `true` if changes of the machine must be applied at this instant, and clears the
    /// mark.
    pub(crate) fn take_changes(&self) -> bool {
        self.changes.take()
    }

    /// Takes the work of network interfaces at this instant, each with rank, thread, and number.
    pub(crate) fn take_works(&self) -> BTreeSet<(u32, u32, u64)> {
        self.works.take()
    }

    /// Moves a task to `time_s`. If this is infinite, cancels the task.
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

    /// Returns the time of the next task in simulated seconds, or infinity if there is none.
    #[inline]
    pub(crate) fn next_s(&self) -> f64 {
        self.next_s.get()
    }

    /// Makes the tasks due that are scheduled for the time of the alarm.
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
