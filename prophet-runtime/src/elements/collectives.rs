//! Implements collectives, with a root (`broadcast`, `reduce`, `gather`, `scatter`) and without
//! (`allreduce`, `allgather`, `alltoall`, `reducescatter`, `scan`).
//!
//! If the element has a cost, all processes wait for the last one to arrive, and each continues
//! after its own cost. Otherwise, the algorithm chosen in [`Algorithms`](crate::Algorithms) sends
//! messages. Combining the data takes no time.

use prophet_machine::operation::Operation;

use super::element;
use crate::engine::process::{ProcessCtx, Wait};
use crate::language::number::Int;
use crate::language::price::Price;
use crate::operations::collective::Collective;

/// Defines a collective. It has a root if the argument's name is given.
macro_rules! collective {
    ($(#[$doc:meta])* $name:ident($($root:ident)?), $(#[$execute:meta])*) => {
        element! {
            $(#[$doc])*
            $name, Operation::$name.kind()
        }

        impl $name {
            $(#[$execute])*
            ///
            /// # Errors
            ///
            /// The future stops the run if the root doesn't exist, if the size or the price is
            /// negative, or if another process calls a different collective or passes a different
            /// root or size.
            pub fn execute<'a>(
                &'a self,
                ctx: &'a ProcessCtx<'_>,
                $($root: impl Into<Int>,)?
                bytes: impl Into<Int>,
                price: impl Price,
            ) -> Collective<'a> {
                let root = None $(.or(Some($root.into().0)))?;
                let sizes = (root.unwrap_or(0), bytes.into().0);
                let wait = Wait::new(ctx);
                let cost = ctx.charge(&self.0, price);
                Collective::new(wait, &self.0, Operation::$name, sizes, cost)
            }
        }
    };
}

collective! {
    /// A collective that sends a vector from the root to all processes.
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
    Broadcast(root),
    /// Sends a vector of `bytes` from process `root` to all processes.
}

collective! {
    /// A collective that combines the vectors of all processes at the root.
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
    Reduce(root),
    /// Combines the vectors of `bytes` of all processes at process `root`.
}

collective! {
    /// A collective that sends a block from each process to the root.
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
    Gather(root),
    /// Sends a block of `bytes` from each process to process `root`.
}

collective! {
    /// A collective that sends a different block from the root to each process.
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
    Scatter(root),
    /// Sends a different block of `bytes` from process `root` to each process.
}

collective! {
    /// A collective that combines the vectors of all processes and gives each process the result.
    ///
    /// ```
    /// use prophet_runtime::{AllReduce, ByMachine, Model, Network, Simulation, System};
    ///
    /// const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    /// let model = Model::new("Sum", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.5, bytes_per_s: 16.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| SUM.execute(ctx, 8, ByMachine).await)?;
    /// // Two rounds of 0.5 s and 8 bytes at 16 bytes a second.
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    AllReduce(),
    /// Combines the vectors of `bytes` of all processes, for each process.
}

collective! {
    /// A collective that sends a block from each process to all processes.
    ///
    /// ```
    /// use prophet_runtime::{AllGather, ByMachine, Model, Network, Simulation, System};
    ///
    /// const SHARE: AllGather = AllGather::new(0, "Share", 1);
    /// let model = Model::new("Share", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| SHARE.execute(ctx, 1, ByMachine).await)?;
    /// // One block, then two of them.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    AllGather(),
    /// Sends a block of `bytes` from each process to all processes.
}

collective! {
    /// A collective that sends a different block from each process to every other process.
    ///
    /// ```
    /// use prophet_runtime::{AllToAll, ByMachine, Model, Network, Simulation, System};
    ///
    /// const TRANSPOSE: AllToAll = AllToAll::new(0, "Transpose", 1);
    /// let model = Model::new("Transpose", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1e6 };
    /// let simulation = Simulation::new(&model, system);
    /// let run = simulation.run(async |ctx| TRANSPOSE.execute(ctx, 1_000_000, ByMachine).await);
    /// // With each of three others in turn.
    /// assert_eq!(run?.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    AllToAll(),
    /// Sends a different block of `bytes` from each process to every other process.
}

collective! {
    /// A collective that combines the vectors of all processes and gives each process a part of the
    /// result.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Model, Network, ReduceScatter, Simulation, System};
    ///
    /// const SUM: ReduceScatter = ReduceScatter::new(0, "Sum", 1);
    /// let model = Model::new("Sum", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| SUM.execute(ctx, 4, ByMachine).await)?;
    /// // A half of the vector, then a quarter.
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ReduceScatter(),
    /// Combines the vectors of `bytes` of all processes, and divides the result among them.
}

collective! {
    /// A collective that gives each process its own vector, combined with the vectors of all
    /// processes before it.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Model, Network, Scan, Simulation, System};
    ///
    /// const PREFIX: Scan = Scan::new(0, "Prefix", 1);
    /// let model = Model::new("Prefix", &[], 1);
    /// let mut system = System::new(4, 1, 4, 1);
    /// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
    /// let simulation = Simulation::new(&model, system);
    /// let outcome = simulation.run(async |ctx| PREFIX.execute(ctx, 1, ByMachine).await)?;
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Scan(),
    /// Combines the vectors of `bytes` of each process and all processes before it.
}
