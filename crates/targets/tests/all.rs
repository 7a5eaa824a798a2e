//! Tests the targets.

mod read_back;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
