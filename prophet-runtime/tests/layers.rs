//! Checks the layers of the runtime: a module imports only from its own layer and from lower ones.

/// The layers from the bottom up, each a folder or file in `src`.
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
