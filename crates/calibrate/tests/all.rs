//! Collects the integration tests into one program, so that they are linked once.

mod command;
mod mpi;
mod overhead;
mod strangers;

/// A module imports modules from its own layer and lower layers.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
