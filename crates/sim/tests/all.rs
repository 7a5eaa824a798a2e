//! The integration tests as one program, so that they are linked once.

mod alone;
mod examples;
mod layers;
mod queues;
mod study;
