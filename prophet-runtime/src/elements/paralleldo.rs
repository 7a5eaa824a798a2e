//! Implements worksharing loops (`paralleldo`), whose iterations are divided among the threads of a
//! team.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::threads::{Schedule, Threads};
use crate::omp::{Shared, Work};
use crate::operations::threads::share;

element! {
    /// A loop whose iterations are divided among the threads of a team, according to a
    /// [`Schedule`].
    ///
    /// Within a team, the loop runs on the team's threads, which must all reach it, and ends with a
    /// barrier. Outside of a team, or if it asks for a number of threads, it creates a new team.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Model, ParallelDo, Schedule, Simulation, System, Threads};
    ///
    /// const LOOP: ParallelDo = ParallelDo::new(0, "Loop", 1);
    /// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
    /// let model = Model::new("Even", &[], 2);
    /// let outcome = Simulation::new(&model, System::new(1, 4, 1, 4)).run(async |ctx| {
    ///     LOOP.execute(ctx, Threads::Default, 10, Schedule::Static(None), async |ctx, _| {
    ///         WORK.execute(ctx, 1.0).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ParallelDo, "paralleldo"
}

impl ParallelDo {
    /// Runs `body` for the iterations from 0 to `iterations - 1`, each in one thread of the team.
    ///
    /// # Errors
    ///
    /// The future returns the error of the first iteration that fails. It stops the run if the
    /// number of iterations is negative, if the chunk or the number of threads isn't positive, or
    /// if other threads of the team have reached a different construct.
    pub async fn execute<B>(
        &self,
        ctx: &ProcessCtx<'_>,
        threads: Threads,
        iterations: impl Into<Int>,
        schedule: Schedule,
        body: B,
    ) -> Result<(), Stopped>
    where
        B: AsyncFn(&ProcessCtx<'_>, Int) -> Result<(), Stopped>,
    {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        let count = iterations.into().0;
        let work = Work::iterations(ctx.world(), ctx.unit(), count, schedule)?;
        let iteration =
            async |ctx: &ProcessCtx<'_>, number: u64| body(ctx, Int(number.cast_signed())).await;
        share(ctx, self, threads, Shared::Loop(work), &iteration).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }
}
