//! Selects the next unit to run, at this instant or at the next one.

use super::{Kernel, Phase, Program, Stopped, Unit, prefetch};

impl Kernel<'_> {
    /// Counts a step of `unit` at this instant.
    ///
    /// # Errors
    ///
    /// Stops the run if there are too many steps.
    #[inline]
    pub fn count_step(&self, unit: u32) -> Result<(), Stopped> {
        if self.steps.count()
            && let Some(livelock) = self.steps.livelock(self.unit_at(unit))
        {
            return Err(self.fail(Some(unit), livelock));
        }
        Ok(())
    }

    /// Sets the maximum number of steps at the same instant, no matter which units make them.
    pub fn set_steps_max(&self, steps_max: u64) {
        self.steps.set_max(steps_max);
    }

    /// Lets a waiting unit continue at this instant, if its wait still has this generation.
    #[inline]
    pub fn make_ready(&self, unit: u32, generation: u32) {
        self.ready.push((unit, generation));
        self.busy.set(true);
    }

    /// Returns the next unit with a due event, and its state. If nothing is left to do at this
    /// instant, moves the clock to that event.
    #[inline]
    pub fn next_due<P: Program>(&self, program: &P) -> Option<(u32, &Unit)> {
        let mut list = self.list.borrow_mut();
        loop {
            let Some(key) = list.first() else {
                self.sound_alarm(program, f64::MAX);
                return None;
            };
            let state = self.unit(key.unit());
            if state.timer.get() != key.ticket() {
                list.skip(key);
                continue;
            }
            if key.time_bits() != self.now_s().to_bits() {
                if self.busy.get() || program.is_busy() {
                    return None;
                }
                let alarm_s = program.alarm_s();
                // Programs without alarms pay only for the first comparison.
                if alarm_s < f64::INFINITY
                    && alarm_s <= key.time_s()
                    && self.sound_alarm(program, key.time_s())
                {
                    return None;
                }
                self.advance(key.time_s());
            }
            list.take(key, |unit| {
                prefetch(self.unit(unit));
                program.prefetch(unit);
            });
            state.timer.set(0);
            state.phase.set(Phase::Granted);
            return Some((key.unit(), state));
        }
    }

    /// If the program's next alarm comes before the event at `event_s`, moves the clock to the
    /// alarm and returns `true`. The alarm is handled at the end of that instant.
    #[cold]
    fn sound_alarm<P: Program>(&self, program: &P, event_s: f64) -> bool {
        let alarm_s = program.alarm_s();
        if alarm_s > event_s || self.busy.get() || program.is_busy() {
            return false;
        }
        program.sound();
        self.set_attention();
        if alarm_s < event_s {
            self.advance(alarm_s);
        }
        alarm_s < event_s
    }

    /// Returns `true` if work is left at this instant, and clears the mark. The caller must then do
    /// the work.
    #[inline]
    pub fn take_busy(&self) -> bool {
        self.busy.replace(false)
    }

    /// Prevents the clock from advancing until the work at the end of this instant is done.
    #[inline]
    pub fn set_busy(&self) {
        self.busy.set(true);
    }

    /// Returns `true` if a unit is ready at this instant.
    #[inline]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes the next unit that is ready at this instant, and returns it with its state.
    #[inline]
    pub fn take_ready(&self) -> Option<(u32, &Unit)> {
        loop {
            let (unit, generation) = self.ready.pop()?;
            let state = self.unit(unit);
            if state.generation.get() != generation {
                continue;
            }
            match state.phase.get() {
                Phase::Granted => {}
                Phase::Started => state.phase.set(Phase::Running),
                Phase::Nudged => state.phase.set(Phase::Waiting),
                _ if generation != 0 => continue,
                _ => {}
            }
            return Some((unit, state));
        }
    }
}
