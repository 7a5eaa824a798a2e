//! Simulates programs on a machine. This is the runtime of the programs that Performance Prophet
//! generates.
//!
//! A *process* is an async function that takes a [`ProcessCtx`]. Simulated time passes while it
//! awaits elements of a performance model ([`ActionPlus`], [`BSend`], [`AllReduce`], …), whose
//! times come from cost functions or the machine. It can also await the primitives of simulation
//! studies ([`ProcessCtx::hold`], [`Facility`], [`Mailbox`], [`Event`]). A [`Simulation`] runs the
//! function for each process of a [`System`]. It returns an [`Outcome`], or a [`Failure`] that says
//! which process couldn't continue, and where, when, and why.
//!
//! The result of a run depends only on the program, the model, the system, and the seed. There is
//! no global state.
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
//! If you have no UML model and no machine, use the underlying [simulation library](sim). Its
//! `Study` can spawn any number of processes. The resources of that library are available to
//! processes of a [`Simulation`] too.
//!
//! # Time
//!
//! Times are `f64` values in seconds. A hold ends at `start + duration`, a single addition, so
//! results are exact if these sums are exact. Events at the same time happen in the order in which
//! they were scheduled, with one exception: processes of a node that request a CPU at the same time
//! queue in the order of their numbers.
//!
//! | module | purpose |
//! |---|---|
//! | `command` | command line of a generated program, and its output |
//! | `elements` | performance modeling elements that generated programs execute |
//! | `engine` | the `World`, what processes can find out and do, and both engines |
//! | `kernel` | the base of every run: units, waits, the clock, and the state of ranks |
//! | `language` | vocabulary of generated code: numbers, faults, prices, the model |
//! | `messages` | messages as data: their receives and requests |
//! | `mpi` | state shared by ranks, and their messages |
//! | `nodes` | the parts of nodes that units share: CPUs, memory domains, caches, accelerators |
//! | `omp` | state shared by the threads of processes |
//! | `operations` | operations that processes perform together and wait for |
//! | `results` | results of a run: its outcome, or its failure |
//! | `simulation` | a model on a system, ready to run with a program |
//! | `tracing` | recording of a run, if a trace is requested |

#![deny(missing_docs)]

mod command;
mod elements;
mod engine;
mod kernel;
mod language;
mod messages;
mod mpi;
mod nodes;
mod omp;
mod operations;
mod results;
mod simulation;
mod tracing;

pub use command::cli::configuration::{Assignment, Configuration};
pub use command::cli::machine::NameOrFile;
pub use command::cli::{command_line, system_flags, taken_flags, written_files};
pub use command::clock::WallClock;
pub use command::run::{
    Prediction, Ran, RunError, RunHandle, evaluate_configured, evaluate_interpreted, main,
    main_interpreted, observe_interpreted, parameter_values, predict_interpreted, run_interpreted,
};
pub use elements::{
    ANY, AcceptSignal, ActionPlus, ActivityPlus, AllGather, AllReduce, AllToAll, Atomic, BRecv,
    BSend, Barrier, Broadcast, Carrying, Choosing, Computing, CopyMemory, Critical, Delay,
    Exchanging, Flows, Fork, Gather, Kernel, LoopPlus, Master, Message, Moving, NBRecv, NBSend,
    Next, Node, Offloading, OmpBarrier, Parallel, ParallelDo, ParallelSections, Posting, Receiving,
    RecordEvent, Reduce, ReduceScatter, Repeat, Scan, Scatter, SendRecv, SendSignal, Sending,
    Single, Synchronize, Wait, Waiting,
};
pub use elements::{Listening, ReceivedAll, ReceivedAny};
pub use engine::process::{Hold, ProcessCtx, ProcessProgram, Uses};
pub use language::array::Array;
pub use language::device_use::DeviceUse;
pub use language::element::{Element, ModelElement};
pub use language::fault::{Fault, FaultKind, in_function};
pub use language::grid::{
    PROC_NULL, grid_back, grid_down, grid_front, grid_left, grid_right, grid_up,
};
pub use language::math;
pub use language::model::{Drawing, Model, Parameter};
pub use language::number::{Int, Iterations, Steps, div, iterations, rem, whole};
pub use language::opcode::Opcode;
pub use language::place::{KnownPlaces, ModelPlace};
pub use language::price::{ByMachine, Cost, Price};
pub use language::region::{FLAT, Region, Slope, Sloped};
pub use language::stream::Stream;
pub use language::symmetry::Symmetry;
pub use language::table::{Lookup, Surface, Table};
pub use language::threads::{Schedule, Threads};
pub use mpi::collectives::Color;
pub use mpi::contents::Received;
pub use operations::collective::Collective;
/// The API of models of networks with shared links.
pub use prophet_contention as flows;
pub use prophet_machine::accelerator::{Accelerator, DeviceLink, Precision, Queues};
pub use prophet_machine::algorithms::Algorithms;
pub use prophet_machine::cache::Cache;
pub use prophet_machine::described::Entry;
pub use prophet_machine::hardware::{Duration, Hardware, HardwareModel, Resource, Setting, Values};
pub use prophet_machine::machine::{Machine, NodesAlike};
pub use prophet_machine::memory::{Memory, Overlap};
pub use prophet_machine::models::list as list_models;
pub use prophet_machine::network::{Network, NicClocks, Sent};
pub use prophet_machine::noise::Noise;
pub use prophet_machine::policy::{CpuDiscipline, WaitPolicy};
pub use prophet_machine::prices::Prices;
pub use prophet_machine::protocol::{Nic, Protocol};
pub use prophet_machine::quantity::{self, ParseError};
pub use prophet_machine::saturation::Saturation;
pub use prophet_machine::shortage::Shortage;
pub use prophet_machine::system::System;
pub use prophet_machine::value::Value;
/// The simulation library.
pub use prophet_sim as sim;
pub use prophet_sim::kernel::{ProcessError, Stopped};
pub use prophet_sim::resources::{
    Allocate, Allocation, Buffer, Condition, Discipline, Event, Facility, Mailbox, ReceiveValue,
    Reserve, Server, Share, SharedFacility, Statistics, Status, Storage, Transfer, Until, Use,
    WaitEvent, WaitEvents,
};
pub use prophet_sim::statistics::{BatchMeans, Histogram, Interval, Tally, TimeWeighted};
pub use prophet_sim::variates::Generator;
pub use prophet_text::Problem;
pub use results::failure::{
    Cause, Construct, Deadlock, Failure, Livelock, Misuse, NoDevice, NoDevices, NoPrice, NoPrices,
    Participant, Site, Unfit, Unmet, Untaken, WaitingProcess, Who,
};
pub use results::outcome::{
    AcceleratorOutcome, ElementEnergy, ElementOutcome, Energy, Evaluation, Extrapolation, Outcome,
    ProcessOutcome, Repeated, Repetition, Replicated, RunCost, Simulated,
};
pub use simulation::Simulation;
pub use simulation::choice::Engine;
pub use tracing::{LeftOut, Trace, TraceError, TraceFilter};

/// The oldest Rust version that compiles programs with this runtime.
pub const RUST_VERSION: &str = env!("CARGO_PKG_RUST_VERSION");
