//! The layers of the runtime: a module imports modules of its own layer and of those below it.

/// The layers from below, each a folder or file of `src`.
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
