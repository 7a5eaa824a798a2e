//! Applies changes to the machine when they are due.

use std::sync::Arc;

use prophet_machine::changes::Changes;
use prophet_platform::Platform;
use prophet_text::Problem;

use super::{Kernel, NO_ELEMENT};
use crate::results::failure::Cause;

impl Kernel<'_> {
    #[inline]
    pub(crate) fn changes(&self) -> bool {
        self.changes.is_some()
    }

    /// Calls `look` with the machine's changes up to now. Returns `None` if the machine never
    /// changes.
    pub(crate) fn look_at_changes<T>(&self, look: impl FnOnce(&mut Changes) -> T) -> Option<T> {
        let mut changes = self.changes.as_ref()?.borrow_mut();
        let advanced = changes.advance(self.now_s());
        self.note_wrong(advanced);
        Some(look(&mut changes))
    }

    /// Returns the time of the machine's next change in simulated seconds, or infinity if there is
    /// none.
    pub(crate) fn next_change_s(&self) -> f64 {
        let Some(changes) = &self.changes else {
            return f64::INFINITY;
        };
        let next_s = changes.borrow_mut().next_s();
        self.note_wrong(next_s).unwrap_or(f64::INFINITY)
    }

    /// Returns the links between nodes, if messages share them and the machine changes.
    pub(crate) fn changing_platform(&self) -> Option<Arc<Platform>> {
        self.changes.as_ref()?.borrow().platform().cloned()
    }

    /// Ends the run if a change of the machine is invalid.
    fn note_wrong<T>(&self, read: Result<T, Problem>) -> Option<T> {
        read.map_err(|wrong| self.fail_at(None, NO_ELEMENT, Cause::Changes(wrong.into())))
            .ok()
    }
}
