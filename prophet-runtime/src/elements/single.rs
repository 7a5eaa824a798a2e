//! Single constructs (`single`): work that one thread does for its team.

use super::element;
use super::gate::gate;
use crate::operations::threads::FirstToCome;

element! {
    /// Work that the first thread of a team to come does for all; the others wait until it is done.
    ///
    /// Among threads that come at one instant, the lowest is the first.
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
    /// Runs the content if this thread is the first to come, and waits for the team.
    ///
    /// # Errors
    ///
    /// The future fails as its content does, and stops the run when others of the team
    /// are elsewhere.
    Single, |this, ctx| FirstToCome::new(ctx, &this.0)
}
