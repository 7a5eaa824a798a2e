//! Implements atomic updates (`atomic`), which only one thread of a process can perform at a time.

use super::element;
use super::gate::gate;
use crate::omp::LockName;
use crate::operations::threads::Holding;

element! {
    /// An update that only one thread of a process can perform at a time. Each atomic element has
    /// its own lock.
    ///
    /// ```
    /// use prophet_runtime::{Atomic, Model, Parallel, Simulation, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const COUNT: Atomic = Atomic::new(1, "Count", 2);
    /// const SUM: Atomic = Atomic::new(2, "Sum", 3);
    /// let model = Model::new("Two sums", &[], 3);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         COUNT.execute(ctx, COUNT.compute(ctx, 1.0)).await?;
    ///         SUM.execute(ctx, SUM.compute(ctx, 1.0)).await
    ///     })
    ///     .await
    /// })?;
    /// // The second thread counts while the first sums.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Atomic, "atomic"
}

gate! {
    /// Waits until no other thread of the process is in this element, and then runs the content.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content.
    Atomic, |this, ctx| Holding::new(ctx, LockName::Atomic(this.0.index), this.0.index)
}
