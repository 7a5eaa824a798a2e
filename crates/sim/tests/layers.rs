//! Checks the layers of the library: a module imports only from its own layer and from lower ones.

/// The layers from the bottom up, each a folder or file in `src`.
const LAYERS: [&str; 5] = ["variates", "statistics", "kernel", "resources", "study"];

#[test]
fn layers_hold() {
    prophet_testing::assert_layers(file!(), &LAYERS);
}
