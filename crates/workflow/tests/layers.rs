//! The layers of the crate: a module imports modules of its own layer and of those below it.

/// The first modules of those that still import each other.
const KNOTS: [&str; 3] = ["formats::nextflow", "graph::checks", "schedulers::plan"];

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers_with_knots(&KNOTS);
}
