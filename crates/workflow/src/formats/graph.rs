//! Reads graphs that workflow engines write: DOT, Mermaid, and HTML pages that contain Mermaid.

mod dot;
mod mermaid;

use std::collections::BTreeMap;

use prophet_text::{FileKind, Problem};

use super::NamedText;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Graph {
    /// Labels of the nodes. A node without a label has its name here.
    pub(super) labels: Vec<String>,
    pub(super) dashed: Vec<bool>,
    /// Edges, as pairs of node indices.
    pub(super) edges: Vec<(usize, usize)>,
    numbers: BTreeMap<String, usize>,
}

pub(super) fn read(file: NamedText<'_>) -> Result<Graph, Problem> {
    match file.kind() {
        Some(FileKind::Dot) => dot::read(file),
        _ => Ok(mermaid::read(file.text)),
    }
}

impl Graph {
    /// Returns the index of the node with this name, and adds the node if it is new.
    fn node(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.labels.len();
        self.labels.push(name.to_owned());
        self.dashed.push(false);
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Returns, for each chosen node, the nearest chosen node on every path to it.
    pub(super) fn nearest(&self, chosen: &[bool]) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.labels.len()];
        for &(from, to) in &self.edges {
            before[to].push(from);
        }
        let mut seen_by = vec![usize::MAX; self.labels.len()];
        let mut nearest = vec![Vec::new(); self.labels.len()];
        for node in (0..self.labels.len()).filter(|it| chosen[*it]) {
            let mut open = before[node].clone();
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen_by[at], node) == node {
                    continue;
                }
                if chosen[at] {
                    nearest[node].push(at);
                } else {
                    open.extend(&before[at]);
                }
            }
            nearest[node].sort_unstable();
        }
        nearest
    }
}
