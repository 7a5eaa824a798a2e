//! Implements `master`, which only thread 0 of a team runs.

use super::element;
use super::gate::gate;
use crate::operations::threads::FirstThread;

element! {
    /// Work that only thread 0 of a team does. The other threads skip it.
    ///
    /// ```
    /// use prophet_runtime::{Master, Model, Parallel, Simulation, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const REPORT: Master = Master::new(1, "Report", 2);
    /// let model = Model::new("First", &[], 2);
    /// let outcome = Simulation::new(&model, System::new(1, 4, 1, 4)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         REPORT.execute(ctx, REPORT.compute(ctx, 1.0)).await?;
    ///         ctx.hold(2.0).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// assert_eq!(outcome.processes[0].compute_s, 1.0 / 4.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Master, "master"
}

gate! {
    /// Runs the content if this is thread 0 of its team.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content.
    Master, |_this, ctx| FirstThread { ctx }
}
