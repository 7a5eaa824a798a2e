//! Tests the names that crates export: two crates must not export different items with the same
//! name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use prophet_tests::project::{self, has_extension, read};
use prophet_tests::root;
use syn::{Item, UseTree, Visibility};

/// Names in the APIs of two crates that are the usual term in both.
const ALLOWED: [&str; 1] = [
    "Failure", // of a study in `prophet-sim`, of a program in `prophet-runtime`
];

/// Returns the names that a tree of imports adds, with `*` for all names in a module.
fn brought(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => brought(&path.tree, names),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(renamed) => drop(names.insert(renamed.rename.to_string())),
        UseTree::Glob(_) => drop(names.insert("*".to_owned())),
        UseTree::Group(group) => group.items.iter().for_each(|it| brought(it, names)),
    }
}

/// Returns `true` if a tree of imports begins with another crate of the project.
fn is_foreign(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if path.ident.to_string().starts_with("prophet_"))
}

/// Returns the name of a public item. Omits modules, because paths to their items contain the
/// crate's name.
fn defined(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then(|| name.to_string())
}

/// Returns the names that a file re-exports, either from its own crate or from other crates.
fn exported(items: &[Item], foreign: bool) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        if let Item::Use(it) = item
            && matches!(it.vis, Visibility::Public(_))
            && is_foreign(&it.tree) == foreign
        {
            brought(&it.tree, &mut names);
        }
    }
    names
}

/// Returns the names that the root of a library exports, except names from other crates.
fn own_names(library: &Path, files: &[PathBuf]) -> BTreeSet<String> {
    let parsed = |path: &Path| syn::parse_file(&read(path)).expect("it is Rust").items;
    let items = parsed(library);
    let mut names = exported(&items, false);
    names.extend(items.iter().filter_map(defined));
    let folder = library.parent().expect("its folder");
    for path in files.iter().filter(|it| it.starts_with(folder)) {
        for other in exported(&parsed(path), true) {
            names.remove(&other);
        }
    }
    names
}

#[test]
fn no_name_at_the_border_of_a_crate_has_two_meanings() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec();
    let metadata = metadata.expect("cargo tells");
    let mut files = project::files();
    files.retain(|it| has_extension(it, "rs") && read(it).contains("pub use prophet_"));
    let mut crates: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        // All crates of models have the same API, and no other crate depends on them.
        let folder = package.manifest_path.as_str();
        if folder.contains("/generated/") || folder.contains("/docs/examples/") {
            continue;
        }
        let libraries = package
            .targets
            .iter()
            .filter(|it| it.src_path.ends_with("src/lib.rs"));
        for library in libraries {
            let path = library.src_path.strip_prefix(&metadata.workspace_root);
            for name in own_names(path.expect("a member").as_std_path(), &files) {
                crates.entry(name).or_default().push(&package.name);
            }
        }
    }
    assert!(crates.len() > 500, "{}", crates.len());
    assert!(!crates.contains_key("*"), "a root exports all of a module");
    crates.retain(|_, exporters| exporters.len() > 1);
    let names: Vec<&str> = crates.keys().map(String::as_str).collect();
    assert_eq!(names, ALLOWED, "{crates:#?}");
}
