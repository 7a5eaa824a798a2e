//! The layers of the library: a module imports modules of its own layer and of those below it.

/// The layers from below, each a folder or file of `src`.
const LAYERS: [&str; 5] = ["variates", "statistics", "kernel", "resources", "study"];

#[test]
fn layers_hold() {
    prophet_testing::assert_layers(file!(), &LAYERS);
}
