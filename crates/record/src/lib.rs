//! From a running MPI program to a model: `record` takes the calls of a program's ranks, `learn`
//! makes one model of recordings of several sizes, and `validate` compares one with a prediction.
//!
//! | module | is |
//! |---|---|
//! | `library` | the recorder, a library in C: compiled by the user's `mpicc`, kept in the cache |
//! | `elf` | what the file of a program tells of its linking |
//! | `parameters` | the parameters of a run |
//! | `run` | a command that is run with the recorder |
//! | `summary` | a recording, in words |
//! | `places` | places of calls in the program, and the functions that have them |
//! | `learn` | recordings of several sizes as one model |
//! | `validate` | predicted times beside recorded ones, by region |
//! | [`command`] | the command lines of `record`, `learn` and `validate` |

pub mod command;
mod elf;
mod learn;
mod library;
mod parameters;
mod places;
mod run;
mod summary;
mod validate;

pub use validate::{RecordingComparison, compare_recording};
