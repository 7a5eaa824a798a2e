//! Accounts for the time that units wait for shared resources, such as facilities, mailboxes, and
//! events.
//!
//! Only custom elements use these resources. The start of a wait is stored in the unit itself,
//! because its cache line is in use anyway when a wait begins or ends.

use super::process::ProcessCtx;
use crate::kernel::{Activity, Caller, Spending as _, Unit};

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

    #[inline]
    fn wait_begins(&self, state: &Unit) {
        let world = self.world();
        if !state.shares.replace(true) {
            state.arrive(world.now_s());
        }
        world.trace_shares(self.unit());
    }

    #[inline]
    fn wait_ends(&self, state: &Unit, served_s: f64) {
        if !state.shares.replace(false) {
            return;
        }
        let world = self.world();
        let (since_s, now_s) = (state.latest_s.get(), world.now_s());
        if now_s > since_s {
            let there_s = (now_s - served_s).max(since_s);
            state.spend(Activity::Wait, there_s - since_s);
            state.spend(Activity::Hold, served_s.min(now_s - since_s));
        }
        world.trace_shared_wait(self.unit(), since_s, served_s);
    }
}
