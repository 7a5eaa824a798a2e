//! The account of waits for what processes share: facilities, mailboxes, events and the like.
//!
//! Only elements of the user's own wait for these, so they are seldom in a model, and what is to be
//! known of them until they end lies in a map.

use super::World;
use super::process::ProcessCtx;
use crate::kernel::{Activity, Caller, Spending as _};

impl Caller for ProcessCtx<'_> {
    #[inline]
    fn kernel(&self) -> &prophet_sim::kernel::Kernel<'_> {
        self.world()
    }

    #[inline]
    fn unit(&self) -> u32 {
        self.unit()
    }

    #[inline]
    fn needs_order(&self) {
        self.world().needs_order("facilities, mailboxes or events");
    }

    fn wait_begins(&self) {
        self.world().begin_shared_wait(self.unit());
    }

    fn wait_ends(&self, served_s: f64) {
        self.world().end_shared_wait(self.unit(), served_s);
    }
}

impl World<'_> {
    /// Notes that a unit begins to wait for something shared.
    fn begin_shared_wait(&self, unit: u32) {
        let now_s = self.now_s();
        let mut since_s = self.shared_waits.borrow_mut();
        since_s.entry(unit).or_insert(now_s);
        self.trace_shares(unit);
    }

    /// Accounts for a wait that is over, `held_s` of which was service.
    fn end_shared_wait(&self, unit: u32, held_s: f64) {
        let Some(since_s) = self.shared_waits.borrow_mut().remove(&unit) else {
            return;
        };
        let now_s = self.now_s();
        let served_s = (now_s - held_s).max(since_s);
        let state = self.unit(unit);
        state.spend(Activity::Wait, served_s - since_s);
        state.spend(Activity::Hold, held_s.min(now_s - since_s));
        self.trace_shared_wait(unit, (since_s, served_s), now_s);
    }
}
