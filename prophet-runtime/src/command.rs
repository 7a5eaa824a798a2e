//! Implements the command line of a generated program, and its output.

pub(crate) mod cli;
pub(crate) mod clock;
pub(crate) mod report;
pub(crate) mod run;
