//! Which unit is next, at this instant or at the next one.

use super::{STEPS_WATCHED, WATCHED_NAMED, World};
use crate::engine::arena::prefetch;
use crate::engine::unit::Phase;
use crate::failure::{Cause, Livelock, Participant};
use crate::stopped::Stopped;

impl World<'_> {
    #[inline]
    pub(super) fn make_ready(&self, unit: u32, generation: u32) {
        self.ready.borrow_mut().push_back((unit, generation));
        self.busy.set(true);
    }

    /// The next unit whose time in the event list has come. Moves the clock there, unless
    /// something is left to do at this instant.
    #[inline]
    pub(crate) fn take_due(&self, fetch: impl Fn(u32)) -> Option<u32> {
        let mut list = self.list.borrow_mut();
        loop {
            let Some(key) = list.first() else {
                self.sound_alarm(f64::MAX);
                return None;
            };
            if !self.is_live(key) {
                list.skip(key);
                continue;
            }
            if key.time_bits() != self.now_s().to_bits() {
                if self.is_busy() {
                    return None;
                }
                if self.alarms.next_s() <= key.time_s() && self.sound_alarm(key.time_s()) {
                    return None;
                }
                self.now_s.set(key.time_s());
                self.steps.set(0);
            }
            list.upcoming(|unit| {
                prefetch(self.unit(unit));
                fetch(unit);
            });
            list.vacate(key);
            let state = self.unit(key.unit());
            state.timer.set(0);
            state.phase.set(Phase::Granted);
            return Some(key.unit());
        }
    }

    /// Moves the clock to the next alarm if that comes before the event at `event_s`, and has the
    /// alarm seen to when the instant ends; returns whether it does come before.
    #[cold]
    fn sound_alarm(&self, event_s: f64) -> bool {
        let alarm_s = self.alarms.next_s();
        if alarm_s > event_s || self.is_busy() {
            return false;
        }
        self.alarms.sound();
        self.set_attention();
        if alarm_s < event_s {
            self.now_s.set(alarm_s);
            self.steps.set(0);
        }
        alarm_s < event_s
    }

    #[inline]
    fn is_busy(&self) -> bool {
        self.busy.get() || self.cpus.is_busy()
    }

    /// Whether something is left to do at this instant, which the caller then does.
    #[inline]
    pub(crate) fn take_busy(&self) -> bool {
        self.busy.replace(false) || self.cpus.is_busy()
    }

    /// Keeps the clock from moving on before the end of this instant is seen to.
    pub(crate) fn set_busy(&self) {
        self.busy.set(true);
    }

    /// Whether a unit is ready at this instant.
    pub(crate) fn has_ready(&self) -> bool {
        !self.ready.borrow().is_empty()
    }

    /// The next unit that is ready at this instant.
    #[inline]
    pub(crate) fn take_ready(&self) -> Option<u32> {
        loop {
            let (unit, generation) = self.ready.borrow_mut().pop_front()?;
            let state = self.unit(unit);
            if state.generation.get() != generation {
                continue;
            }
            match state.phase.get() {
                Phase::Granted => return Some(unit),
                Phase::Nudged => state.phase.set(Phase::Waiting),
                _ if generation != 0 => continue,
                _ => {}
            }
            return Some(unit);
        }
    }

    /// Counts an event of `unit` at this instant.
    #[inline]
    pub(crate) fn count_step(&self, unit: u32) -> Result<(), Stopped> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.steps_max.get().saturating_sub(STEPS_WATCHED) {
            return self.watch_step(unit, steps);
        }
        Ok(())
    }

    /// Sets how many events there may be at one instant.
    pub(crate) fn set_steps_max(&self, steps_max: u64) {
        self.steps_max.set(steps_max);
    }

    /// Keeps in mind who has the last events before there are too many.
    #[cold]
    fn watch_step(&self, unit: u32, steps: u64) -> Result<(), Stopped> {
        let mut watched = self.watched.borrow_mut();
        let steps_max = self.steps_max.get();
        if steps == steps_max.saturating_sub(STEPS_WATCHED) + 1 {
            watched.clear();
        }
        watched.insert((unit, self.unit(unit).element.get()));
        if steps <= steps_max {
            return Ok(());
        }
        let among = watched.iter().take(WATCHED_NAMED);
        let among = among.map(|(unit, element)| {
            let who = self.members.who(*unit);
            Participant {
                process: who.process,
                thread: who.thread,
                element: self.site(*element),
            }
        });
        let livelock = Livelock::Cycle {
            events: steps_max,
            among: among.collect(),
            more: u32::try_from(watched.len().saturating_sub(WATCHED_NAMED)).unwrap_or(u32::MAX),
        };
        Err(self.fail(Some(unit), Cause::Livelock(livelock)))
    }
}
