//! Compiles all integration tests into one program, which links once.

mod alone;
mod examples;
mod layers;
mod queues;
mod study;
