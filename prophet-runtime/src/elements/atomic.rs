//! Atomic updates (`atomic`), each made by one thread of a process at a time.

use super::{Computing, element};
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::price::Price;
use crate::omp::LockName;
use crate::operations::threads::{Holding, gated};

element! {
    /// An update made by one thread of a process at a time; each such element has a lock of its
    /// own.
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

impl Atomic {
    /// Waits until no other thread of the process is in this same element, and runs the content.
    ///
    /// # Errors
    ///
    /// The future fails as its content does.
    pub fn execute<'a, F>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        content: F,
    ) -> impl Future<Output = Result<(), Stopped>>
    where
        F: Future<Output = Result<(), Stopped>>,
    {
        let gate = Holding::new(ctx, LockName::Atomic(self.0.index), self.0.index);
        gated(ctx, (&self.0, Self::KIND), gate, content)
    }

    /// Content of an element that is drawn as an action: it holds a CPU for its price.
    ///
    /// # Errors
    ///
    /// The future stops the run when the price is negative, not finite, or left to the machine.
    pub fn compute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Computing<'a> {
        Computing::content(ctx, &self.0, price)
    }
}
