//! `broadcast`: data of one process sent to all.

use super::element;
use crate::collectives::{Collective, Operation};
use crate::number::Int;
use crate::price::Price;
use crate::process::{ProcessCtx, Wait};

element! {
    /// Data of the root sent to all processes.
    ///
    /// With a cost, all wait for the last to come and each leaves after its own cost. Without
    /// one, messages go down a binomial tree, the largest subtree first.
    ///
    /// ```
    /// use prophet_runtime::{Broadcast, Model, Simulation, System};
    ///
    /// const BCAST: Broadcast = Broadcast::new(0, "Bcast", 1);
    /// let model = Model { name: "Spread", parameters: &[], elements: 1 };
    /// let simulation = Simulation::new(&model, System::new(1, 4, 4, 1));
    /// let outcome = simulation.run(async |ctx| BCAST.execute(ctx, 0, 1024, 0.25).await)?;
    /// assert_eq!(outcome.predicted_time_s, 0.25);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Broadcast, Operation::Broadcast.kind()
}

impl Broadcast {
    /// Broadcasts `bytes` from process `root`, which all processes name alike.
    ///
    /// # Errors
    ///
    /// The future stops the run when there is no such process, the size or the price is negative,
    /// or another process is in another collective.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        root: impl Into<Int>,
        bytes: impl Into<Int>,
        price: impl Price,
    ) -> Collective<'a> {
        let sizes = (root.into().0, bytes.into().0);
        Collective::new(
            Wait::unordered(ctx),
            &self.0,
            Operation::Broadcast,
            sizes,
            price.cost(),
        )
    }
}
