//! The layers of the crate: a module imports modules of its own layer and of those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from below, each a folder of `src`.
const LAYERS: [&str; 14] = [
    "language",
    "machine",
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

fn crate_dir() -> PathBuf {
    let dir = std::env::var_os("CARGO_MANIFEST_DIR");
    PathBuf::from(dir.expect("cargo runs the test"))
}

/// The files below a folder, by their paths in it, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// How far a file's module is from the crate's root.
fn depth(file: &str) -> usize {
    let file = file.trim_end_matches(".rs").trim_end_matches("/mod");
    file.split('/').count()
}

/// The names of the root that a line of code has in paths, such as `crate::kernel`.
fn names_of_the_root(line: &str, depth: usize) -> Vec<&str> {
    // The modules within files are those of tests.
    let depth = depth + usize::from(line.starts_with(' '));
    let from_crate = line.split("crate::").skip(1);
    let out = "super::".repeat(depth);
    let from_below = line.split(&out).skip(1);
    from_crate
        .chain(from_below)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter_map(|mut names| names.next())
        .collect()
}

/// The lines of a file that import from above its layer, with their numbers.
fn upward<'t>(file: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let layer = file.split('/').next().unwrap_or_default();
    let place = |layer: &str| LAYERS.iter().position(|other| *other == layer);
    // What is no layer is a name of the root, which has names of all of them.
    let is_above = |name: &str| place(name).is_none_or(|above| Some(above) > place(layer));
    let lines = (1..).zip(text.lines().map(str::trim_end));
    lines
        .filter(|(_, text)| !text.trim_start().starts_with("//"))
        .filter(|(_, text)| {
            let names = names_of_the_root(text, depth(file));
            names.into_iter().any(is_above)
        })
        .map(|(line, text)| (line, text.trim_start()))
        .collect()
}

#[test]
fn a_path_from_above_is_told_with_its_line() {
    let lines = |file: &str, text: &str| {
        let found = upward(file, text).into_iter();
        found.map(|(line, _)| line).collect::<Vec<_>>()
    };
    let text = "//! crate::engine\nuse crate::language::number::Int;\nuse crate::engine::World;\n";
    assert_eq!(lines("kernel/list/mod.rs", text), [3]);
    assert_eq!(lines("operations/mod.rs", text), [0; 0]);
    // The root's own names come from all layers.
    assert_eq!(lines("kernel/unit.rs", "use crate::World;"), [1]);
    assert_eq!(lines("kernel/unit.rs", "use crate::{a, b};"), [1]);
    assert_eq!(lines("mpi/mod.rs", "use super::elements::X;"), [1]);
    assert_eq!(lines("mpi/mod.rs", "    use super::elements;"), [0; 0]);
    let super_twice = "use super::super::elements::X;";
    assert_eq!(lines("mpi/x.rs", super_twice), [1]);
    assert_eq!(lines("mpi/x/mod.rs", super_twice), [1]);
    assert_eq!(lines("mpi/x/y.rs", super_twice), [0; 0]);
}

#[test]
fn modules_import_from_below_alone() {
    let source = crate_dir().join("src");
    let mut problems = Vec::new();
    for path in files(&source) {
        let file = path.strip_prefix(&source).expect("a file of it");
        let file = file.to_string_lossy().replace('\\', "/");
        if file == "lib.rs" {
            continue;
        }
        if !LAYERS
            .iter()
            .any(|layer| file.starts_with(&format!("{layer}/")))
        {
            problems.push(format!("src/{file} is in none of the layers"));
        }
        let text = fs::read_to_string(&path).expect("text");
        for (line, text) in upward(&file, &text) {
            problems.push(format!("src/{file}:{line} imports from above: {text}"));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn the_architecture_lists_the_layers_in_their_order() {
    let page = crate_dir().join("../ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    let mut sections = page.split("\n## ");
    let section = sections.find(|section| section.contains("prophet-runtime/tests/layers.rs"));
    let section = section.expect("a section that names this test");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(names, LAYERS);
}
