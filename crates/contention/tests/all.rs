//! The integration tests as one program, so that they are linked once.

mod against_simgrid;
mod closed_forms;
mod packets;
mod phased;
mod reference;
mod scenario;
mod simgrid;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
