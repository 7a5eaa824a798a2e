//! Implements barriers (`barrier`): no process leaves before all have arrived.

use prophet_machine::operation::Operation;

use super::element;
use crate::engine::process::{ProcessCtx, Wait};
use crate::language::price::Price;
use crate::operations::collective::Collective;

element! {
    /// A point that no process passes before all processes have arrived.
    ///
    /// If the barrier has a cost, each process continues after the last arrival plus its own cost.
    /// Otherwise, the processes exchange empty messages, with the algorithm chosen in
    /// [`Algorithms`](crate::Algorithms).
    ///
    /// ```
    /// use prophet_runtime::{Barrier, Model, Simulation, System};
    ///
    /// const BARRIER: Barrier = Barrier::new(0, "Barrier", 1);
    /// let model = Model::new("Meet", &[], 1);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 2, 1)).run(async |ctx| {
    ///     ctx.hold(ctx.pid().0 as f64).await?;
    ///     BARRIER.execute(ctx, 0.5).await
    /// })?;
    /// assert_eq!(outcome.processes[0].end_s, 1.5);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Barrier, Operation::Barrier.kind()
}

impl Barrier {
    /// Waits until all processes have arrived.
    ///
    /// # Errors
    ///
    /// The future stops the run if the price is negative, or if another process calls a different
    /// collective.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Collective<'a> {
        Collective::new(
            Wait::new(ctx),
            &self.0,
            Operation::Barrier,
            (0, 0),
            ctx.charge(&self.0, price),
        )
    }
}
