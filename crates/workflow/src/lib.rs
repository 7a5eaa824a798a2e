//! Predicts how long workflows of tasks and files take on hosts with storage and networks.
//!
//! A [`Scheduler`] decides where tasks run when a [`Workflow`] is simulated on a
//! [`WorkflowMachine`]. You can use a built-in scheduler or write your own. For example:
//!
//! ```
//! use prophet_workflow::{Draft, Group, Task, TaskCost, WorkflowMachine, schedulers, simulate};
//!
//! let mut draft = Draft::new("fork");
//! let root = draft.task("root", Task::new(TaskCost::Seconds(1.0)));
//! for name in ["a", "b", "c"] {
//!     let task = draft.task(name, Task::new(TaskCost::Seconds(2.0)));
//!     draft.waits(task, root);
//! }
//! let workflow = draft.finish().expect("it is right");
//! let machine = WorkflowMachine::new(vec![Group::new("host", 1, 2)]).expect("it is right");
//! let mut fcfs = schedulers::Fcfs::default();
//! let prediction = simulate(&workflow, &machine, &mut fcfs).expect("it runs");
//! assert_eq!(prediction.makespan_s(), 5.0);
//! ```
//!
//! | module | is |
//! |---|---|
//! | `text_file` | users' text files, limited in size, and the names in them |
//! | `graph` | workflows: tasks, files, and dependencies |
//! | `queue` | batch queues of sites: waits, and other users' jobs |
//! | `swf` | the Standard Workload Format for logs of machines |
//! | `machine` | machines: sites with different hosts, storage, networks, queues |
//! | `machine_file` | machine files: sites, hosts, storage, networks and queues in TOML |
//! | `hosts` | free cores and memory of hosts, and finding hosts with room |
//! | `prediction` | predictions: when and where each task runs |
//! | `scheduler` | the interface of schedulers |
//! | `simulation` | the simulation: what happens when |
//! | `schedulers` | the built-in schedulers, by name |
//! | `analysis` | analysis of a prediction: use of hosts, the critical path |
//! | `what_if` | the makespan if tasks of one type were faster, by simulation |
//! | `lanes` | which cores of its host each task holds, for charts |
//! | `perfetto` | traces for Perfetto and Chrome |
//! | `schedule_file` | files with static schedules |
//! | `report` | a page that explains a prediction |
//! | `wfformat` | `WfFormat` 1.5, the format of `WfCommons`' recorded workflows |
//! | `costs` | costs of task types by input size, fitted to executions |
//! | `formats` | Pegasus, Nextflow, Snakemake and CWL, converted to `WfFormat` documents |
//! | `drawing` | workflows drawn as models, unrolled |
//! | `command` | the command line: `run` for workflows |

mod analysis;
pub mod command;
pub mod costs;
mod drawing;
pub mod formats;
mod graph;
mod hosts;
mod lanes;
mod machine;
pub mod machine_file;
pub mod perfetto;
mod prediction;
mod queue;
mod report;
pub mod schedule_file;
mod scheduler;
pub mod schedulers;
mod simulation;
pub mod swf;
mod text_file;
pub mod wfformat;
mod what_if;

pub use analysis::{
    CriticalStep, DelayCause, SiteUsage, Usage, critical_path, site_usages, usages,
};
pub use drawing::DrawnWorkflow;
pub use graph::{Draft, FileId, Task, TaskCost, TaskId, Workflow};
pub use machine::{Group, HostId, HostLink, SharedStorage, WorkflowMachine, WrongHosts};
pub use prediction::{
    DecisionTime, JobRun, NotPredicted, TaskExecution, WorkflowFailure, WorkflowPrediction,
};
pub use queue::{Job, Policy, Queue, QueueWait, WorkflowEngine};
pub use scheduler::{Scheduler, View};
pub use simulation::simulate;
pub use text_file::{quoted, task_type};
pub use what_if::{WhatIf, what_if};
