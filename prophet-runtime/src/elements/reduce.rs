//! `allreduce`: data of all processes combined, for all of them.

use super::element;
use crate::collectives::{Collective, Operation};
use crate::number::Int;
use crate::price::Price;
use crate::process::{ProcessCtx, Wait};

element! {
    /// Data of all processes combined, for all of them.
    ///
    /// With a cost, all wait for the last to come and each leaves after its own cost. Without
    /// one, messages are exchanged by recursive doubling; combining is free.
    ///
    /// ```
    /// use prophet_runtime::{AllReduce, ByMachine, Model, Network, Simulation, System};
    ///
    /// const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    /// let model = Model { name: "Sum", parameters: &[], elements: 1 };
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.5, bytes_per_s: 16.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| SUM.execute(ctx, 8, ByMachine).await)?;
    /// // Two rounds of 0.5 s and 8 bytes at 16 bytes a second.
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    AllReduce, Operation::AllReduce.kind()
}

impl AllReduce {
    /// Reduces vectors of `bytes`, the same for all processes.
    ///
    /// # Errors
    ///
    /// The future stops the run when the size or the price is negative, or another process is in
    /// another collective.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        bytes: impl Into<Int>,
        price: impl Price,
    ) -> Collective<'a> {
        let sizes = (0, bytes.into().0);
        Collective::new(
            Wait::unordered(ctx),
            &self.0,
            Operation::AllReduce,
            sizes,
            price.cost(),
        )
    }
}
