//! The layers of the crate: a module imports modules of its own layer and of those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from below, each a folder of `src`.
const LAYERS: [&str; 16] = [
    "language",
    "statistics",
    "machine",
    "results",
    "messages",
    "kernel",
    "tracing",
    "nodes",
    "mpi",
    "omp",
    "engine",
    "resources",
    "study",
    "elements",
    "simulation",
    "command",
];

/// Why parts of the world import it.
const WORLD: &str = "the world has all parts, and they take the world";

/// Imports from above that remain: the file, the layer, and why. No new ones, please.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "mpi/contents.rs",
        "elements",
        "what is received is told with the place of a wait for any",
    ),
    ("mpi/contents.rs", "engine", WORLD),
    ("mpi/transfer.rs", "engine", WORLD),
    ("mpi/collectives/collective.rs", "engine", WORLD),
    ("mpi/transfer/charges.rs", "engine", WORLD),
    ("mpi/transfer/choice.rs", "engine", WORLD),
    ("mpi/transfer/lane.rs", "engine", WORLD),
    ("mpi/transfer/nic.rs", "engine", WORLD),
    ("mpi/transfer/posted.rs", "engine", WORLD),
    ("mpi/transfer/rendezvous.rs", "engine", WORLD),
    ("mpi/transfer/wildcards.rs", "engine", WORLD),
    ("nodes/sharing.rs", "engine", WORLD),
    ("nodes/sockets.rs", "engine", WORLD),
    ("nodes/cpu/admission.rs", "engine", WORLD),
    ("nodes/cpu/mod.rs", "engine", WORLD),
    ("nodes/cpu/queue.rs", "engine", WORLD),
    ("nodes/cpu/round_robin.rs", "engine", WORLD),
    ("nodes/cpu/taken.rs", "engine", WORLD),
    ("nodes/cpu/tests.rs", "engine", WORLD),
    ("omp/barrier.rs", "engine", WORLD),
    ("omp/gate.rs", "engine", WORLD),
    ("omp/lock.rs", "engine", WORLD),
    ("omp/region.rs", "engine", WORLD),
    ("omp/schedule.rs", "engine", WORLD),
    ("omp/team.rs", "engine", WORLD),
    ("omp/turn.rs", "engine", WORLD),
    ("omp/worksharing.rs", "engine", WORLD),
    ("tracing/compute.rs", "engine", WORLD),
    ("tracing/filter.rs", "engine", WORLD),
    ("tracing/messages.rs", "engine", WORLD),
    ("tracing/mod.rs", "engine", WORLD),
    ("tracing/output.rs", "engine", WORLD),
    ("tracing/threads.rs", "engine", WORLD),
];

/// An import from above.
#[derive(Debug, PartialEq, Eq)]
struct Upward {
    /// The file in `src`.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The layer that it imports from.
    layer: String,
    text: String,
}

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

/// The imports of a file from above its layer.
fn upward(file: &str, text: &str) -> Vec<Upward> {
    let layer = file.split('/').next().unwrap_or_default();
    let place = |layer: &str| LAYERS.iter().position(|other| *other == layer);
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim_start().starts_with("//") {
            continue;
        }
        for name in names_of_the_root(text, depth(file)) {
            // What is no layer is a name of the root, which has all of them.
            if place(name).is_none_or(|above| Some(above) > place(layer)) {
                found.push(Upward {
                    file: file.to_owned(),
                    line,
                    layer: name.to_owned(),
                    text: text.trim().to_owned(),
                });
            }
        }
    }
    found
}

#[test]
fn a_path_from_above_is_told_with_its_line() {
    let lines = |file: &str, text: &str| {
        let found = upward(file, text).into_iter();
        found
            .map(|upward| format!("{} {}", upward.line, upward.layer))
            .collect::<Vec<_>>()
    };
    let text = "//! crate::engine\nuse crate::language::number::Int;\nuse crate::engine::World;\n";
    assert_eq!(lines("kernel/list/mod.rs", text), ["3 engine"]);
    assert_eq!(lines("study/mod.rs", text), [""; 0]);
    // The root's own names come from all layers.
    assert_eq!(lines("kernel/unit.rs", "use crate::World;"), ["1 World"]);
    assert_eq!(lines("kernel/unit.rs", "use crate::{a, b};"), ["1 "]);
    assert_eq!(lines("mpi/mod.rs", "use super::study::X;"), ["1 study"]);
    let super_twice = "use super::super::study::X;";
    assert_eq!(lines("mpi/x.rs", super_twice), ["1 study"]);
    assert_eq!(lines("mpi/x/mod.rs", super_twice), ["1 study"]);
    assert_eq!(lines("mpi/x/y.rs", super_twice), [""; 0]);
    assert_eq!(lines("mpi/mod.rs", "    use super::study;"), [""; 0]);
}

#[test]
fn modules_import_from_below_alone() {
    let source = crate_dir().join("src");
    let mut used = Vec::new();
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
        for upward in upward(&file, &text) {
            let exception = (upward.file.as_str(), upward.layer.as_str());
            let is_known = |&&(file, layer, _): &&(&str, &str, &str)| (file, layer) == exception;
            if let Some(known) = EXCEPTIONS.iter().find(is_known) {
                used.push(known);
            } else {
                let Upward {
                    file, line, text, ..
                } = upward;
                problems.push(format!("src/{file}:{line} imports from above: {text}"));
            }
        }
    }
    for exception in EXCEPTIONS {
        if !used.contains(&exception) {
            let (file, layer, _) = exception;
            problems.push(format!(
                "src/{file} imports nothing of `{layer}` any more: take the exception out"
            ));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn the_architecture_lists_the_layers_in_their_order() {
    let page = crate_dir().join("../ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, section) = page
        .split_once("\n## `prophet-runtime`")
        .expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(names, LAYERS);
}
