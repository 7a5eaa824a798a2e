//! Compiles all integration tests into one program, so that there is only one to link.

mod alone;
mod examples;
mod layers;
mod queues;
mod study;
