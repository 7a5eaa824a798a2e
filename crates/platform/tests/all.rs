//! Compiles all integration tests into one program, which links once.

mod bad_files;
mod pictures;
mod simgrid;
mod topologies;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
