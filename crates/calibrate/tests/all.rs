//! Collects the integration tests into one program, so that they are linked once.

mod command;
mod mpi;
mod overhead;
mod strangers;

/// Checks that modules import only from their own layer and the layers below.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
