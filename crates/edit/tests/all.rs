//! Runs the integration tests as one program, so that they are linked only once.

mod edits;
mod properties;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
