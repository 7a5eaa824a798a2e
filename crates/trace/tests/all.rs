//! Compiles all integration tests into one program, which links once.

mod files;
mod traffic;

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
