//! Records why a run can't continue, and asks units what they are waiting for.

use super::{Kernel, Stopped, Trouble, UnitAt, Wanted};

impl Kernel<'_> {
    /// Reports to the host why the run can't continue, and stops the run.
    #[cold]
    pub fn fail(&self, unit: Option<u32>, trouble: Trouble) -> Stopped {
        self.halt();
        let unit = unit.map(|unit| self.unit_at(unit));
        self.host.fail(self.now_s(), unit, trouble);
        Stopped::RECORDED
    }

    pub(super) fn unit_at(&self, unit: u32) -> UnitAt {
        let site = self.unit(unit).site.get();
        UnitAt { unit, site }
    }

    /// Checks that `seconds` is a valid duration.
    ///
    /// # Errors
    ///
    /// Stops the run if `seconds` is negative or not finite.
    #[inline]
    pub fn check_seconds(&self, unit: u32, seconds: f64) -> Result<(), Stopped> {
        if (0.0..=f64::MAX).contains(&seconds) {
            return Ok(());
        }
        Err(self.fail(Some(unit), Trouble::Seconds(seconds)))
    }

    /// Ends the run after the current event.
    pub fn halt(&self) {
        self.failed.set(true);
    }

    /// Returns `true` if a failure has stopped the run.
    #[inline]
    pub fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// Reports what the unit is waiting for, if it is being polled by [`Self::ask`].
    #[inline]
    pub fn explain(&self, wanted: impl FnOnce() -> Wanted) {
        if self.asking.get() {
            self.answer(wanted);
        }
    }

    #[cold]
    #[inline(never)]
    fn answer(&self, wanted: impl FnOnce() -> Wanted) {
        *self.answer.borrow_mut() = Some(wanted());
    }

    /// Returns what a unit is waiting for. `poll` must poll that unit, so that its wait can report
    /// the answer.
    pub fn ask(&self, poll: impl FnOnce()) -> Wanted {
        self.asking.set(true);
        self.answer.take();
        poll();
        self.asking.set(false);
        let unknown = || Wanted {
            text: "something unnamed".into(),
            process: None,
        };
        self.answer.take().unwrap_or_else(unknown)
    }
}
