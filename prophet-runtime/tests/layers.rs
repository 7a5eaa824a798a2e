//! Checks the layers of the runtime. A module can only import from its own layer and the layers
//! below.

/// The layers, lowest first. Each is a folder or file in `src`.
const LAYERS: [&str; 13] = [
    "language",
    "results",
    "messages",
    "kernel",
    "tracing",
    "nodes",
    "mpi",
    "omp",
    "engine",
    "operations",
    "elements",
    "simulation",
    "command",
];

#[test]
fn layers_hold() {
    prophet_testing::assert_layers(file!(), &LAYERS);
}
