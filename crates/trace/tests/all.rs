//! Builds the integration tests as one program, so that they are linked once.

mod files;
mod traffic;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
