//! Process-oriented simulation: the engine, the MPI elements, the machine.
//!
//! A *process* is an async function of a [`ProcessCtx`]. What it awaits takes simulated time:
//! elements of a performance model ([`ActionPlus`], [`BSend`], [`AllReduce`], …), which the
//! machine or a cost function prices, or the primitives of simulation studies
//! ([`ProcessCtx::hold`], [`Facility`], [`Mailbox`], [`Event`]). A [`Simulation`] runs one such
//! process for each process of a [`System`] and gives an [`Outcome`], or the [`Failure`] that
//! says who could not go on, where, when and why.
//!
//! A run is a pure function of the model, the system and the seed. There is no global state.
//!
//! ```
//! use prophet_runtime::{ActionPlus, AllReduce, ByMachine, Model, ProcessCtx};
//! use prophet_runtime::{Simulation, Stopped, System};
//!
//! const COMPUTE: ActionPlus = ActionPlus::new(0, "Compute", 1);
//! const SUM: AllReduce = AllReduce::new(1, "Sum", 2);
//! const MODEL: Model = Model::new("Iterations", &[], 2);
//!
//! async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
//!     for _ in 0..10 {
//!         COMPUTE.execute(ctx, 0.5).await?;
//!         SUM.execute(ctx, 8, ByMachine).await?;
//!     }
//!     Ok(())
//! }
//!
//! // Two nodes with two CPUs each, four processes.
//! let outcome = Simulation::new(&MODEL, System::new(2, 2, 4, 1)).run(program)?;
//! assert!(outcome.predicted_time_s > 5.0 && outcome.predicted_time_s < 5.001);
//! assert_eq!(outcome.elements[0].count, 40);
//! # Ok::<(), prophet_runtime::Failure>(())
//! ```
//!
//! # Studies
//!
//! Without a model in UML and a machine there is [`Study`]: its first process spawns the others,
//! any number of them, and a [`Facility`] and its like tell how they were used.
//!
//! ```
//! use prophet_runtime::{Facility, Study};
//!
//! let tellers = Facility::new("tellers", 2);
//! let run = Study::new().seed(7).until(1000.0).run(&tellers, async |sim, tellers| {
//!     let mut times = sim.generator("times");
//!     loop {
//!         sim.hold(times.exponential(1.0)?).await?;
//!         let seconds = times.exponential(1.5)?;
//!         sim.spawn(async move |customer| tellers.use_for(&customer, seconds).await);
//!     }
//! })?;
//! assert!((tellers.statistics(run.end_s).utilization - 0.75).abs() < 0.1);
//! # Ok::<(), prophet_runtime::Failure>(())
//! ```
//!
//! # Time
//!
//! Times are seconds in an `f64`. A hold ends at `start + duration`, one addition, so that results
//! are exact where arithmetic is. What happens at one time happens in the order in which it was
//! scheduled, but for the CPUs of a node: who asks for one at the same time queues by process.

mod command;
mod elements;
mod engine;
mod kernel;
mod language;
mod machine;
mod messages;
mod mpi;
mod nodes;
mod omp;
mod operations;
mod resources;
mod results;
mod simulation;
mod statistics;
mod study;
mod tracing;

pub use command::cli::SYSTEM_FLAGS;
pub use command::run::main;
pub use elements::{
    ANY, ActionPlus, ActivityPlus, AllGather, AllReduce, AllToAll, Atomic, BRecv, BSend, Barrier,
    Broadcast, Carrying, Choosing, Computing, Critical, Exchanging, Fork, Gather, LoopPlus, Master,
    Message, Moving, NBRecv, NBSend, Node, OmpBarrier, Parallel, ParallelDo, ParallelSections,
    Posting, Receiving, Reduce, ReduceScatter, Scan, Scatter, SendRecv, Sending, Single, Wait,
    Waiting,
};
pub use elements::{Listening, ReceivedAll, ReceivedAny};
pub use engine::process::{Hold, ProcessCtx};
pub use language::array::Array;
pub use language::element::{Element, ModelElement};
pub use language::fault::{Fault, FaultKind, in_function};
pub use language::model::{Drawing, Model, Parameter, Value};
pub use language::number::{Int, Iterations, Steps, div, iterations, rem, whole};
pub use language::place::Place;
pub use language::price::{ByMachine, Cost, Price};
pub use language::quantity::ParseError;
pub use language::stopped::Stopped;
pub use language::stream::Stream;
pub use language::table::Table;
pub use language::threads::{Schedule, Threads};
pub use language::variates::Generator;
pub use language::{math, quantity};
pub use machine::algorithm::Algorithms;
pub use machine::described::Machine;
pub use machine::memory::Memory;
pub use machine::network::{Network, NicClocks, Sent};
pub use machine::policy::{CpuDiscipline, WaitPolicy};
pub use machine::protocol::{Nic, Protocol};
pub use machine::system::System;
pub use mpi::collectives::Color;
pub use mpi::contents::Received;
pub use operations::collective::Collective;
pub use resources::buffer::{Buffer, Transfer};
pub use resources::condition::{Condition, Until};
pub use resources::event::{Event, WaitEvent, WaitEvents};
pub use resources::facility::{Discipline, Facility, Reserve, Server, Use};
pub use resources::mailbox::{Mailbox, ReceiveValue};
pub use resources::shared_facility::{Share, SharedFacility};
pub use resources::status::Status;
pub use resources::storage::{Allocate, Allocation, Storage};
pub use results::failure::{
    Cause, Construct, Deadlock, Failure, Livelock, Misuse, Participant, Site, Untaken,
    WaitingProcess, Who,
};
pub use results::outcome::{ElementOutcome, Evaluation, Outcome, ProcessOutcome};
pub use simulation::Simulation;
pub use simulation::choice::Engine;
pub use statistics::batch_means::BatchMeans;
pub use statistics::histogram::Histogram;
pub use statistics::tally::{Interval, Tally};
pub use statistics::time_weighted::TimeWeighted;
pub use statistics::usage::Statistics;
pub use study::{
    Handle, Interrupted, Join, LogEntry, Logged, Process, ProcessId, Run, StatusText, Study,
};
pub use tracing::{Trace, TraceError, TraceFilter};

#[cfg(doctest)]
#[doc = include_str!("../../docs/simulation-library.md")]
mod page {}
