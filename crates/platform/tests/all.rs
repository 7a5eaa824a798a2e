//! The integration tests as one program, so that they are linked once.

mod bad_files;
mod pictures;
mod simgrid;
mod topologies;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
