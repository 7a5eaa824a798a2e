//! Checks the layers of the library. A module can only import from its own layer and the layers
//! below.

/// The layers, lowest first. Each is a folder or file in `src`.
const LAYERS: [&str; 5] = ["variates", "statistics", "kernel", "resources", "study"];

#[test]
fn layers_hold() {
    prophet_testing::assert_layers(file!(), &LAYERS);
}
