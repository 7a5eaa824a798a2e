//! The account of waits for what processes share: facilities, mailboxes, events and the like.
//!
//! Only elements of the user's own wait for these, so they are seldom in a model, and what is to be
//! known of them until they end lies beside the units, once there is one.

use std::cell::RefCell;

use super::World;
use super::process::ProcessCtx;
use crate::kernel::{Activity, Caller, Spending as _};

/// Time since which each unit waits, in simulated seconds, by unit; NaN for one that does not.
#[derive(Debug, Default)]
pub(super) struct SharedWaits(RefCell<Vec<f64>>);

impl SharedWaits {
    /// Notes that a unit waits from now on, unless it does already.
    #[inline]
    fn begin(&self, unit: u32, now_s: f64) {
        let (mut since_s, place) = (self.0.borrow_mut(), unit as usize);
        if place >= since_s.len() {
            since_s.resize(place + 1, f64::NAN);
        }
        if since_s[place].is_nan() {
            since_s[place] = now_s;
        }
    }

    /// Ends the wait of a unit, and returns its start if there is one.
    #[inline]
    fn end(&self, unit: u32) -> Option<f64> {
        let mut since_s = self.0.borrow_mut();
        let since_s = since_s.get_mut(unit as usize)?;
        let start_s = std::mem::replace(since_s, f64::NAN);
        (!start_s.is_nan()).then_some(start_s)
    }
}

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
    fn wait_begins(&self) {
        self.world().begin_shared_wait(self.unit());
    }

    #[inline]
    fn wait_ends(&self, served_s: f64) {
        self.world().end_shared_wait(self.unit(), served_s);
    }
}

impl World<'_> {
    /// Notes that a unit begins to wait for something shared.
    #[inline]
    fn begin_shared_wait(&self, unit: u32) {
        self.shared_waits.begin(unit, self.now_s());
        self.trace_shares(unit);
    }

    /// Accounts for a wait that is over, `held_s` of which was service.
    #[inline]
    fn end_shared_wait(&self, unit: u32, held_s: f64) {
        let Some(since_s) = self.shared_waits.end(unit) else {
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
