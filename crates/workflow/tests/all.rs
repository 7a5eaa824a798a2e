//! The integration tests as one program, so that they are linked once.
#![allow(clippy::float_cmp, reason = "times of examples are exact")]

mod command;
mod drawing;
mod graph;
mod published;
mod random;
mod wfformat;
