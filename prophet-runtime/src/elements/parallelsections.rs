//! Implements `parallelsections`, whose sections are divided among the threads of a team.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::threads::Threads;
use crate::omp::{Shared, Work};
use crate::operations::threads::share;

element! {
    /// Sections that each run once, on any free thread of a team. If several threads are free, the
    /// one with the lowest number gets the next section.
    ///
    /// Within a team, the sections run on the team's threads, which must all reach the element, and
    /// end with a barrier. Outside of a team, or if it asks for a number of threads, the element
    /// creates a new team.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Model, ParallelSections, Simulation, System, Threads};
    ///
    /// const PARTS: ParallelSections = ParallelSections::new(0, "Parts", 1);
    /// const READ: ActionPlus = ActionPlus::new(1, "Read", 2);
    /// const SOLVE: ActionPlus = ActionPlus::new(2, "Solve", 3);
    /// let model = Model::new("Three parts", &[], 3);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
    ///     PARTS.execute(ctx, Threads::Default, 3, async |ctx, section| match section {
    ///         0 => READ.execute(ctx, 1.0).await,
    ///         1 => SOLVE.execute(ctx, 3.0).await,
    ///         _ => READ.execute(ctx, 1.5).await,
    ///     })
    ///     .await
    /// })?;
    /// // Thread 0 runs the first and the last.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ParallelSections, "parallelsections"
}

impl ParallelSections {
    /// Runs `body` for the sections from 0 to `sections - 1`, each in one thread of the team.
    ///
    /// # Errors
    ///
    /// The future returns the error of the first section that fails. It stops the run if the number
    /// of threads isn't positive, or if other threads of the team have reached a different
    /// construct.
    pub async fn execute<B>(
        &self,
        ctx: &ProcessCtx<'_>,
        threads: Threads,
        sections: u32,
        body: B,
    ) -> Result<(), Stopped>
    where
        B: AsyncFn(&ProcessCtx<'_>, u32) -> Result<(), Stopped>,
    {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        let shared = Shared::Sections(Work::sections(sections));
        let section = async |ctx: &ProcessCtx<'_>, number: u64| {
            // The number is less than `sections`.
            body(ctx, u32::try_from(number).unwrap_or(u32::MAX)).await
        };
        share(ctx, self, threads, shared, &section).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }
}
