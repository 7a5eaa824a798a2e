//! Tests of the targets.

mod read_back;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
