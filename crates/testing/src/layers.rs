//! The tests of a crate's layers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::{Imports, documented_layers, listed_layers};

/// Asserts that modules import from their own layer and those below it, that none import each
/// other, and that ARCHITECTURE.md lists the layers in their order.
///
/// `layers` are the folders and files of `src` from below; `test` is the file of the test that
/// names them, as `file!()` gives it.
///
/// # Panics
///
/// If the layers do not hold, or cannot be read.
pub fn assert_layers(test: &str, layers: &[&str]) {
    let folder = folder();
    assert_imports(&folder, layers);
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
    let folder = folder();
    let root = fs::read_to_string(folder.join("src/lib.rs")).expect("the root");
    let layers = documented_layers(&root);
    let layers: Vec<&str> = layers.iter().map(String::as_str).collect();
    assert_imports(&folder, &layers);
}

/// Asserts that a crate's modules import from their own layer and those below it, and that none
/// import each other.
fn assert_imports(folder: &Path, layers: &[&str]) {
    let imports = Imports::of(&folder.join("src"));
    let problems = imports.upward(layers);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    let knots = imports.knots();
    assert!(
        knots.is_empty(),
        "modules that import each other: {knots:#?}"
    );
}

fn folder() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(folder.expect("cargo runs the test"))
}
