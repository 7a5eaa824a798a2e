//! The integration tests as one program, so that they are linked once.

mod errors;
mod learning;
mod programs;
mod recording;
mod regions;
mod times;
mod trials;
mod unchanged;
mod validating;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
