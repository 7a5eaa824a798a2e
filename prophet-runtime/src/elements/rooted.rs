//! Collectives with a root: `broadcast`, `reduce`, `gather`, `scatter`.
//!
//! With a cost, all processes wait for the last to come and each leaves after its own cost. Without
//! one, the algorithm chosen by [`Algorithms`](crate::Algorithms) sends messages; combining is
//! free.

use super::element;
use crate::engine::process::{ProcessCtx, Wait};
use crate::language::number::Int;
use crate::language::price::Price;
use crate::machine::operation::Operation;
use crate::operations::collective::Collective;

/// Defines a collective with a root.
macro_rules! rooted {
    ($(#[$doc:meta])* $name:ident, $(#[$execute:meta])*) => {
        element! {
            $(#[$doc])*
            $name, Operation::$name.kind()
        }

        impl $name {
            $(#[$execute])*
            ///
            /// # Errors
            ///
            /// The future stops the run when there is no such root, the size or the price is
            /// negative, or another process is in another collective or names another root or
            /// size.
            pub fn execute<'a>(
                &'a self,
                ctx: &'a ProcessCtx<'_>,
                root: impl Into<Int>,
                bytes: impl Into<Int>,
                price: impl Price,
            ) -> Collective<'a> {
                let sizes = (root.into().0, bytes.into().0);
                let wait = Wait::new(ctx);
                let cost = ctx.charge(&self.0, price);
                Collective::new(wait, &self.0, Operation::$name, sizes, cost)
            }
        }
    };
}

rooted! {
    /// A vector of the root for all processes.
    ///
    /// ```
    /// use prophet_runtime::{Broadcast, Model, Simulation, System};
    ///
    /// const BCAST: Broadcast = Broadcast::new(0, "Bcast", 1);
    /// let model = Model::new("Spread", &[], 1);
    /// let simulation = Simulation::new(&model, System::new(1, 4, 4, 1));
    /// let outcome = simulation.run(async |ctx| BCAST.execute(ctx, 0, 1024, 0.25).await)?;
    /// assert_eq!(outcome.predicted_time_s, 0.25);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Broadcast,
    /// Broadcasts a vector of `bytes` from process `root`.
}

rooted! {
    /// A vector of each process, combined, for the root.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Model, Network, Reduce, Simulation, System};
    ///
    /// const SUM: Reduce = Reduce::new(0, "Sum", 1);
    /// let model = Model::new("Sum", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.5, bytes_per_s: 16.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| SUM.execute(ctx, 0, 8, ByMachine).await)?;
    /// // Up a tree of two levels: 0.5 s and 8 bytes at 16 bytes a second, twice.
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Reduce,
    /// Combines vectors of `bytes` for process `root`.
}

rooted! {
    /// A block of each process for the root.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Gather, Model, Network, Simulation, System};
    ///
    /// const COLLECT: Gather = Gather::new(0, "Collect", 1);
    /// let model = Model::new("Collect", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| COLLECT.execute(ctx, 0, 1, ByMachine).await)?;
    /// // One block, then two of them, up a tree.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Gather,
    /// Gathers a block of `bytes` from each process at process `root`.
}

rooted! {
    /// A block of the root for each process.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Model, Network, Scatter, Simulation, System};
    ///
    /// const DEAL: Scatter = Scatter::new(0, "Deal", 1);
    /// let model = Model::new("Deal", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| DEAL.execute(ctx, 0, 1, ByMachine).await)?;
    /// // Two blocks, then one of them, down a tree.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Scatter,
    /// Scatters blocks of `bytes`, one to each process, from process `root`.
}
