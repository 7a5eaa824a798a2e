//! Reads traces from other tools as events of ranks, which can be replayed or folded into a model.
//!
//! An [`ImportedTrace`] provides [`RankEvent`]s from time-independent `SimGrid` traces, GOAL (the
//! schedules of `LogGOPSim`), `liballprof`, OTF2 or traces of our own runs, and overlapping tasks
//! from Chakra graphs and `PyTorch` profiles. Files are untrusted, and errors report where in the
//! file they are.
//!
//! | module | is |
//! |---|---|
//! | [`event`] | what a rank does, the same for all formats |
//! | `requests` | request numbers |
//! | `recorded` | our own runs' records as events |
//! | `otf2` | OTF2, through the reference library's reader |
//! | `graph` | a rank's operations and dependencies |
//! | `lines` | lines of files |
//! | `time_independent` | the reader for `SimGrid` traces |
//! | `goal` | the reader for GOAL |
//! | [`recording`] | recordings of `record`: their files, calls and call sites |
//! | `calls` | readers for formats with timed MPI calls |
//! | `files` | the files of ranks |
//! | `json` | JSON files, compressed or not |
//! | `tasks` | overlapping tasks of ranks |
//! | `chakra` | the reader for MLCommons Chakra execution traces |
//! | `kineto` | the reader for `PyTorch` traces |
//! | [`trace`] | a trace of any format |
//! | `fold` | a trace as a model |
//! | `replay` | a trace as a program of the runtime |
//! | [`command`] | the command line |

mod calls;
mod chakra;
pub mod command;
pub mod event;
mod files;
mod fold;
mod goal;
mod graph;
mod json;
mod kineto;
mod lines;
mod otf2;
mod recorded;
pub mod recording;
mod replay;
mod requests;
mod tasks;
mod time_independent;
pub mod trace;

pub use calls::is_read;
pub use event::RankEvent;
pub use fold::{
    CallCounts, CostFits, FittedCost, Folded, FoldedDraft, Manner, RankRule, Recorded, Unifier,
    activity_name, fold, model_name,
};
pub use prophet_targets::form::{ModelForm, refuse_existing};
pub use recording::Recording;
pub use trace::ImportedTrace;
