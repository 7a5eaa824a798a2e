//! Stores the futures of a study's processes in reusable slots.

mod polling;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::mem::{self, ManuallyDrop};
use std::pin::Pin;

use super::log::Logged;
use crate::kernel::{Kernel, More, SPARE_UNITS, Spare, Stopped, Trouble, UNITS_MAX, Waiter};
use crate::resources::Status;

type Task<'w> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'w>>;

/// Marks the end of the list of vacant slots.
const NONE: u32 = u32::MAX;

/// What a slot is used for. Its index is the number of a kernel unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Unused. The number is the index of the next vacant slot.
    Vacant(u32),
    /// A process, which may still be under construction.
    Task,
    /// An alarm that nudges a unit at a certain time.
    Alarm(u32),
    /// An alarm that has gone off.
    Rung,
    /// An alarm that stops the run at a certain time.
    Stop,
}

struct Slot<'w> {
    /// The process, which is borrowed while it runs.
    task: RefCell<ManuallyDrop<Option<Task<'w>>>>,
    /// Memory of the slot's previous process, kept for reuse.
    spare: Spare,
    work: Cell<Work>,
    /// The number of the process. Processes are numbered in the order in which they were spawned.
    serial: Cell<u32>,
    marks: Cell<Marks>,
}

/// Flags that few processes need.
#[derive(Clone, Copy, Default)]
struct Marks {
    interrupted: bool,
    /// Whether the process must end as soon as it waits.
    terminated: bool,
    /// Whether the process can wait forever without causing a deadlock.
    background: bool,
}

impl Default for Slot<'_> {
    fn default() -> Self {
        Self {
            task: RefCell::default(),
            spare: Spare::default(),
            work: Cell::new(Work::Vacant(NONE)),
            serial: Cell::new(0),
            marks: Cell::default(),
        }
    }
}

impl<'w> Slot<'w> {
    #[inline]
    fn take(&self) -> Option<Task<'w>> {
        self.task.try_borrow_mut().ok()?.take()
    }

    /// Returns `true` if the slot contains a process that isn't running.
    fn has_task(&self) -> bool {
        self.task.try_borrow().is_ok_and(|task| task.is_some())
    }

    fn mark(&self, change: impl FnOnce(&mut Marks)) {
        let mut marks = self.marks.get();
        change(&mut marks);
        self.marks.set(marks);
    }
}

/// A request for a status text at the end of the instant.
struct Inquiry<'w> {
    waiter: Waiter,
    resources: Vec<&'w dyn Status>,
}

/// The processes of a run, and other tasks that need a unit.
///
/// The futures refer to this value, so its own drop must do nothing. [`Tasks::close`] has dropped
/// the futures by then.
pub(crate) struct Tasks<'w> {
    kernel: &'w Kernel<'w>,
    seed: u64,
    slots: Box<[Slot<'w>]>,
    more_slots: More<Slot<'w>>,
    used: Cell<u32>,
    vacant: Cell<u32>,
    spawned: Cell<u32>,
    /// Number of processes that haven't ended. `foreground` counts only those that aren't in the
    /// background.
    live: Cell<u32>,
    foreground: Cell<u32>,
    rare: RefCell<ManuallyDrop<Rare<'w>>>,
    /// Whether any process has ever had a name, or has been waited for.
    has_rare: Cell<bool>,
    logs: bool,
    events_max: u64,
}

/// State that few processes have.
#[derive(Default)]
struct Rare<'w> {
    names: BTreeMap<u32, String>,
    joiners: BTreeMap<u32, Vec<Waiter>>,
    inquiries: Vec<Inquiry<'w>>,
    answers: BTreeMap<Waiter, String>,
    log: Logged<'w>,
}

impl fmt::Debug for Tasks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("spawned", &self.spawned.get())
            .field("live", &self.live.get())
            .finish_non_exhaustive()
    }
}

