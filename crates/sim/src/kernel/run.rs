//! The run loop: polls units in the order (time, priority, sequence).
//!
//! An instant has parts, repeated until nothing is left of it. The units whose time in the event
//! list has come are polled, in the order in which they were scheduled; then units that others woke
//! at this instant, first in first out; then the program settles what units ask for that is given
//! in another order than they come. All of that may make more units ready, and what comes later
//! waits until nobody is.

use std::task::Poll;

use super::{Kernel, LOOK_EVERY, Phase, Program, Progress, Stopped, Stuck, Trouble, Unit, stuck};

/// End of a run; the [`Host`](super::Host) knows whether it failed.
#[derive(Debug)]
pub struct Ended {
    /// Number of events.
    pub events: u64,
    /// Whether a [look](Program::look) ended it.
    pub early: bool,
    /// The units that wait and that nothing will wake, if that is how it ended.
    pub stuck: Option<Stuck>,
}

/// Runs a program until nothing is left to happen, unless something ends the run before.
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

/// A run under way.
struct Executor<'e, 's, P> {
    kernel: &'e Kernel<'s>,
    program: &'e mut P,
    events: u64,
    /// Number of events after which the run looks at more than events.
    next_look: u64,
    /// The run stops after that many.
    events_max: u64,
    /// True if a look has ended the run.
    early: bool,
    /// True while units are resumed that others woke at this instant.
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

    /// The unit to resume next; `None` when the run is over.
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

    /// Settles what units asked for, now that none is ready; returns true if the run ends.
    #[inline]
    fn ends_with_ready(&mut self) -> bool {
        let kernel = self.kernel;
        let settled = self.program.settle();
        let is_settled = self.note(settled);
        kernel.has_failed()
            || !is_settled && kernel.takes_attention() && !kernel.has_ready() && self.end_instant()
    }

    /// Does the rare work at the end of an instant; returns true if the run ends with it.
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

    /// Counts the settled events; true if there were any.
    #[inline]
    fn note(&mut self, settled: Option<u64>) -> bool {
        let Some(events) = settled else {
            return false;
        };
        (0..events).for_each(|_| self.count());
        true
    }

    /// Lets a unit run until it waits or ends.
    #[expect(clippy::inline_always, reason = "there is one call of it")]
    #[inline(always)]
    fn resume(&mut self, unit: u32, state: &Unit) {
        let kernel = self.kernel;
        let process = self.program.resume(unit);
        self.count();
        // A step too many is a failure that is recorded, and found below.
        let _ = kernel.count_step(unit);
        match self.program.poll(process) {
            Some(Poll::Pending) if state.phase.get() == Phase::Running => {
                kernel.fail(Some(unit), Trouble::ForeignAwait);
            }
            Some(Poll::Ready(result)) => self.end(process, result),
            Some(Poll::Pending) | None => {}
        }
    }

    /// Counts an event: that a unit continues, or that what waits for the end of an instant is
    /// done.
    #[inline]
    fn count(&mut self) {
        self.events += 1;
        if self.events >= self.next_look {
            self.look();
        }
    }

    /// Does the work that is due once in many events.
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
            // What is recorded already comes first.
            self.kernel.fail(Some(process), Trouble::Returned(stopped));
        }
    }
}
