//! Implements critical sections (`critical`), which only one thread of a process can enter at a
//! time.

use super::element;
use super::gate::gate;
use crate::omp::LockName;
use crate::operations::threads::Holding;

element! {
    /// A part of a program that only one thread of a process can run at a time, first come, first
    /// served. Threads that arrive at the same instant enter in the order of their numbers.
    ///
    /// Within a process, critical sections with the same name exclude each other. So do all those
    /// without a name.
    ///
    /// ```
    /// use prophet_runtime::{Critical, Model, Parallel, Simulation, System, Threads};
    ///
    /// const TEAM: Parallel = Parallel::new(0, "Team", 1);
    /// const UPDATE: Critical = Critical::new(1, "Update", 2).named(1);
    /// let model = Model::new("One by one", &[], 2);
    /// // A process of 4 threads on 4 CPUs.
    /// let outcome = Simulation::new(&model, System::new(1, 4, 1, 4)).run(async |ctx| {
    ///     TEAM.execute(ctx, Threads::Default, async |ctx| {
    ///         UPDATE.execute(ctx, UPDATE.compute(ctx, 0.5)).await
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// assert_eq!(outcome.processes[0].wait_s, (0.5 + 1.0 + 1.5 + (1.5 + 1.0 + 0.5)) / 4.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Critical, "critical", lock: u32 = 0
}

impl Critical {
    /// Sets the lock, by the number that the model gives its name. Critical sections without a name
    /// share lock 0.
    #[must_use]
    pub const fn named(self, lock: u32) -> Self {
        Self { lock, ..self }
    }
}

gate! {
    /// Waits until no other thread of the process is in a critical section of the same name, and
    /// then runs the content.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content.
    Critical, |this, ctx| Holding::new(ctx, LockName::Critical(this.lock), this.element.index)
}
