//! Implements `single`, whose content one thread runs for its team.

use super::element;
use super::gate::gate;
use crate::operations::threads::FirstToCome;

element! {
    /// Work that the first thread to arrive does for its team while the others wait.
    ///
    /// If several threads arrive at the same instant, the one with the lowest number does the work.
    ///
    /// ```
    /// use prophet_runtime::{Model, Parallel, Simulation, Single, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const READ: Single = Single::new(1, "Read", 2);
    /// let model = Model::new("Once", &[], 2);
    /// let outcome = Simulation::new(&model, System::new(1, 4, 1, 4)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         ctx.hold(4.0 - ctx.tid().real()).await?;
    ///         READ.execute(ctx, READ.compute(ctx, 10.0)).await
    ///     })
    ///     .await
    /// })?;
    /// // Thread 3 comes after 1 s.
    /// assert_eq!(outcome.predicted_time_s, 11.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Single, "single"
}

gate! {
    /// Runs the content if this thread arrives first, and otherwise waits until it has been run.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content. It stops the run if other threads of the team
    /// have reached a different construct.
    Single, |this, ctx| FirstToCome::new(ctx, &this.0)
}
