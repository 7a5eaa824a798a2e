//! The integration tests as one program, so that they are linked once.

mod command;
mod layers;
mod mpi;
mod overhead;
mod strangers;
