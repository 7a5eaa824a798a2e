//! Builds the integration tests as one program, so that they are linked once.

mod analyzing;
mod errors;
mod learning;
mod programs;
mod recording;
mod regions;
mod times;
mod trials;
mod unchanged;
mod validating;

/// Checks that modules import only from their own layer and the layers below.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
