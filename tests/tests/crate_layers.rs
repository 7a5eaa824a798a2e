//! Tests the five layers of crates listed in ARCHITECTURE.md: each crate is in one of them, and
//! doesn't need a higher one.

use std::collections::BTreeMap;
use std::fs;

use cargo_metadata::{DependencyKind, MetadataCommand};
use prophet_tests::root;

const LAYERS: usize = 5;

/// Returns the layers of all folders in the page's tables. Folders that aren't part of the product
/// have the last layer.
fn listed(page: &str) -> BTreeMap<&str, usize> {
    let start = page.find("\n## Folders\n").expect("the section");
    let section = &page[start + 1..];
    let end = section[1..].find("\n## ").expect("a section after it") + 1;
    let mut layer = 0;
    let mut folders = BTreeMap::new();
    for line in section[..end].lines() {
        if line.starts_with("### ") {
            layer += 1;
        } else if let Some(row) = line.strip_prefix("| `") {
            let folder = row.split('`').next().expect("it ends");
            assert!(
                folders.insert(folder, layer).is_none(),
                "{folder} is listed twice"
            );
        }
    }
    assert_eq!(layer, LAYERS + 1, "headings of layers");
    folders
}

#[test]
fn a_crate_needs_only_its_own_layer_and_those_before_it() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let listed = listed(&page);
    let manifest = root().join("Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec();
    let metadata = metadata.expect("cargo tells");
    let layers: BTreeMap<&str, usize> = { metadata.packages.iter() }
        .map(|package| {
            let folder = package.manifest_path.parent().expect("its folder");
            let folder = folder
                .strip_prefix(&metadata.workspace_root)
                .expect("a member")
                .as_str();
            // Each of these folders contains many small crates, and has only one row.
            let row = ["generated", "docs/examples"]
                .into_iter()
                .find(|it| folder.starts_with(it));
            let layer = listed.get(row.unwrap_or(folder));
            (
                package.name.as_str(),
                *layer.unwrap_or_else(|| panic!("{folder} has no layer")),
            )
        })
        .collect();
    let mut checked = 0;
    for package in &metadata.packages {
        let own = layers[package.name.as_str()];
        for needed in &package.dependencies {
            let Some(layer) = layers.get(needed.name.as_str()) else {
                continue;
            };
            if needed.kind == DependencyKind::Development {
                continue;
            }
            checked += 1;
            assert!(
                *layer <= own,
                "{} needs {}, of a layer above",
                package.name,
                needed.name
            );
        }
    }
    assert!(checked > 100, "{checked}");
}
