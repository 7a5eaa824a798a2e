//! Checks the crate's layers: modules import only from their own layer and the layers below.

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
