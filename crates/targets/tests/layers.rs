//! The layers of the crate: a module imports modules of its own layer and of those below it.

/// Writing a diagram that is no sequence and writing a sequence need each other.
const KNOTS: [&str; 1] = ["plantuml::jumps"];

#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers_with_knots(&KNOTS);
}
