//! Implements `delay`, during which time passes without a CPU.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::price::Price;
use crate::results::failure::Cause;

element! {
    /// Time that passes without a CPU, for example because of a timer, a person, or a device that
    /// nobody else uses.
    ///
    /// ```
    /// use prophet_runtime::{Delay, Model, Simulation, System};
    ///
    /// const TIMER: Delay = Delay::new(0, "After a minute", 1);
    /// let model = Model::new("TwoOnOne", &[], 1);
    /// // Two processes on one CPU: neither needs it.
    /// let simulation = Simulation::new(&model, System::new(1, 1, 2, 1));
    /// let outcome = simulation.run(async |ctx| TIMER.execute(ctx, 60.0).await);
    /// assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(60.0));
    /// ```
    Delay, "delay"
}

impl Delay {
    /// Lets as much simulated time pass as `price` says.
    ///
    /// # Errors
    ///
    /// The future stops the run if the price is negative, not finite, or
    /// [`ByMachine`](crate::ByMachine).
    pub async fn execute(&self, ctx: &ProcessCtx<'_>, price: impl Price) -> Result<(), Stopped> {
        let charge = ctx.charge(&self.0, price);
        let start_s = ctx.begin_content(self)?;
        let seconds = ctx.seconds(charge)?;
        let seconds = seconds.ok_or_else(|| ctx.fail(Cause::Unpriced))?;
        ctx.hold(seconds).await?;
        ctx.end_content(self, start_s);
        Ok(())
    }
}
