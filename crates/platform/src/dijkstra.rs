//! Combines given routes into routes with the fewest links, for one source at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::OnceLock;

use crate::lists::{Hop, NONE, index};

/// Maximum number of points in a zone that can be sources. The trees of this many points take a
/// gigabyte.
pub(crate) const POINTS_MAX: usize = 1 << 14;

/// A graph with given routes as its edges.
///
/// If several routes have the same number of links, the order in which points are named decides, as
/// in `SimGrid`.
#[derive(Debug, Default)]
pub(crate) struct Dijkstra {
    /// Node of each point that a route refers to. Nodes are numbered in the order in which routes
    /// first refer to their points.
    nodes: BTreeMap<u32, u32>,
    /// Edges that leave each node, in the order in which they were given.
    edges: Vec<Vec<RoutedEdge>>,
    /// For each node, the tree of shortest routes from it: the previous node on the way to each
    /// other node.
    trees: Vec<OnceLock<Vec<u32>>>,
}

#[derive(Debug, Clone, Copy)]
struct RoutedEdge {
    to: u32,
    hop: Hop,
}

impl Dijkstra {
    /// Adds a given route. Returns `false` if there is already a route between these points, or if
    /// there are too many points.
    pub(crate) fn add(&mut self, src: u32, dst: u32, hop: Hop) -> bool {
        let (from, to) = (self.node(src), self.node(dst));
        let edges = &mut self.edges[from as usize];
        let is_new = edges.iter().all(|it| it.to != to);
        edges.push(RoutedEdge { to, hop });
        is_new && self.edges.len() <= POINTS_MAX
    }

    fn node(&mut self, id: u32) -> u32 {
        let next = index(self.edges.len());
        let node = *self.nodes.entry(id).or_insert(next);
        if node == next {
            self.edges.push(Vec::new());
            self.trees.push(OnceLock::new());
        }
        node
    }

    pub(crate) fn has(&self, src: u32, dst: u32) -> bool {
        let node = |id: u32| self.nodes.get(&id).copied();
        node(src)
            .zip(node(dst))
            .is_some_and(|(src, dst)| self.edge(src, dst).is_some())
    }

    /// Returns the indices in the zone of all points that routes refer to.
    pub(crate) fn points(&self) -> impl Iterator<Item = u32> {
        self.nodes.keys().copied()
    }

    /// Returns the given routes, by the points that they connect.
    pub(crate) fn given(&self) -> BTreeMap<(u32, u32), Hop> {
        let ids: BTreeMap<u32, u32> = self.nodes.iter().map(|(id, node)| (*node, *id)).collect();
        let mut given = BTreeMap::new();
        for (edges, from) in self.edges.iter().zip(0..) {
            for edge in edges {
                given.insert((ids[&from], ids[&edge.to]), edge.hop);
            }
        }
        given
    }

    /// Returns the given routes that form the shortest route between two points; `None` if there is
    /// no route.
    pub(crate) fn hops(&self, src: u32, dst: u32) -> Option<Vec<Hop>> {
        let (src, dst) = (*self.nodes.get(&src)?, *self.nodes.get(&dst)?);
        if src == dst {
            return Some(vec![self.edge(src, src)?.hop]);
        }
        let tree = self.trees[src as usize].get_or_init(|| self.tree(src));
        let mut hops = Vec::new();
        let mut at = dst;
        while at != src {
            let before = tree[at as usize];
            if before == NONE {
                return None;
            }
            hops.push(self.edge(before, at)?.hop);
            at = before;
        }
        hops.reverse();
        Some(hops)
    }

    fn edge(&self, from: u32, to: u32) -> Option<&RoutedEdge> {
        self.edges[from as usize].iter().find(|it| it.to == to)
    }

    fn tree(&self, src: u32) -> Vec<u32> {
        let mut before = vec![NONE; self.edges.len()];
        let mut costs = vec![u64::MAX; self.edges.len()];
        costs[src as usize] = 0;
        let mut queue = BinaryHeap::from([Reverse((0, src))]);
        while let Some(Reverse((cost, at))) = queue.pop() {
            if cost > costs[at as usize] {
                continue;
            }
            for edge in &self.edges[at as usize] {
                let through = cost + u64::from(edge.hop.links.len());
                let to = edge.to as usize;
                if through < costs[to] {
                    costs[to] = through;
                    before[to] = at;
                    queue.push(Reverse((through, edge.to)));
                }
            }
        }
        before
    }
}
