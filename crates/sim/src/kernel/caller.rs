//! Connects waiting processes to what they wait for.

use super::{Kernel, Stopped, Unit, Waiter, Wanted};

/// A process that waits for resources, in a study or in another simulation on this kernel.
pub trait Caller {
    /// Returns the kernel in which the process runs.
    fn kernel(&self) -> &Kernel<'_>;

    /// Returns the number of the process's unit in the kernel.
    fn unit(&self) -> u32;

    /// Called when the process uses something for which the order of arrival matters.
    #[inline]
    fn needs_order(&self) {}

    /// Called when the process begins to wait. `state` is its unit's state.
    #[inline]
    fn wait_begins(&self, state: &Unit) {
        let _ = state;
    }

    /// Called when the process's wait is over. The process was being served for the last `served_s`
    /// seconds of that wait.
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

/// The kernel's part of a leaf future: at most one wait, which is canceled when this is dropped.
#[derive(Debug)]
pub struct Wait<'a, C: Caller> {
    caller: &'a C,
    /// Generation of the registered wait; 0 if no wait is registered.
    generation: u32,
}

impl<'a, C: Caller> Wait<'a, C> {
    /// Creates a wait for something shared, where the order of arrival matters.
    #[inline]
    pub fn new(caller: &'a C) -> Self {
        caller.needs_order();
        Self {
            caller,
            generation: 0,
        }
    }

    /// Returns the waiting process.
    #[inline]
    pub fn caller(&self) -> &'a C {
        self.caller
    }

    /// Returns the kernel that runs the process.
    #[inline]
    pub fn kernel(&self) -> &'a Kernel<'a> {
        self.caller.kernel()
    }

    /// Returns `true` if a wait is registered.
    #[inline]
    pub fn is_registered(&self) -> bool {
        self.generation != 0
    }

    /// Returns the registered wait, for use in a queue.
    #[inline]
    pub fn waiter(&self) -> Waiter {
        (self.caller.unit(), self.generation)
    }

    /// Begins a wait that another process or a resource will end.
    ///
    /// # Errors
    ///
    /// Stops the run if the process is already waiting.
    #[inline]
    pub fn register(&mut self) -> Result<Waiter, Stopped> {
        let (unit, state) = (self.caller.unit(), self.state());
        self.generation = self.kernel().register_state(unit, state)?;
        self.caller.wait_begins(state);
        Ok(self.waiter())
    }

    /// Begins a wait of `seconds`, which doesn't count as waiting for something shared.
    ///
    /// # Errors
    ///
    /// Stops the run if the time is negative or not finite, or if the process is already waiting.
    #[inline]
    pub fn hold(&mut self, seconds: f64) -> Result<(), Stopped> {
        self.generation = self.kernel().hold(self.caller.unit(), seconds)?;
        Ok(())
    }

    /// Returns `true` if the registered wait is over, and unregisters it.
    #[inline]
    pub fn granted(&mut self) -> bool {
        let state = self.state();
        let granted = self.granted_to(state);
        if granted {
            self.caller.wait_ends(state, 0.0);
        }
        granted
    }

    /// Returns `true` if the registered wait for one turn of a service is over. After the last
    /// turn, call [`Self::served`].
    #[inline]
    pub fn granted_turn(&mut self) -> bool {
        self.granted_to(self.state())
    }

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

    /// Records a completed service of `seconds`, and the time spent waiting for it.
    #[inline]
    pub fn served(&self, seconds: f64) {
        self.caller.wait_ends(self.state(), seconds);
    }

    /// Ends the registered wait because the process itself found out that it is over.
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

    /// Reports what the process is waiting for, for the message about a deadlock.
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
