//! Workflows: tasks and files, predicted on hosts, storage and networks.
//!
//! A [`Workflow`] is simulated on a [`Machine`] by a [`Scheduler`], which may be of the user's own:
//!
//! ```
//! use prophet_workflow::{Cost, Draft, Group, Machine, Task, schedulers, simulate};
//!
//! let mut draft = Draft::new("fork");
//! let root = draft.task("root", Task::new(Cost::Seconds(1.0)));
//! for name in ["a", "b", "c"] {
//!     let task = draft.task(name, Task::new(Cost::Seconds(2.0)));
//!     draft.waits(task, root);
//! }
//! let workflow = draft.finish().expect("it is right");
//! let machine = Machine::new(vec![Group::new("host", 1, 2)]).expect("it is right");
//! let mut fcfs = schedulers::Fcfs::default();
//! let prediction = simulate(&workflow, &machine, &mut fcfs).expect("it runs");
//! assert_eq!(prediction.makespan_s(), 5.0);
//! ```
//!
//! | module | is |
//! |---|---|
//! | `problem` | problems of workflows and machines, as users read them |
//! | `graph` | workflows: tasks, files, and who waits for whom |
//! | `machine` | machines: sites of hosts that differ, storage, networks, a queue |
//! | `hosts` | free cores and memory of hosts, and the search for room |
//! | `prediction` | predictions: when and where each task runs |
//! | `scheduler` | the interface of schedulers |
//! | `simulation` | the simulation: what happens when |
//! | `schedulers` | the schedulers that are there, by name |
//! | `analysis` | what a prediction shows: use of hosts, the critical path |
//! | `drawing` | workflows that are drawn as models, unrolled |
//! | `command` | the command line: `run` for workflows |
//! | `wfformat` | `WfFormat` 1.5, in which `WfCommons` keeps recorded workflows |

mod analysis;
pub mod command;
mod drawing;
mod graph;
mod hosts;
mod machine;
mod prediction;
mod problem;
mod scheduler;
pub mod schedulers;
mod simulation;
pub mod wfformat;

pub use analysis::{Cause, Step, Usage, critical_path, usages};
pub use drawing::Drawing;
pub use graph::{Cost, Draft, FileId, Task, TaskId, Workflow};
pub use machine::{Group, HostId, Link, Machine, Queue, Storage};
pub use prediction::{Prediction, Run};
pub use problem::{Problem, quoted};
pub use scheduler::{Scheduler, View};
pub use simulation::simulate;
