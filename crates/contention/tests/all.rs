//! Compiles all integration tests into one program, which links once.

mod against_simgrid;
mod closed_forms;
mod packets;
mod phased;
mod reference;
mod scenario;
mod simgrid;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
