//! The layers of the library: a module imports modules of its own layer and of those below it.

use std::fs;
use std::path::PathBuf;

use prophet_testing::{Imports, listed_layers};

/// The layers from below, each a folder or file of `src`.
const LAYERS: [&str; 5] = ["variates", "statistics", "kernel", "resources", "study"];

/// Largest number of modules that may import each other, directly or through others.
const KNOT_MAX: usize = 5;

fn folder() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(folder.expect("cargo runs the test"))
}

fn imports() -> Imports {
    Imports::of(&folder().join("src"))
}

#[test]
fn modules_import_from_below_alone() {
    let problems = imports().upward(&LAYERS);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn no_knot_is_large() {
    let knots = imports().knots();
    let largest = knots.first().map_or(0, Vec::len);
    assert!(largest <= KNOT_MAX, "all knots: {knots:#?}");
}

#[test]
fn the_architecture_lists_the_layers_in_their_order() {
    let page = folder().join("../../ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    assert_eq!(listed_layers(&page, "crates/sim/tests/layers.rs"), LAYERS);
}
