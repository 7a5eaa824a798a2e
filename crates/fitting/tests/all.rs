//! The integration tests as one program, so that they are linked once.

mod command;
mod distribution;
mod own_forms;
mod parameters;
