//! The command line of a generated program, and what it prints.

pub(crate) mod cli;
pub(crate) mod clock;
pub(crate) mod report;
pub(crate) mod run;
