//! Implements `parallel`, whose content is run by a team of threads.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::threads::Threads;
use crate::operations::threads::{Region, fork_join};

element! {
    /// A region that each thread of a team runs. It ends when all threads have reached its end.
    ///
    /// The thread that reaches the region becomes thread 0 of the team. All threads share the
    /// memory of their process, and each needs a CPU of its node to compute.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Model, Parallel, Simulation, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
    /// let model = Model::new("Uneven", &[], 2);
    /// // One process of 4 threads on 4 CPUs.
    /// let outcome = Simulation::new(&model, System::new(1, 4, 1, 4)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         WORK.execute(ctx, 1.0 + ctx.tid().real()).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 4.0);
    /// assert_eq!(outcome.processes[0].compute_s, (1.0 + 2.0 + 3.0 + 4.0) / 4.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Parallel, "parallel"
}

impl Parallel {
    /// Runs `body` in each thread of a new team.
    ///
    /// # Errors
    ///
    /// The future returns the error of the first thread that fails. It stops the run if the team
    /// has no threads, or more than 65,536.
    pub async fn execute<B>(
        &self,
        ctx: &ProcessCtx<'_>,
        threads: Threads,
        body: B,
    ) -> Result<(), Stopped>
    where
        B: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
    {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        fork_join(ctx, Region::team(&self.0, threads), &body).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }
}
