//! Implements forks, whose branches run in parallel until they join.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::operations::threads::{Region, fork_join};

element! {
    /// Branches that run at the same time, each in a thread of the process. The fork ends when all
    /// branches have ended.
    ///
    /// The thread that reaches the fork runs branch 0. The branches aren't a team, so a team's
    /// construct inside a branch has a team of its own.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Fork, Model, Simulation, System};
    ///
    /// const FORK: Fork = Fork::new(0, "Fork", 1);
    /// const WRITE: ActionPlus = ActionPlus::new(1, "Write", 2);
    /// const SOLVE: ActionPlus = ActionPlus::new(2, "Solve", 3);
    /// let model = Model::new("Two branches", &[], 3);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
    ///     FORK.execute(ctx, 2, async |ctx, branch| match branch {
    ///         0 => WRITE.execute(ctx, 1.0).await,
    ///         _ => SOLVE.execute(ctx, 3.0).await,
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Fork, "fork"
}

impl Fork {
    /// Runs `body` for each branch from 0 to `branches - 1`. Each branch has its own thread, with
    /// the same number.
    ///
    /// # Errors
    ///
    /// The future returns the error of the first branch that fails. It stops the run if `branches`
    /// is 0.
    pub async fn execute<B>(
        &self,
        ctx: &ProcessCtx<'_>,
        branches: u32,
        body: B,
    ) -> Result<(), Stopped>
    where
        B: AsyncFn(&ProcessCtx<'_>, u32) -> Result<(), Stopped>,
    {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        let branch = async |ctx: &ProcessCtx<'_>| body(ctx, ctx.thread()).await;
        fork_join(ctx, Region::fork(&self.0, branches), &branch).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }
}
