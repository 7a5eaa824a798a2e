//! Implements `acceptsignal`, which waits for a signal from another flow of the same process.

use super::signaling_element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::operations::threads::accept;

signaling_element! {
    /// An action that waits for a signal from within its process. Each signal is kept until a flow
    /// accepts it. If several flows are waiting, the one that has waited longest gets the signal.
    ///
    /// ```
    /// use prophet_runtime::{AcceptSignal, Delay, Fork, Model, SendSignal, Simulation, System};
    ///
    /// const FORK: Fork = Fork::new(0, "Fork", 1);
    /// const MAKE: Delay = Delay::new(1, "Make", 2);
    /// const TELL: SendSignal = SendSignal::new(2, "Tell", 3).signal(0, "Made");
    /// const WAIT: AcceptSignal = AcceptSignal::new(3, "Wait", 4).signal(0, "Made");
    /// const SHIP: Delay = Delay::new(4, "Ship", 5);
    /// let model = Model::new("Two flows", &[], 5);
    /// let outcome = Simulation::new(&model, System::default()).run(async |ctx| {
    ///     FORK.execute(ctx, 2, async |ctx, branch| {
    ///         if branch == 0 {
    ///             MAKE.execute(ctx, 3.0).await?;
    ///             return TELL.execute(ctx).await;
    ///         }
    ///         WAIT.execute(ctx).await?;
    ///         SHIP.execute(ctx, 1.0).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 4.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    AcceptSignal, "acceptsignal"
}

impl AcceptSignal {
    /// Waits for the signal and consumes it.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process runs forever without time advancing.
    pub async fn execute(&self, ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        let start_s = ctx.begin_threads(&self.element, Self::KIND)?;
        accept(ctx, self.signal).await?;
        ctx.finish_content(&self.element, start_s);
        Ok(())
    }
}
