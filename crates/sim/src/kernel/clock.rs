//! Defines the clock of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The simulated time of a run, which you can still read after the run.
///
/// A relaxed atomic costs the same as a cell, and lets objects that contain a clock, such as the
/// results of a run, move to other threads.
#[derive(Debug, Clone)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(0)))
    }

    /// Returns the simulated time, in seconds.
    #[inline]
    pub fn now_s(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn set(&self, now_s: f64) {
        self.0.store(now_s.to_bits(), Ordering::Relaxed);
    }

    /// Returns the address of the clock, which is unique while the clock is in use.
    #[inline]
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}
