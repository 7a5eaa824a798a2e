//! Stores a list of numbers for each node, in two flat vectors.

#[derive(Debug, Clone, Default)]
pub(crate) struct Adjacency {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Adjacency {
    /// Creates the lists of `nodes` nodes from pairs of a node and an item. Each list is sorted and
    /// has no duplicates.
    pub(crate) fn new(nodes: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; nodes + 1];
        for &(node, _) in &pairs {
            starts[node as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let items = pairs.into_iter().map(|it| it.1).collect();
        Self { starts, items }
    }

    pub(crate) fn of(&self, node: usize) -> &[u32] {
        &self.items[self.range(node)]
    }

    pub(crate) fn range(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns all pairs, swapped.
    pub(crate) fn reversed(&self) -> Vec<(u32, u32)> {
        let nodes = 0..self.starts.len() - 1;
        let pairs = nodes.flat_map(|node| {
            let node_number = u32::try_from(node).unwrap_or(u32::MAX);
            self.of(node).iter().map(move |item| (*item, node_number))
        });
        pairs.collect()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        (self.starts.capacity() + self.items.capacity()) * 4
    }
}
