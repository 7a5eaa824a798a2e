//! Implements barriers in teams (`ompbarrier`): no thread continues before all have arrived.

use super::action::Computing;
use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::price::Price;
use crate::operations::threads::meet;

element! {
    /// A point that no thread of a team passes before all of its threads have arrived. The barrier
    /// itself takes no time.
    ///
    /// ```
    /// use prophet_runtime::{Model, OmpBarrier, Parallel, Simulation, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const MEET: OmpBarrier = OmpBarrier::new(1, "Meet", 2);
    /// let model = Model::new("Meeting", &[], 2);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         ctx.hold(1.0 + ctx.tid().real()).await?;
    ///         MEET.execute(ctx).await?;
    ///         ctx.hold(2.0 - ctx.tid().real()).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 4.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    OmpBarrier, "ompbarrier"
}

impl OmpBarrier {
    /// Waits until all threads of the team have arrived. Outside of a team, this does nothing.
    ///
    /// # Errors
    ///
    /// The future stops the run if other threads of the team have reached a different construct of
    /// the team, or the end of their region.
    pub async fn execute(&self, ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        meet(ctx, &self.0).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }

    /// Waits like [`Self::execute`]. Each thread then needs a CPU for as long as its `price` says.
    ///
    /// # Errors
    ///
    /// The future stops the run in the same cases as [`Self::execute`], and if the price is
    /// negative, not finite, or [`ByMachine`](crate::ByMachine).
    pub async fn execute_priced(
        &self,
        ctx: &ProcessCtx<'_>,
        price: impl Price,
    ) -> Result<(), Stopped> {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        meet(ctx, &self.0).await?;
        Computing::content(ctx, &self.0, price).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }
}
