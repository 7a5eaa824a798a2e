//! Tests of the targets.

mod layers;
mod read_back;
