//! Traces of other tools: events of ranks, which are replayed, or folded into a model.
//!
//! An [`ImportedTrace`] is one of `SimGrid`'s time-independent traces, GOAL (the schedules of
//! `LogGOPSim`), `liballprof`'s lines, OTF2 and the traces of our own runs as [`RankEvent`]s, and
//! graphs of Chakra and profiles of `PyTorch` as tasks, which overlap. Nothing in a file is
//! trusted, and what is wrong is said with its place.
//!
//! | module | is |
//! |---|---|
//! | [`event`] | what a rank does, the same for all formats |
//! | `requests` | numbers of requests |
//! | `recorded` | records of calls with their times, as events |
//! | `otf2` | OTF2, by the reference library's reader |
//! | `graph` | graphs of what a rank does: what waits for what |
//! | `lines` | lines of files |
//! | `time_independent` | the reader of traces of `SimGrid` |
//! | `goal` | the reader of GOAL |
//! | [`recording`] | recordings of `record`: their files, calls and places |
//! | `calls` | the readers of formats that hold calls of MPI with their times |
//! | `files` | the files of ranks |
//! | `json` | files of JSON, also compressed |
//! | `tasks` | tasks of ranks, which overlap |
//! | `chakra` | the reader of execution traces of MLCommons Chakra |
//! | `kineto` | the reader of traces of `PyTorch` |
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
    CallCounts, CostFits, FittedCost, Folded, Manner, RankRule, Recorded, Unifier, activity_name,
    fold, model_name,
};
pub use prophet_targets::form::{ModelForm, refuse_existing};
pub use recording::Recording;
pub use trace::ImportedTrace;
