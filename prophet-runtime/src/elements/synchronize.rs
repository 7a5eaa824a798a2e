//! Implements `synchronize`, which waits for an accelerator.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;

element! {
    /// Makes the host wait for the device or, if you name one, for a stream or an event. If you
    /// name both, the stream waits for the event, and the host continues. An event that hasn't been
    /// recorded counts as reached.
    ///
    /// ```
    /// use prophet_runtime::{Accelerator, DeviceLink, Kernel, Model, RecordEvent, Simulation};
    /// use prophet_runtime::{Synchronize, System};
    ///
    /// const LONG: Kernel = Kernel::new(0, "Long", 1);
    /// const DONE: RecordEvent = RecordEvent::new(1, "Done", 2);
    /// const WAIT: Synchronize = Synchronize::new(2, "Wait", 3);
    /// const SHORT: Kernel = Kernel::new(3, "Short", 4);
    /// let model = Model::new("Two streams", &[], 4);
    /// let mut system = System::new(1, 1, 1, 1);
    /// let link = DeviceLink { latency_s: 0.0, bandwidth: 1e9 };
    /// system.accelerators = [Accelerator::new("gpu", 1e12, link)].into();
    /// let run = Simulation::new(&model, system).run(async |ctx| {
    ///     LONG.execute(ctx, 2.0).stream(1).share(0.5).await?;
    ///     DONE.execute(ctx).event(0).stream(1).await?;
    ///     WAIT.execute(ctx).event(0).stream(2).await?;
    ///     // There is room for both kernels, but this one waits for the event.
    ///     SHORT.execute(ctx, 1.0).stream(2).share(0.5).await?;
    ///     WAIT.execute(ctx).stream(2).await
    /// });
    /// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(3.0));
    /// ```
    Synchronize, "synchronize"
}

impl Synchronize {
    /// Waits for the device, stream, or event.
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine doesn't have the accelerator, or if a number is out
    /// of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Offloading<'a> {
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Synchronize, None)
    }
}
