//! Builds the integration tests as one program, so that they are linked once.
#![allow(clippy::float_cmp, reason = "times of examples are exact")]

mod command;
mod costs;
mod drawing;
mod failures;
mod formats;
mod formats_refused;
mod graph;
mod layers;
mod machine_file;
mod published;
mod queues;
mod random;
mod results;
mod simgrid;
mod sweep;
mod wfformat;
mod written;