impl<'w> Tasks<'w> {
    pub(crate) fn new(kernel: &'w Kernel<'w>, seed: u64, log: Logged<'w>, events_max: u64) -> Self {
        let logs = log.is_wanted();
        let rare = Rare {
            log,
            ..Rare::default()
        };
        Self {
            kernel,
            seed,
            slots: (0..SPARE_UNITS).map(|_| Slot::default()).collect(),
            more_slots: More::default(),
            used: Cell::new(0),
            vacant: Cell::new(NONE),
            spawned: Cell::new(0),
            live: Cell::new(0),
            foreground: Cell::new(0),
            rare: RefCell::new(ManuallyDrop::new(rare)),
            has_rare: Cell::new(false),
            logs,
            events_max,
        }
    }

    #[inline]
    pub(crate) fn kernel(&self) -> &'w Kernel<'w> {
        self.kernel
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Drops all processes without waking any of them.
    pub(crate) fn close(&self) {
        self.kernel.close();
        for unit in 0..self.used.get() {
            drop(self.slot(unit).take());
        }
        drop(mem::take(&mut **self.rare.borrow_mut()));
    }

    // Slots.

    #[inline]
    fn slot(&self, unit: u32) -> &Slot<'w> {
        match self.slots.get(unit as usize) {
            Some(slot) => slot,
            None => self.more_slots.get(unit),
        }
    }

    /// Takes a vacant or new slot. Fails the run if there are too many.
    #[inline]
    fn occupy(&self, work: Work) -> Result<(u32, &Slot<'w>), Stopped> {
        let unit = self.vacant.get();
        if unit == NONE {
            return self.extend(work);
        }
        let slot = self.slot(unit);
        if let Work::Vacant(next) = slot.work.replace(work) {
            self.vacant.set(next);
        }
        slot.marks.set(Marks::default());
        Ok((unit, slot))
    }

    #[cold]
    fn extend(&self, work: Work) -> Result<(u32, &Slot<'w>), Stopped> {
        let unit = self.used.get();
        if unit >= UNITS_MAX {
            let problem = format!("there are more than {UNITS_MAX} processes at the same time");
            return Err(self.kernel.fail(None, Trouble::Impossible(problem)));
        }
        self.used.set(unit + 1);
        let slot = self.slot(unit);
        slot.work.set(work);
        Ok((unit, slot))
    }

    #[inline]
    fn vacate(&self, unit: u32, slot: &Slot<'w>) {
        self.kernel.end(unit);
        slot.work.set(Work::Vacant(self.vacant.replace(unit)));
    }

    // Processes.

