//! The tests of a crate's layers.

use std::fs;
use std::path::PathBuf;

use crate::imports::{Imports, documented_layers, listed_layers};

/// Largest number of modules that may import each other, directly or through others, where
/// ARCHITECTURE.md lists the layers.
const KNOT_MAX: usize = 5;

/// Asserts that modules import from their own layer and those below it, that no knot is large, and
/// that ARCHITECTURE.md lists the layers in their order.
///
/// `layers` are the folders and files of `src` from below; `test` is the file of the test that
/// names them, as `file!()` gives it.
///
/// # Panics
///
/// If the layers do not hold, or cannot be read.
pub fn assert_layers(test: &str, layers: &[&str]) {
    let folder = folder();
    let imports = Imports::of(&folder.join("src"));
    let problems = imports.upward(layers);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let knots = imports.knots();
    let largest = knots.first().map_or(0, Vec::len);
    assert!(
        largest <= KNOT_MAX,
        "modules that import each other: {knots:#?}"
    );
    let mut above = folder.ancestors();
    let root = above.find(|it| it.join(test).is_file());
    let page = root.expect("the file of the test").join("ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    assert_eq!(listed_layers(&page, test), layers);
}

/// Asserts that the table of modules in the documentation of a crate lists all modules, that each
/// imports from those above it in the table alone, and that no modules import each other.
///
/// # Panics
///
/// If the layers do not hold, or cannot be read.
pub fn assert_documented_layers() {
    assert_documented_layers_with_knots(&[]);
}

/// [`assert_documented_layers`] for a crate some of whose modules import each other: the first
/// module of each such knot is named, so that none comes and those that go are reported.
///
/// # Panics
///
/// If the layers do not hold, or cannot be read.
pub fn assert_documented_layers_with_knots(known: &[&str]) {
    let source = folder().join("src");
    let root = fs::read_to_string(source.join("lib.rs")).expect("the root");
    let layers = documented_layers(&root);
    let layers: Vec<&str> = layers.iter().map(String::as_str).collect();
    let imports = Imports::of(&source);
    let problems = imports.upward(&layers);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let knots = imports.knots();
    let mut first: Vec<&str> = knots.iter().map(|it| it[0].as_str()).collect();
    first.sort_unstable();
    assert_eq!(first, known, "modules that import each other: {knots:#?}");
}

fn folder() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(folder.expect("cargo runs the test"))
}
