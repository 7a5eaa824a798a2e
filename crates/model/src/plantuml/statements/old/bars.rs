//! Determines which bars of the older syntax are joins and which are merges.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maximum number of nodes to analyze. In larger diagrams, every bar is a join.
const NODES_MAX: usize = 2_000;

/// The arrows of a diagram, as pairs of node numbers.
pub(super) struct Arrows {
    leaving: BTreeMap<usize, Vec<usize>>,
    nodes: usize,
}

impl Arrows {
    pub(super) fn new(nodes: usize, arrows: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, to) in arrows {
            leaving.entry(from).or_default().push(to);
        }
        Self { leaving, nodes }
    }

    /// Returns the node where the flows that meet at `bar` split: the last node that all ways from
    /// `start` to `bar` share. Returns `None` if no way leads to the bar, or the diagram is too
    /// large.
    pub(super) fn parting(&self, start: usize, bar: usize) -> Option<usize> {
        if self.nodes > NODES_MAX {
            return None;
        }
        let before = self.ways(start, None);
        let mut at = bar;
        while at != start {
            at = *before.get(&at)?;
            if at == start || !self.ways(start, Some(at)).contains_key(&bar) {
                return Some(at);
            }
        }
        None
    }

    /// Finds the nodes that can be reached from `start` without passing the node `without`. Each
    /// has the node before it.
    fn ways(&self, start: usize, without: Option<usize>) -> BTreeMap<usize, usize> {
        let mut before = BTreeMap::new();
        let mut seen = BTreeSet::from([start]);
        let mut open = VecDeque::from([start]);
        while let Some(from) = open.pop_front() {
            for &to in self.leaving.get(&from).into_iter().flatten() {
                if Some(to) != without && seen.insert(to) {
                    before.insert(to, from);
                    open.push_back(to);
                }
            }
        }
        before
    }
}
