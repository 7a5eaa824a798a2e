//! The test that every crate with layers has.

use std::fs;
use std::path::PathBuf;

use crate::imports::{Imports, listed_layers};

/// Largest number of modules that may import each other, directly or through others.
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
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    let folder = PathBuf::from(folder.expect("cargo runs the test"));
    let imports = Imports::of(&folder.join("src"));
    let problems = imports.upward(layers);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let knots = imports.knots();
    let largest = knots.first().map_or(0, Vec::len);
    assert!(largest <= KNOT_MAX, "all knots: {knots:#?}");
    let mut above = folder.ancestors();
    let root = above.find(|it| it.join(test).is_file());
    let page = root.expect("the file of the test").join("ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    assert_eq!(listed_layers(&page, test), layers);
}
