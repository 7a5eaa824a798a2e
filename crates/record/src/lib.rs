//! From a running MPI program to a model: `record` takes the calls of a program's ranks, `learn`
//! makes one model of recordings of several sizes, and `validate` compares one with a prediction.
//!
//! | module | is |
//! |---|---|
//! | `library` | the recorder, a library in C: compiled by the user's `mpicc`, kept in the cache |
//! | `elf` | what the file of a program tells of its linking |
//! | `parameters` | the parameters of a run |
//! | `system` | what only Unix has: links, and signals of programs |
//! | `run` | a command that is run with the recorder |
//! | `summary` | a recording, in words |
//! | `between` | functions of the program that compute between its calls |
//! | `places` | places of calls in the program, and the functions that have them |
//! | `learn` | recordings of several sizes as one model |
//! | `validate` | predicted times beside recorded ones, by region |
//! | [`command`] | the command lines of `record`, `learn` and `validate` |

mod between;
pub mod command;
mod elf;
mod learn;
mod library;
mod parameters;
mod places;
mod run;
mod summary;
mod system;
mod validate;

pub use validate::{RecordingComparison, compare_recording};
