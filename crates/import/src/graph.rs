//! Represents the operations of a rank and their dependencies as a graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The moment in an operation that another operation waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    Start,
    End,
}

#[derive(Debug)]
pub(crate) struct Graph<O> {
    pub(crate) operations: Vec<O>,
    /// Number of moments that each operation still waits for.
    pub(crate) needs: Vec<u32>,
    /// Edges, sorted by the operation that they start from, then in file order.
    edges: Vec<(u32, Moment, u32)>,
    /// Index of each operation's first edge, followed by the number of edges.
    first: Vec<u32>,
}

impl<O> Default for Graph<O> {
    fn default() -> Self {
        Self {
            operations: Vec::new(),
            needs: Vec::new(),
            edges: Vec::new(),
            first: Vec::new(),
        }
    }
}

impl<O> Graph<O> {
    pub(crate) fn add(&mut self, operation: O) -> u32 {
        self.operations.push(operation);
        self.needs.push(0);
        u32::try_from(self.operations.len() - 1).unwrap_or(u32::MAX)
    }

    /// Makes the operation `later` wait for a moment in `earlier`.
    pub(crate) fn require(&mut self, later: u32, moment: Moment, earlier: u32) {
        self.needs[later as usize] += 1;
        self.edges.push((earlier, moment, later));
    }

    pub(crate) fn disconnect(&mut self) {
        self.edges.clear();
        self.needs.fill(0);
    }

    /// Sorts the edges. Call it after adding the last one.
    pub(crate) fn finish(&mut self) {
        self.edges
            .sort_by_key(|(earlier, moment, _)| (*earlier, *moment));
        self.first = Vec::with_capacity(self.operations.len() + 1);
        let mut place = 0;
        for number in 0..=self.operations.len() {
            let before = |it: &(u32, Moment, u32)| (it.0 as usize) < number;
            place += self.edges[place..]
                .iter()
                .take_while(|it| before(it))
                .count();
            self.first.push(u32::try_from(place).unwrap_or(u32::MAX));
        }
    }

    /// Iterates over the operations that wait for a moment in an operation, in file order.
    pub(crate) fn waiting_for(&self, earlier: u32, moment: Moment) -> impl Iterator<Item = u32> {
        let number = earlier as usize;
        let range = self.first[number] as usize..self.first[number + 1] as usize;
        let edges = self.edges[range].iter();
        edges
            .filter(move |(_, of, _)| *of == moment)
            .map(|(_, _, later)| *later)
    }

    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.operations.len()).unwrap_or(u32::MAX)
    }

    /// Returns the operations in an order in which each follows the operations whose ends it waits
    /// for, and otherwise in file order. Operations in a cycle are left out.
    pub(crate) fn order(&self) -> Vec<u32> {
        let mut needs = self.needs.clone();
        let free = (0..self.len()).filter(|it| needs[*it as usize] == 0);
        let mut ready: BinaryHeap<Reverse<u32>> = free.map(Reverse).collect();
        let mut order = Vec::with_capacity(self.operations.len());
        while let Some(Reverse(next)) = ready.pop() {
            order.push(next);
            for later in self.waiting_for(next, Moment::End) {
                needs[later as usize] -= 1;
                if needs[later as usize] == 0 {
                    ready.push(Reverse(later));
                }
            }
        }
        order
    }
}
