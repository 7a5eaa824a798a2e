//! Implements `event`, which marks a point in an accelerator's stream.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;

element! {
    /// A mark in a stream, which is reached when all earlier operations of the stream have ended.
    /// It takes no time on the host. If an event is recorded again, the last recording counts.
    ///
    /// For an example, see [`Synchronize`](crate::Synchronize).
    RecordEvent, "event"
}

impl RecordEvent {
    /// Records the [event](Offloading::event) in the [stream](Offloading::stream).
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine doesn't have the accelerator, or if a number is out
    /// of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Offloading<'a> {
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Record, None)
    }
}
