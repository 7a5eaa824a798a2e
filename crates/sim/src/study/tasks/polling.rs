//! Implements what the run loop calls on a study's processes, and reports what they are waiting
//! for.

use std::fmt::Write as _;
use std::mem;
use std::task::{Context, Poll, Waker};

use super::{Inquiry, Tasks, Work};
use crate::kernel::{Program, Stopped, Waiter};
use crate::resources::Status;
use crate::study::log::LogEntry;

impl<'w> Tasks<'w> {
    // Status and log.

    /// Requests a status text. It is written at the end of this instant, and then `waiter` is
    /// woken.
    pub(crate) fn inquire(&self, waiter: Waiter, resources: Vec<&'w dyn Status>) {
        let inquiry = Inquiry { waiter, resources };
        self.rare.borrow_mut().inquiries.push(inquiry);
        self.kernel.inquire();
    }

    pub(crate) fn take_answer(&self, waiter: Waiter) -> String {
        let answer = self.rare.borrow_mut().answers.remove(&waiter);
        answer.unwrap_or_default()
    }

    /// Returns a line for each process, which says what it is waiting for, and one for the status
    /// of each resource.
    pub(crate) fn status_text(&'w self, resources: &[&dyn Status]) -> String {
        let polled = self;
        let mut text = format!("{} s of simulated time\n", self.kernel.now_s());
        for unit in polled.waiting() {
            if !self.kernel.is_waiting(unit) {
                let _ = writeln!(text, "{} is ready", self.label(unit));
                continue;
            }
            let wanted = self.kernel.ask(|| {
                let _ = polled.poll_task(unit);
            });
            let name = self.label(unit);
            let _ = writeln!(text, "{name} waits for {}", wanted.text);
        }
        for resource in resources {
            let _ = writeln!(text, "{}", resource.status());
        }
        text
    }

    /// Returns the number of a process, and its name if it has one.
    pub(crate) fn label(&self, unit: u32) -> String {
        let number = self.number_of(unit);
        match self.rare.borrow().names.get(&unit) {
            Some(name) => format!("process {number} `{}`", name.escape_debug()),
            None => format!("process {number}"),
        }
    }

    pub(crate) fn number_of(&self, unit: u32) -> u32 {
        if unit < self.used.get() {
            self.slot(unit).serial.get()
        } else {
            unit
        }
    }

    pub(crate) fn name_of(&self, unit: u32) -> Option<String> {
        self.rare.borrow().names.get(&unit).cloned()
    }

    #[cold]
    pub(crate) fn log(&self, unit: u32, what: &str) {
        let process = self.label(unit);
        let time_s = self.kernel.now_s();
        let log = mem::take(&mut self.rare.borrow_mut().log);
        let log = log.write(&LogEntry {
            time_s,
            process: &process,
            what,
        });
        self.rare.borrow_mut().log = log;
    }

    pub(crate) fn logs(&self) -> bool {
        self.logs
    }

    // For the run loop.

    /// Polls the task in a slot, or does the slot's other work.
    #[inline]
    fn poll_task(&self, unit: u32) -> Option<Poll<Result<(), Stopped>>> {
        let slot = self.slot(unit);
        let work = slot.work.get();
        if work != Work::Task {
            self.ring(unit, work);
            return None;
        }
        let mut task = slot.task.borrow_mut();
        let poll = task
            .as_mut()?
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        drop(task);
        if poll.is_pending() && slot.marks.get().terminated {
            self.terminate(unit);
            return None;
        }
        Some(poll)
    }

    /// Does the work of a slot that isn't a process.
    #[cold]
    fn ring(&self, unit: u32, work: Work) {
        match work {
            Work::Alarm(owner) => {
                self.slot(unit).work.set(Work::Rung);
                self.kernel.nudge(owner);
            }
            Work::Stop => self.kernel.stop(),
            _ => {}
        }
    }

    #[cold]
    fn poll_logged(&self, unit: u32) -> Option<Poll<Result<(), Stopped>>> {
        if self.slot(unit).has_task() {
            self.log(unit, "goes on");
        }
        let poll = self.poll_task(unit);
        // If its wait were already over, the process would continue instead of answering.
        if matches!(poll, Some(Poll::Pending)) && self.kernel.is_waiting(unit) {
            let wanted = self.kernel.ask(|| {
                let _ = self.poll_task(unit);
            });
            self.log(unit, &format!("waits for {}", wanted.text));
        }
        poll
    }
}

impl<'w> Program for &'w Tasks<'w> {
    fn events_max(&self) -> u64 {
        self.events_max
    }

    #[inline]
    fn poll(&mut self, unit: u32) -> Option<Poll<Result<(), Stopped>>> {
        if self.logs {
            self.poll_logged(unit)
        } else {
            self.poll_task(unit)
        }
    }

    #[inline]
    fn end(&mut self, unit: u32) {
        if self.logs {
            self.log(unit, "ends");
        }
        let slot = self.slot(unit);
        if let Some(task) = slot.take() {
            slot.spare.keep(task);
        }
        self.leave(unit, slot);
    }

    fn answer(&mut self) {
        let inquiries = mem::take(&mut self.rare.borrow_mut().inquiries);
        for Inquiry { waiter, resources } in inquiries {
            let text = self.status_text(&resources);
            if self.kernel.wake(waiter.0, waiter.1) {
                self.rare.borrow_mut().answers.insert(waiter, text);
            }
        }
    }

    fn some_wait(&self) -> bool {
        self.foreground.get() > 0
    }

    fn waiting(&self) -> Vec<u32> {
        let units = (0..self.used.get()).filter(|unit| self.slot(*unit).has_task());
        let serial = |unit| (self.slot(unit).serial.get(), unit);
        let mut waiting: Vec<(u32, u32)> = units.map(serial).collect();
        waiting.sort_unstable();
        waiting.into_iter().map(|(_, unit)| unit).collect()
    }
}
