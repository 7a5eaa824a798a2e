//! Implements single constructs (`single`), which one thread runs for its team.

use super::element;
use super::gate::gate;
use crate::operations::threads::FirstToCome;

element! {
    /// Work that the first thread to arrive does for its team, while the other threads wait for it.
    ///
    /// Among threads that arrive at the same instant, the one with the lowest number is first.
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
    /// Runs the content if this thread arrives first, and waits for the team.
    ///
    /// # Errors
    ///
    /// The future returns the error of its content. It stops the run if other threads of the team
    /// are elsewhere.
    Single, |this, ctx| FirstToCome::new(ctx, &this.0)
}
