//! The account of waits for what processes share: facilities, mailboxes, events and the like.
//!
//! Only elements of the user's own wait for these, so they are seldom in a model, and what is to be
//! known of them until they end lies in a map.

use super::World;
use crate::kernel::add;

impl World<'_> {
    /// Notes that a unit of a simulation begins to wait for something shared.
    pub(crate) fn begin_shared_wait(&self, unit: u32) {
        // The processes of a study have no account.
        if self.system.processes > 0 {
            let now_s = self.now_s();
            let mut since_s = self.shared_waits.borrow_mut();
            since_s.entry(unit).or_insert(now_s);
            self.trace_shares(unit);
        }
    }

    /// Accounts for a wait that is over, `held_s` of which was service.
    pub(crate) fn end_shared_wait(&self, unit: u32, held_s: f64) {
        let Some(since_s) = self.shared_waits.borrow_mut().remove(&unit) else {
            return;
        };
        let now_s = self.now_s();
        let served_s = (now_s - held_s).max(since_s);
        let state = self.unit(unit);
        add(&state.wait_s, served_s - since_s);
        add(&state.hold_s, held_s.min(now_s - since_s));
        self.trace_shared_wait(unit, (since_s, served_s), now_s);
    }
}
