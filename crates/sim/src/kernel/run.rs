//! Implements the run loop, which polls units in the order (time, priority, sequence).
//!
//! An instant consists of three parts, which are repeated until nothing is left to do. First, the
//! loop polls units with a due event, in the order in which the events were scheduled. Then it
//! polls units that were woken at this instant, in the order in which they were woken. Finally, the
//! program settles requests that don't depend on the order of arrival. Each part can make more
//! units ready, and later parts wait until no unit is ready.

use std::task::Poll;

use super::{Kernel, LOOK_EVERY, Phase, Program, Progress, Stopped, Stuck, Trouble, Unit, stuck};

/// How a run ended. Only the [`Host`](super::Host) knows whether it failed.
#[derive(Debug)]
pub struct Ended {
    /// Number of events.
    pub events: u64,
    /// Whether [`Program::look`] ended the run early.
    pub early: bool,
    /// The units that wait forever, if that ended the run.
    pub stuck: Option<Stuck>,
}

/// Runs a program until nothing is left to do, or until a limit, a failure or the program itself
/// ends the run.
pub fn run<P: Program>(kernel: &Kernel<'_>, program: &mut P) -> Ended {
    let events_max = program.events_max();
    let mut executor = Executor {
        kernel,
        program,
        events: 0,
        next_look: events_max.min(LOOK_EVERY),
        events_max,
        early: false,
        drains: false,
    };
    executor.run();
    let Executor { events, early, .. } = executor;
    let some_wait = program.some_wait();
    let is_stuck = some_wait && !kernel.has_failed() && !kernel.stops();
    Ended {
        events,
        early: early && some_wait,
        stuck: is_stuck.then(|| stuck::find(kernel, program)),
    }
}

struct Executor<'e, 's, P> {
    kernel: &'e Kernel<'s>,
    program: &'e mut P,
    events: u64,
    /// Number of events at which [`Program::look`] is called next.
    next_look: u64,
    events_max: u64,
    /// Whether [`Program::look`] has ended the run.
    early: bool,
    /// Whether the units that were woken at this instant are now being resumed.
    drains: bool,
}

impl<'e, P: Program> Executor<'e, '_, P> {
    fn run(&mut self) {
        while let Some((unit, state)) = self.next() {
            self.resume(unit, state);
            if self.kernel.has_failed() {
                return;
            }
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, &'e Unit)> {
        let kernel = self.kernel;
        loop {
            if self.drains {
                if let Some(ready) = kernel.take_ready() {
                    return Some(ready);
                }
                self.drains = false;
                if self.ends_with_ready() {
                    return None;
                }
            }
            if let Some(due) = kernel.next_due(self.program) {
                return Some(due);
            }
            if !kernel.take_busy() && !self.program.is_busy() {
                return None;
            }
            self.drains = true;
        }
    }

    /// Settles what units requested once no unit is ready; returns `true` if the run ends.
    #[inline]
    fn ends_with_ready(&mut self) -> bool {
        let kernel = self.kernel;
        let settled = self.program.settle();
        let is_settled = self.note(settled);
        kernel.has_failed()
            || !is_settled && kernel.takes_attention() && !kernel.has_ready() && self.end_instant()
    }

    /// Does the rare work at the end of an instant; returns `true` if the run ends.
    fn end_instant(&mut self) -> bool {
        let kernel = self.kernel;
        let settled = self.program.settle_last();
        if self.note(settled) {
            return kernel.has_failed();
        }
        if kernel.has_inquiry() {
            self.program.answer();
            kernel.set_busy();
            return false;
        }
        kernel.stops()
    }

    /// Counts the events that were settled; returns `false` if there was nothing to settle.
    #[inline]
    fn note(&mut self, settled: Option<u64>) -> bool {
        let Some(events) = settled else {
            return false;
        };
        (0..events).for_each(|_| self.count());
        true
    }

    /// Runs a unit until it waits or ends.
    #[expect(clippy::inline_always, reason = "there is one call of it")]
    #[inline(always)]
    fn resume(&mut self, unit: u32, state: &Unit) {
        let kernel = self.kernel;
        let process = self.program.resume(unit);
        self.count();
        // If there are too many steps, this records a failure, which is found below.
        let _ = kernel.count_step(unit);
        match self.program.poll(process) {
            Some(Poll::Pending) if state.phase.get() == Phase::Running => {
                kernel.fail(Some(unit), Trouble::ForeignAwait);
            }
            Some(Poll::Ready(result)) => self.end(process, result),
            Some(Poll::Pending) | None => {}
        }
    }

    /// Counts an event: a unit that resumes, or work at the end of an instant.
    #[inline]
    fn count(&mut self) {
        self.events += 1;
        if self.events >= self.next_look {
            self.look();
        }
    }

    /// Does the work that is due only every [`LOOK_EVERY`] events.
    #[cold]
    #[inline(never)]
    fn look(&mut self) {
        if self.events >= self.events_max {
            self.kernel.stop();
            self.events_max = u64::MAX;
        }
        let progress = Progress {
            time_s: self.kernel.now_s(),
            events: self.events,
        };
        if self.program.look(progress).is_break() {
            self.early = true;
            self.kernel.halt();
        }
        self.next_look = self.events_max.min(self.events + LOOK_EVERY);
    }

    #[inline(never)]
    fn end(&mut self, process: u32, result: Result<(), Stopped>) {
        self.program.end(process);
        self.program.release(process);
        if let Err(stopped) = result {
            // If a failure has already been recorded, it takes precedence.
            self.kernel.fail(Some(process), Trouble::Returned(stopped));
        }
    }
}