    /// Creates a process that starts at this instant. `program` receives its unit and number, which
    /// are also returned.
    pub(crate) fn spawn<P, F>(&'w self, program: P) -> (u32, u32)
    where
        P: FnOnce(u32, u32) -> F,
        F: Future<Output = Result<(), Stopped>> + 'w,
    {
        let serial = self.spawned.get();
        if self.kernel.closes() {
            return (NONE, serial);
        }
        let Ok((unit, slot)) = self.occupy(Work::Task) else {
            return (NONE, serial);
        };
        self.spawned.set(serial.wrapping_add(1));
        let task = slot.spare.boxed(|| program(unit, serial));
        **slot.task.borrow_mut() = Some(task);
        slot.serial.set(serial);
        self.live.set(self.live.get() + 1);
        self.foreground.set(self.foreground.get() + 1);
        self.kernel.start(unit);
        if self.logs {
            self.log(unit, "is created");
        }
        (unit, serial)
    }

    pub(crate) fn is_live(&self, unit: u32, serial: u32) -> bool {
        if unit >= self.used.get() {
            return false;
        }
        let slot = self.slot(unit);
        slot.serial.get() == serial && !slot.marks.get().terminated && slot.work.get() == Work::Task
    }

    pub(crate) fn terminate(&self, unit: u32) {
        let slot = self.slot(unit);
        slot.mark(|marks| marks.terminated = true);
        // A running process ends at its next wait.
        if let Some(task) = slot.take() {
            slot.spare.keep(task);
            if self.logs {
                self.log(unit, "is terminated");
            }
            self.leave(unit, slot);
        }
    }

    /// Cleans up after the future of a process was dropped.
    #[inline]
    fn leave(&self, unit: u32, slot: &Slot<'w>) {
        if self.has_rare.get() || self.kernel.has_priorities() {
            self.leave_rare(unit);
        }
        self.live.set(self.live.get() - 1);
        if !slot.marks.get().background {
            self.foreground.set(self.foreground.get() - 1);
        }
        self.vacate(unit, slot);
    }

    /// Removes the name and priority of a process, and wakes processes that are waiting for its
    /// end.
    #[cold]
    fn leave_rare(&self, unit: u32) {
        self.kernel.drop_priority(unit);
        let mut rare = self.rare.borrow_mut();
        rare.names.remove(&unit);
        let joiners = rare.joiners.remove(&unit);
        drop(rare);
        for (joiner, generation) in joiners.into_iter().flatten() {
            self.kernel.wake(joiner, generation);
        }
    }

    pub(crate) fn set_background(&self, unit: u32) {
        let slot = self.slot(unit);
        if !slot.marks.get().background {
            slot.mark(|marks| marks.background = true);
            self.foreground.set(self.foreground.get() - 1);
        }
    }

    pub(crate) fn set_name(&self, unit: u32, name: String) {
        self.has_rare.set(true);
        self.rare.borrow_mut().names.insert(unit, name);
    }

    pub(crate) fn interrupt(&self, unit: u32) {
        self.slot(unit).mark(|marks| marks.interrupted = true);
        if self.logs {
            self.log(unit, "is interrupted");
        }
        self.kernel.nudge(unit);
    }

    /// Returns `true` if the process has been interrupted, and clears the interrupt.
    pub(crate) fn take_interrupt(&self, unit: u32) -> bool {
        let slot = self.slot(unit);
        let interrupted = slot.marks.get().interrupted;
        slot.mark(|marks| marks.interrupted = false);
        interrupted
    }

    pub(crate) fn add_joiner(&self, unit: u32, waiter: Waiter) {
        self.has_rare.set(true);
        let mut rare = self.rare.borrow_mut();
        rare.joiners.entry(unit).or_default().push(waiter);
    }

    pub(crate) fn remove_joiner(&self, unit: u32, waiter: Waiter) {
        if let Some(joiners) = self.rare.borrow_mut().joiners.get_mut(&unit) {
            joiners.retain(|other| *other != waiter);
        }
    }

    pub(crate) fn spawned(&self) -> u32 {
        self.spawned.get()
    }

    pub(crate) fn unfinished(&self) -> u32 {
        self.live.get()
    }

    // Alarms.

    /// Sets an alarm that nudges `owner` at `time_s`.
    pub(crate) fn set_alarm(&self, owner: u32, time_s: f64) -> Result<u32, Stopped> {
        let (alarm, _) = self.occupy(Work::Alarm(owner))?;
        self.kernel.arm(alarm);
        self.kernel.resume_at(alarm, time_s)?;
        Ok(alarm)
    }

    pub(crate) fn has_rung(&self, alarm: u32) -> bool {
        self.slot(alarm).work.get() == Work::Rung
    }

    pub(crate) fn clear_alarm(&self, alarm: u32) {
        self.kernel.forget_timer(alarm);
        self.vacate(alarm, self.slot(alarm));
    }

    /// Stops the run at `time_s`, once everything at that time has happened.
    pub(crate) fn stop_at(&self, time_s: f64) {
        if let Ok((stop, _)) = self.occupy(Work::Stop) {
            self.kernel.arm(stop);
            // If the time is 0 or negative, the first instant is the last. A finite time can't
            // fail.
            let _ = self.kernel.resume_with(stop, time_s, u8::MAX);
        }
    }
}
