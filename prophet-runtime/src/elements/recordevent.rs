//! Implements `event`, which marks a point in a stream of an accelerator.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;

element! {
    /// A mark in a stream. It is reached when all earlier operations in the stream have ended.
    /// Recording an event takes no time on the host. If it is recorded again, only the last
    /// recording counts.
    ///
    /// For an example, see [`Synchronize`](crate::Synchronize).
    RecordEvent, "event"
}

impl RecordEvent {
    /// Records an [event](Offloading::event) in a [stream](Offloading::stream).
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine doesn't have the accelerator, or if a number is out
    /// of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Offloading<'a> {
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Record, None)
    }
}
