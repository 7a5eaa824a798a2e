//! From a running MPI program to a model: `record` takes the calls of a program's ranks, `learn`
//! makes one model of recordings of several sizes.
//!
//! | module | is |
//! |---|---|
//! | `library` | the recorder, a library in C: compiled by the user's `mpicc`, kept in the cache |
//! | `elf` | what the file of a program tells of its linking |
//! | `parameters` | the parameters of a run |
//! | `run` | a command that is run with the recorder |
//! | `summary` | a recording, in words |
//! | `learn` | recordings of several sizes as one model |
//! | [`command`] | the command lines of `record` and `learn` |

pub mod command;
mod elf;
mod learn;
mod library;
mod parameters;
mod run;
mod summary;
