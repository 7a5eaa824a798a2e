//! Analyzes the imports between a crate's modules: layers and cycles.

mod paths;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use paths::{Import, Module, imports};

/// The imports between a crate's modules, except in unit tests.
#[derive(Debug)]
pub(crate) struct Imports {
    modules: BTreeMap<Module, Vec<Import>>,
}

impl Imports {
    /// Reads the sources of a crate in its folder `src`.
    ///
    /// # Panics
    ///
    /// Panics if a file can't be read.
    pub(crate) fn of(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let mut folders = vec![source.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if is_outside(&path) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).expect("text");
                    let module = module(path.strip_prefix(source).expect("a file of it"));
                    let imports = imports(&module, &text);
                    modules.insert(module, imports);
                }
            }
        }
        Self { modules }
    }

    /// Lists imports from higher layers, one per line. `layers` lists folders and files in the
    /// root, lowest first. A module can import from its own layer and lower ones.
    pub(crate) fn upward(&self, layers: &[&str]) -> Vec<String> {
        let place = |module: &[String]| {
            let layer = module.first()?;
            layers.iter().position(|other| other == layer)
        };
        let mut problems = Vec::new();
        for (module, imports) in self.modules.iter().filter(|(module, _)| !module.is_empty()) {
            let name = module.join("::");
            let Some(own) = place(module) else {
                problems.push(format!("{name} is in none of the layers"));
                continue;
            };
            // A root re-export counts as the item that it names. The root's own items are above all
            // layers.
            let is_above = |import: &&Import| {
                let defined = self.definition(&import.path, 0);
                let layer = place(&import.path).or_else(|| place(&defined?));
                layer.is_none_or(|layer| layer > own)
            };
            let above = imports.iter().filter(is_above);
            problems
                .extend(above.map(|import| format!("{name} imports {}", import.path.join("::"))));
        }
        problems
    }

    /// Lists groups of modules that import each other, directly or indirectly, largest first.
    pub(crate) fn knots(&self) -> Vec<Vec<String>> {
        let names: Vec<&Module> = self
            .modules
            .keys()
            .filter(|name| !name.is_empty())
            .collect();
        let number = |module: &Module| names.binary_search(&module).ok();
        let targets = |module: &Module| -> Vec<usize> {
            let uses = self.modules[module]
                .iter()
                .filter(|import| !import.is_reexport);
            let defined = uses.filter_map(|import| self.definition(&import.path, 0));
            defined
                .filter(|target| target != module)
                .filter_map(|target| number(&target))
                .collect()
        };
        let edges: Vec<Vec<usize>> = names.iter().map(|module| targets(module)).collect();
        let mut knots: Vec<Vec<String>> = strongly_connected(&edges)
            .into_iter()
            .map(|knot| {
                knot.into_iter()
                    .map(|module| names[module].join("::"))
                    .collect()
            })
            .collect();
        knots.sort_by_key(|knot| std::cmp::Reverse(knot.len()));
        knots
    }

    /// Returns the module that defines the item at a path from the root, following re-exports.
    fn definition(&self, path: &[String], depth: usize) -> Option<Module> {
        const DEPTH_MAX: usize = 8;
        let is_module = |length: &usize| self.modules.contains_key(&path[..*length]);
        let length = (0..=path.len()).rev().find(is_module)?;
        let (module, rest) = path.split_at(length);
        let from = rest.first().and_then(|name| {
            let named = |import: &&Import| import.is_reexport && import.name == *name;
            self.modules[module].iter().find(named)
        });
        match from {
            Some(import) if depth < DEPTH_MAX => self.definition(&import.path, depth + 1),
            _ => Some(module.to_vec()),
        }
    }
}

/// Returns the layers listed on a page: the first column of the table in the section that names the
/// test.
///
/// # Panics
///
/// Panics if no section names it.
pub(crate) fn listed_layers(page: &str, test: &str) -> Vec<String> {
    let mut sections = page.split("\n## ");
    let section = sections.find(|section| section.contains(test));
    names(section.expect("a section that names this test"), "- ")
}

pub(crate) fn documented_layers(root: &str) -> Vec<String> {
    let lines = root.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(str::trim_start).collect();
    names(&lines.join("\n"), "| ")
}

