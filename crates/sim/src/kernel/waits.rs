//! Begins, ends, cancels, and times the waits of units.

use super::list::{EventList, Key};
use super::{Kernel, Phase, Stopped, Trouble, Unit};

impl Kernel<'_> {
    /// Begins a wait of a running unit, and returns its generation, which is never 0.
    ///
    /// # Errors
    ///
    /// Stops the run if the unit is already waiting.
    #[inline]
    pub fn register(&self, unit: u32) -> Result<u32, Stopped> {
        self.register_state(unit, self.unit(unit))
    }

    /// Does the same as [`Self::register`] for a caller that already has the unit's state.
    ///
    /// # Errors
    ///
    /// Stops the run if the unit is already waiting.
    #[inline]
    pub fn register_state(&self, unit: u32, state: &Unit) -> Result<u32, Stopped> {
        if state.phase.get() != Phase::Running {
            return Err(self.fail(Some(unit), Trouble::TwoWaits));
        }
        Ok(state.wait())
    }

    /// Ends a wait at this instant; returns `false` if it was already over.
    #[inline]
    pub fn wake(&self, unit: u32, generation: u32) -> bool {
        let Some(state) = self.made(unit) else {
            return false;
        };
        let phase = state.phase.get();
        let waits = matches!(phase, Phase::Waiting | Phase::Nudged);
        let waiting = waits && state.generation.get() == generation;
        if waiting && !self.closing.get() {
            state.phase.set(Phase::Granted);
            // If it was nudged, the unit is already in the ready queue.
            if phase == Phase::Waiting {
                self.make_ready(unit, generation);
            }
        }
        waiting
    }

    /// Returns `true` while this wait lasts.
    #[inline]
    pub fn waits(&self, unit: u32, generation: u32) -> bool {
        self.made(unit).is_some_and(|state| {
            let waits = matches!(state.phase.get(), Phase::Waiting | Phase::Nudged);
            waits && state.generation.get() == generation
        })
    }

    /// Returns `true` if a unit is waiting and isn't due to be polled.
    #[inline]
    pub fn is_waiting(&self, unit: u32) -> bool {
        self.unit(unit).phase.get() == Phase::Waiting
    }

    /// Returns `true` if the event list contains an event of the unit.
    #[inline]
    pub fn has_timer(&self, unit: u32) -> bool {
        self.unit(unit).timer.get() != 0
    }

    /// Polls a waiting unit at this instant without ending its wait, so that it can check something
    /// else. If the wait ends before the poll, the unit notices that too.
    pub fn nudge(&self, unit: u32) {
        let state = self.unit(unit);
        if state.phase.get() == Phase::Waiting && !self.closing.get() {
            state.phase.set(Phase::Nudged);
            self.make_ready(unit, state.generation.get());
        }
    }

    /// Prepares a unit without a process for its next process.
    #[inline]
    pub fn start(&self, unit: u32) {
        let state = self.unit(unit);
        state.begin();
        self.make_ready(unit, state.generation.get());
    }

    /// Makes a unit wait for an event that the caller will schedule.
    pub fn arm(&self, unit: u32) {
        self.unit(unit).wait();
    }

    /// Ends a unit. Queues can still contain its waits, but these no longer wake it.
    #[inline]
    pub fn end(&self, unit: u32) {
        self.unit(unit).phase.set(Phase::Ended);
    }

    /// Schedules the end of a unit's wait at `time_s`, which must not be earlier than now.
    ///
    /// # Errors
    ///
    /// Stops the run if the time is not finite.
    #[inline]
    pub fn resume_at(&self, unit: u32, time_s: f64) -> Result<(), Stopped> {
        self.resume_with(unit, time_s, 0)
    }

    /// Like [`Self::resume_at`], but the event comes after all events of lower `priority` at the
    /// same time.
    ///
    /// # Errors
    ///
    /// Stops the run if the time is not finite.
    #[inline]
    pub fn resume_with(&self, unit: u32, time_s: f64, priority: u8) -> Result<(), Stopped> {
        if let Some(state) = self.units.get(unit as usize)
            && let Some(ticket) = self.schedule_few(unit, time_s, priority)
        {
            state.timer.set(ticket);
            return Ok(());
        }
        self.resume_among_many(unit, time_s, priority)
    }

    /// The slow path of [`Self::resume_with`], for any unit and any number of events.
    #[inline(never)]
    fn resume_among_many(&self, unit: u32, time_s: f64, priority: u8) -> Result<(), Stopped> {
        if time_s <= self.now_s() {
            self.wake(unit, self.unit(unit).generation.get());
            return Ok(());
        }
        if time_s > f64::MAX || time_s.is_nan() {
            return Err(self.fail(Some(unit), Trouble::TimeOverflow));
        }
        self.schedule(unit, self.unit(unit), time_s, priority);
        Ok(())
    }

    /// Lets a running unit wait for `seconds`, and returns the generation of the wait.
    ///
    /// # Errors
    ///
    /// Stops the run if the time is negative or not finite, or if the unit is already waiting.
    #[inline]
    pub fn hold(&self, unit: u32, seconds: f64) -> Result<u32, Stopped> {
        match self.hold_or_fail(unit, seconds) {
            0 => Err(Stopped::RECORDED),
            generation => Ok(generation),
        }
    }

    /// Like [`Self::hold`], but returns 0 if the run stops, so that the result fits in a register.
    ///
    /// This is the most frequent operation of processes, so it is one function that isn't inlined
    /// at each await. It handles rare cases in tail calls, so it doesn't have to save registers.
    #[inline(never)]
    fn hold_or_fail(&self, unit: u32, seconds: f64) -> u32 {
        if let Some(state) = self.units.get(unit as usize)
            && state.phase.get() == Phase::Running
            && let Some(ticket) = self.schedule_few(unit, self.now_s() + seconds, 0)
        {
            state.timer.set(ticket);
            return state.wait();
        }
        self.hold_among_many(unit, seconds)
    }

    /// The slow path of [`Self::hold_or_fail`], for any unit and any number of events.
    #[inline(never)]
    fn hold_among_many(&self, unit: u32, seconds: f64) -> u32 {
        let state = self.unit(unit);
        let time_s = self.now_s() + seconds;
        if time_s > self.now_s() && time_s <= f64::MAX && state.phase.get() == Phase::Running {
            self.schedule(unit, state, time_s, 0);
            return state.wait();
        }
        self.hold_no_time(unit, seconds).unwrap_or(0)
    }

    /// Begins a wait that takes no time or is invalid.
    #[cold]
    fn hold_no_time(&self, unit: u32, seconds: f64) -> Result<u32, Stopped> {
        self.check_seconds(unit, seconds)?;
        let generation = self.register(unit)?;
        self.resume_at(unit, self.now_s() + seconds)?;
        Ok(generation)
    }

    /// Schedules an event at a later time and returns its ticket, or `None` if that takes more than
    /// a few instructions.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn schedule_few(&self, unit: u32, time_s: f64, priority: u8) -> Option<u64> {
        if time_s > self.now_s() && time_s <= f64::MAX {
            let mut list = self.list.try_borrow_mut().ok()?;
            return list.push_few(time_s, priority, unit);
        }
        None
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn schedule(&self, unit: u32, state: &Unit, time_s: f64, priority: u8) {
        let mut list = self.list.borrow_mut();
        if list.must_renumber() {
            self.renumber(&mut list);
        }
        state.timer.set(list.push(time_s, priority, unit));
    }

    #[cold]
    fn renumber(&self, list: &mut EventList) {
        list.sweep(|key| self.is_live(key));
        list.renumber(|key, ticket| self.unit(key.unit()).timer.set(ticket));
    }

    /// Cancels a wait whose future was dropped. The caller must remove it from any queues.
    pub fn cancel(&self, unit: u32, generation: u32) {
        let state = self.unit(unit);
        if self.closing.get() || state.generation.get() != generation {
            return;
        }
        if !matches!(state.phase.get(), Phase::Running | Phase::Ended) {
            state.phase.set(Phase::Running);
        }
        self.forget_timer(unit);
    }

    /// Removes a unit's event from the list, if it has one. The unit keeps waiting.
    pub fn forget_timer(&self, unit: u32) {
        let state = self.unit(unit);
        if state.timer.replace(0) != 0 {
            let mut list = self.list.borrow_mut();
            if list.cancel() {
                list.sweep(|key| self.is_live(key));
            }
        }
    }

    #[inline]
    pub(super) fn is_live(&self, key: Key) -> bool {
        self.unit(key.unit()).timer.get() == key.ticket()
    }
}
