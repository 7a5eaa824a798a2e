//! Processes that wait, as what they wait for knows them.

use super::{Kernel, Stopped, Unit, Waiter, Wanted};

/// A process as what it waits for knows it: one of a study, or of a simulation on this kernel.
pub trait Caller {
    /// The kernel that runs it.
    fn kernel(&self) -> &Kernel<'_>;

    /// Number of the unit in the kernel.
    fn unit(&self) -> u32;

    /// Notes that the order in which processes come matters from now on.
    #[inline]
    fn needs_order(&self) {}

    /// Notes that its unit, whose state this is, begins to wait.
    #[inline]
    fn wait_begins(&self, state: &Unit) {
        let _ = state;
    }

    /// Notes that the wait of its unit, whose state this is, is over; for the last `served_s`
    /// seconds of that it was served.
    #[inline]
    fn wait_ends(&self, state: &Unit, served_s: f64) {
        let _ = (state, served_s);
    }
}

impl<C: Caller> Caller for &C {
    #[inline]
    fn kernel(&self) -> &Kernel<'_> {
        (**self).kernel()
    }

    #[inline]
    fn unit(&self) -> u32 {
        (**self).unit()
    }

    #[inline]
    fn needs_order(&self) {
        (**self).needs_order();
    }

    #[inline]
    fn wait_begins(&self, state: &Unit) {
        (**self).wait_begins(state);
    }

    #[inline]
    fn wait_ends(&self, state: &Unit, served_s: f64) {
        (**self).wait_ends(state, served_s);
    }
}

/// The part of a leaf future that the kernel knows of: at most one wait, forgotten on drop.
#[derive(Debug)]
pub struct Wait<'a, C: Caller> {
    caller: &'a C,
    /// 0 when no wait is registered.
    generation: u32,
}

impl<'a, C: Caller> Wait<'a, C> {
    /// Creates a wait for what processes share, in the order in which they come to it.
    #[inline]
    pub fn new(caller: &'a C) -> Self {
        caller.needs_order();
        Self {
            caller,
            generation: 0,
        }
    }

    /// Returns the process that waits.
    #[inline]
    pub fn caller(&self) -> &'a C {
        self.caller
    }

    /// Returns the kernel that runs it.
    #[inline]
    pub fn kernel(&self) -> &'a Kernel<'a> {
        self.caller.kernel()
    }

    /// Returns `true` if a wait is registered.
    #[inline]
    pub fn is_registered(&self) -> bool {
        self.generation != 0
    }

    /// Returns the registered wait, as queues know it.
    #[inline]
    pub fn waiter(&self) -> Waiter {
        (self.caller.unit(), self.generation)
    }

    /// Begins a wait that something else will end.
    ///
    /// # Errors
    ///
    /// Stops the run when the process waits already.
    #[inline]
    pub fn register(&mut self) -> Result<Waiter, Stopped> {
        let (unit, state) = (self.caller.unit(), self.state());
        self.generation = self.kernel().register_state(unit, state)?;
        self.caller.wait_begins(state);
        Ok(self.waiter())
    }

    /// Begins a wait of `seconds`, which does not count as a wait for something shared.
    ///
    /// # Errors
    ///
    /// Stops the run when the time is negative or not finite, or the process waits already.
    #[inline]
    pub fn hold(&mut self, seconds: f64) -> Result<(), Stopped> {
        self.generation = self.kernel().hold(self.caller.unit(), seconds)?;
        Ok(())
    }

    /// Returns `true` if the registered wait is over; it is then no longer registered.
    #[inline]
    pub fn granted(&mut self) -> bool {
        let state = self.state();
        let granted = self.granted_to(state);
        if granted {
            self.caller.wait_ends(state, 0.0);
        }
        granted
    }

    /// Returns `true` if the registered wait for a turn of a service is over; [`Self::served`] is
    /// called when that was the last.
    #[inline]
    pub fn granted_turn(&mut self) -> bool {
        self.granted_to(self.state())
    }

    /// The state of the unit that waits.
    #[inline]
    fn state(&self) -> &'a Unit {
        self.kernel().unit(self.caller.unit())
    }

    #[inline]
    fn granted_to(&mut self, state: &Unit) -> bool {
        let granted = state.granted(self.generation);
        if granted {
            self.generation = 0;
        }
        granted
    }

    /// Accounts for a service of `seconds` that is over, and for the wait for it.
    #[inline]
    pub fn served(&self, seconds: f64) {
        self.caller.wait_ends(self.state(), seconds);
    }

    /// Ends the registered wait, found to be over by the process itself.
    pub fn give_up(&mut self) {
        let generation = std::mem::take(&mut self.generation);
        self.forget(generation);
    }

    fn forget(&self, generation: u32) {
        self.kernel().cancel(self.caller.unit(), generation);
        if !self.kernel().closes() {
            self.caller.wait_ends(self.state(), 0.0);
        }
    }

    /// Reports the object of the wait, for the message of a deadlock.
    #[inline]
    pub fn explain(&self, wanted: impl FnOnce() -> Wanted) {
        self.kernel().explain(wanted);
    }
}

impl<C: Caller> Drop for Wait<'_, C> {
    #[inline]
    fn drop(&mut self) {
        if self.generation != 0 {
            self.forget(self.generation);
        }
    }
}