/// Returns the names that follow this mark at the start of lines in a list or table.
fn names(text: &str, mark: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
    let lines = lines.filter_map(|line| line.trim_start_matches('[').strip_prefix('`'));
    let names = lines.filter_map(|line| line.split('`').next());
    names.map(str::to_owned).collect()
}

/// Returns `true` for the sources of unit tests, and of programs next to the library.
fn is_outside(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default();
    name == "tests" || name == "main"
}

fn module(file: &Path) -> Module {
    let file = file.with_extension("");
    let names = file.iter().map(|name| name.to_string_lossy().into_owned());
    let mut names: Module = names.collect();
    if names
        .last()
        .is_some_and(|name| ["mod", "lib"].contains(&name.as_str()))
    {
        names.pop();
    }
    names
}

/// Returns the strongly connected groups with more than one node, in ascending order. `edges`
/// contains the targets of each node.
///
/// A node's group consists of the nodes that it reaches and that reach it. For a few hundred
/// modules, a search from each node is fast enough.
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = (0..edges.len()).map(|node| reach(edges, node)).collect();
    let mut knots: Vec<Vec<usize>> = Vec::new();
    for (node, reaches) in reached.iter().enumerate() {
        let together = |other: &usize| reaches[*other] && reached[*other][node];
        let knot: Vec<usize> = (0..edges.len()).filter(together).collect();
        // The first node of the group has already reported it.
        if knot.len() > 1 && knot.first() == Some(&node) {
            knots.push(knot);
        }
    }
    knots
}

/// Returns which nodes a node reaches, including itself if it is in a cycle.
fn reach(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for target in &edges[node] {
            if !std::mem::replace(&mut reached[*target], true) {
                open.push(*target);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Imports {
        let read = |(file, text): &(&str, &str)| {
            let module = module(Path::new(file));
            let imports = imports(&module, text);
            (module, imports)
        };
        Imports {
            modules: files.iter().map(read).collect(),
        }
    }

    #[test]
    fn imports_from_above_are_told() {
        let files = [
            ("lib.rs", "pub use low::B;\npub use top::A;\nfn own() {}"),
            (
                "low/mod.rs",
                "mod part;\nuse crate::top::{self, A};\nuse std::fmt;",
            ),
            (
                "low/part.rs",
                "use super::x;\nfn f() { crate::middle::g() }\n// crate::top",
            ),
            (
                "middle.rs",
                "use crate::low::part;\nuse crate::{A, B, own};",
            ),
            (
                "top.rs",
                "use crate::{low, middle};\n#[cfg(test)]\nmod tests { use crate::A; }",
            ),
            ("other.rs", ""),
        ];
        assert_eq!(
            crate_of(&files).upward(&["low", "middle", "top"]),
            [
                "low imports top",
                "low imports top::A",
                "low::part imports middle::g",
                "middle imports A",
                "middle imports own",
                "other is in none of the layers",
            ]
        );
    }

    #[test]
    fn layers_are_those_of_a_page_or_of_the_root() {
        let page = "# A\n\n## One\n\n`x/tests/layers.rs`\n\n- `a`: is\n- `b`: is\n\n## Two\n";
        assert_eq!(listed_layers(page, "x/tests/layers.rs"), ["a", "b"]);
        let root =
            "//! A crate.\n//!\n//! | module | is |\n//! |---|---|\n//! | `c` | x |\nmod c;\n";
        assert_eq!(documented_layers(root), ["c"]);
    }

    #[test]
    fn knots_are_found_through_re_exports() {
        let files = [
            ("lib.rs", "use a::A;"),
            (
                "a/mod.rs",
                "mod one;\nmod two;\npub use one::One;\npub(crate) use two::{Two};",
            ),
            ("a/one.rs", "use super::Two;"),
            ("a/two.rs", "use crate::b::B;"),
            ("b.rs", "use crate::a::One;\nuse crate::c::C;"),
            ("c.rs", "use crate::d;"),
            ("d.rs", "use super::c::C;\nuse crate::a::One;"),
        ];
        assert_eq!(
            crate_of(&files).knots(),
            [["a::one", "a::two", "b", "c", "d"].map(str::to_owned)]
        );
        assert!(crate_of(&files[..4]).knots().is_empty());
    }
}
