//! The integration tests as one program, so that they are linked once.

mod errors;
mod layers;
mod learning;
mod programs;
mod recording;
mod regions;
mod times;
mod trials;
mod validating;
