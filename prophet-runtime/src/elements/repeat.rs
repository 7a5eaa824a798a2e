//! Counted loops.

use super::element;

element! {
    /// A loop whose body is repeated a number of times. It takes no time of its own.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, LoopPlus, Model, Simulation, System, iterations};
    ///
    /// const SWEEPS: LoopPlus = LoopPlus::new(0, "Sweeps", 1);
    /// const SWEEP: ActionPlus = ActionPlus::new(1, "Sweep", 2);
    ///
    /// let model = Model::new("Repeated", &[], 2);
    /// let outcome = Simulation::new(&model, System::default()).run(async |ctx| {
    ///     for sweep in iterations(4) {
    ///         ctx.turn(&SWEEPS)?;
    ///         SWEEP.execute(ctx, 0.5 * sweep.real()).await?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    LoopPlus, "loop+"
}
