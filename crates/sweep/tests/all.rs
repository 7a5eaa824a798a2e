//! The integration tests as one program, so that they are linked once.

mod browser;
mod cluster;
mod command;
mod goals;
mod layers;
mod report;
mod search;
mod study;
