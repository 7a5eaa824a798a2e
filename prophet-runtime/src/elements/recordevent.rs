//! `event`: a mark in a stream of an accelerator.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;

element! {
    /// A mark in a stream, which comes when all operations before it are over; it takes the host no
    /// time. An event that is recorded again stands for the last time.
    ///
    /// [`Synchronize`](crate::Synchronize) has an example.
    RecordEvent, "event"
}

impl RecordEvent {
    /// Records the [event](Offloading::event) in the [stream](Offloading::stream).
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine lacks the accelerator, or a number is out of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Offloading<'a> {
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Record, None)
    }
}
