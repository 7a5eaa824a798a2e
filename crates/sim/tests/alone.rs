//! Checks that the library needs no other crates of this project.

use std::fs;
use std::path::Path;

/// Returns the names in a table of the crate's manifest.
fn names(table: &str) -> Vec<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the test");
    let manifest = fs::read_to_string(Path::new(&folder).join("Cargo.toml")).expect("a manifest");
    let mut lines = manifest.lines().skip_while(|line| *line != table);
    lines.next().expect("the manifest has that table");
    let lines = lines.take_while(|line| !line.starts_with('['));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let name = |line: &str| line.split(['.', ' ', '=']).next().map(str::to_owned);
    lines.filter_map(name).collect()
}

#[test]
fn libm_is_the_only_dependency() {
    assert_eq!(names("[dependencies]"), ["libm"]);
    // Build scripts and platforms have no dependency tables of their own.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the test");
    let manifest = fs::read_to_string(Path::new(&folder).join("Cargo.toml")).expect("a manifest");
    let tables: Vec<&str> = { manifest.lines() }
        .filter(|line| line.starts_with('['))
        .collect();
    assert_eq!(
        tables,
        [
            "[package]",
            "[lib]",
            "[features]",
            "[dependencies]",
            "[dev-dependencies]",
            "[[test]]",
            "[lints]"
        ]
    );
}
