//! Turns running MPI programs into models: `record` records the MPI calls of each rank, `learn`
//! makes one model from recordings of several sizes, and `validate` compares a recording with a
//! prediction.
//!
//! | module | is |
//! |---|---|
//! | `library` | the recorder, a C library: compiled with the user's `mpicc`, kept in the cache |
//! | `elf` | how a program's file was linked |
//! | `parameters` | the parameters of a run |
//! | `system` | Unix only: links, and signals for programs |
//! | `run` | running a command with the recorder |
//! | `summary` | summarizing a recording |
//! | `between` | the program's functions that compute between its calls |
//! | `places` | call sites in the program, and the functions that contain them |
//! | `learn` | learning one model from recordings of several sizes |
//! | `validate` | comparing predicted and recorded times, by region |
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
