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

mod array;
mod batch_means;
mod buffer;
mod cli;
mod clock;
mod collectives;
mod condition;
mod contents;
mod counts;
mod cpu;
mod elements;
mod engine;
mod event;
mod facility;
mod failure;
mod fault;
mod histogram;
mod limits;
mod machine;
mod mailbox;
mod mapping;
mod matching;
pub mod math;
mod memory;
mod messages;
mod model;
mod network;
mod number;
mod outcome;
mod place;
mod price;
mod process;
mod protocol;
pub mod quantity;
mod report;
mod requests;
mod run;
mod scaled;
mod shared_facility;
mod sharing;
mod simulation;
mod statistics;
mod stopped;
mod storage;
mod stream;
mod student;
mod study;
mod suggest;
mod system;
mod table;
mod tally;
mod threads;
mod time_weighted;
mod trace;
mod usage;
mod variates;
mod waiters;

pub use array::Array;
pub use batch_means::BatchMeans;
pub use buffer::{Buffer, Transfer};
pub use cli::SYSTEM_FLAGS;
pub use collectives::{Algorithms, Collective, Color};
pub use condition::{Condition, Until};
pub use contents::{Listening, Received, ReceivedAll, ReceivedAny};
pub use cpu::{CpuDiscipline, WaitPolicy};
pub use elements::{
    ANY, ActionPlus, ActivityPlus, AllGather, AllReduce, AllToAll, Atomic, BRecv, BSend, Barrier,
    Broadcast, Carrying, Choosing, Computing, Critical, Element, Exchanging, Fork, Gather,
    LoopPlus, Master, Message, ModelElement, Moving, NBRecv, NBSend, Node, OmpBarrier, Parallel,
    ParallelDo, ParallelSections, Posting, Receiving, Reduce, ReduceScatter, Scan, Scatter,
    SendRecv, Sending, Single, Wait, Waiting, whole,
};
pub use engine::Engine;
pub use event::{Event, WaitEvent, WaitEvents};
pub use facility::{Discipline, Facility, Reserve, Server, Use};
pub use failure::{
    Cause, Construct, Deadlock, Failure, Livelock, Misuse, Participant, Site, Untaken,
    WaitingProcess, Who,
};
pub use fault::{Fault, FaultKind, in_function};
pub use histogram::Histogram;
pub use machine::Machine;
pub use mailbox::{Mailbox, ReceiveValue};
pub use memory::Memory;
pub use model::{Drawing, Model, Parameter, Value};
pub use network::{Network, NicClocks, Sent};
pub use number::{Int, Iterations, Steps, div, iterations, rem};
pub use outcome::{ElementOutcome, Evaluation, Outcome, ProcessOutcome};
pub use place::Place;
pub use price::{ByMachine, Cost, Price};
pub use process::{Hold, ProcessCtx};
pub use protocol::{Nic, Protocol};
pub use quantity::ParseError;
pub use run::main;
pub use shared_facility::{Share, SharedFacility};
pub use simulation::Simulation;
pub use stopped::Stopped;
pub use storage::{Allocate, Allocation, Storage};
pub use stream::Stream;
pub use study::{
    Handle, Interrupted, Join, LogEntry, Logged, Process, ProcessId, Run, Status, StatusText, Study,
};
pub use system::System;
pub use table::Table;
pub use tally::{Interval, Tally};
pub use threads::{Schedule, Threads};
pub use time_weighted::TimeWeighted;
pub use trace::{Trace, TraceError, TraceFilter};
pub use usage::Statistics;
pub use variates::Generator;

#[cfg(doctest)]
#[doc = include_str!("../../docs/simulation-library.md")]
mod page {}
