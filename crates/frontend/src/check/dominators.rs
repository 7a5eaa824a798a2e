//! Computes post-dominators: the nodes that lie on every path to the end of a diagram.
//!
//! Lengauer and Tarjan's algorithm (ACM TOPLAS 1, 1979) with path compression takes O(m log n) time
//! on any graph. This implementation doesn't recurse.

/// Computes each node's immediate post-dominator; `None` if it is the end.
///
/// `successors` lists the nodes that follow each node. Nodes that can't reach an end count as ends.
pub(super) fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, next) in successors.iter().enumerate() {
        for &next in next {
            predecessors[next].push(node);
        }
    }
    // Computes dominators of the reversed graph. Its root follows all ends.
    let root = count;
    let mut tree = SearchTree::new(count + 1);
    let mut ends: Vec<usize> = (0..count).filter(|&n| successors[n].is_empty()).collect();
    tree.number(root, None);
    let mut seen = vec![false; count];
    for &end in &ends {
        tree.search(end, root, &predecessors, &mut seen);
    }
    for node in 0..count {
        if !seen[node] {
            ends.push(node);
            tree.search(node, root, &predecessors, &mut seen);
        }
    }
    let mut is_end = vec![false; count];
    for end in ends {
        is_end[end] = true;
    }
    let before = |node: usize| {
        let behind = successors[node].iter().copied();
        behind.chain(is_end[node].then_some(root))
    };
    tree.dominators(before)
        .into_iter()
        .take(count)
        .map(|dominator| dominator.filter(|&it| it != root))
        .collect()
}

/// A depth-first search tree with the algorithm's data, indexed by search order.
struct SearchTree {
    numbers: Vec<usize>,
    nodes: Vec<usize>,
    parents: Vec<usize>,
    semi: Vec<usize>,
    /// The forest of linked nodes. Each node has its parent, and the best node on the path to that
    /// parent.
    above: Vec<Option<usize>>,
    best: Vec<usize>,
}

impl SearchTree {
    fn new(count: usize) -> Self {
        Self {
            numbers: vec![usize::MAX; count],
            nodes: Vec::with_capacity(count),
            parents: Vec::with_capacity(count),
            semi: Vec::with_capacity(count),
            above: Vec::with_capacity(count),
            best: Vec::with_capacity(count),
        }
    }

    fn number(&mut self, node: usize, parent: Option<usize>) {
        let number = self.nodes.len();
        self.numbers[node] = number;
        self.nodes.push(node);
        self.parents.push(parent.map_or(0, |it| self.numbers[it]));
        self.semi.push(number);
        self.above.push(None);
        self.best.push(number);
    }

    fn search(&mut self, from: usize, root: usize, next: &[Vec<usize>], seen: &mut [bool]) {
        if std::mem::replace(&mut seen[from], true) {
            return;
        }
        self.number(from, Some(root));
        let mut open = vec![(from, 0)];
        while let Some((node, at)) = open.last_mut() {
            let node = *node;
            let Some(&child) = next[node].get(*at) else {
                open.pop();
                continue;
            };
            *at += 1;
            if !std::mem::replace(&mut seen[child], true) {
                self.number(child, Some(node));
                open.push((child, 0));
            }
        }
    }

    fn dominators<I: Iterator<Item = usize>>(
        mut self,
        before: impl Fn(usize) -> I,
    ) -> Vec<Option<usize>> {
        let count = self.nodes.len();
        let mut dominators = vec![0; count];
        let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); count];
        for number in (1..count).rev() {
            for node in before(self.nodes[number]) {
                let best = self.evaluate(self.numbers[node]);
                self.semi[number] = self.semi[number].min(self.semi[best]);
            }
            buckets[self.semi[number]].push(number);
            let parent = self.parents[number];
            self.above[number] = Some(parent);
            for waiting in std::mem::take(&mut buckets[parent]) {
                let best = self.evaluate(waiting);
                let is_below = self.semi[best] < self.semi[waiting];
                dominators[waiting] = if is_below { best } else { parent };
            }
        }
        for number in 1..count {
            if dominators[number] != self.semi[number] {
                dominators[number] = dominators[dominators[number]];
            }
        }
        let mut by_node = vec![None; count];
        for number in 1..count {
            by_node[self.nodes[number]] = Some(self.nodes[dominators[number]]);
        }
        by_node
    }

    /// Finds the node with the smallest semidominator on the path up, and compresses the path.
    fn evaluate(&mut self, number: usize) -> usize {
        let mut way = Vec::new();
        let mut at = number;
        while let Some(above) = self.above[at] {
            way.push(at);
            at = above;
        }
        // `at` is now the root of the tree. The nodes on the path become its children.
        let mut upper: Option<usize> = None;
        for &node in way.iter().rev() {
            if let Some(upper) = upper {
                if self.semi[self.best[upper]] < self.semi[self.best[node]] {
                    self.best[node] = self.best[upper];
                }
                self.above[node] = Some(at);
            }
            upper = Some(node);
        }
        if way.is_empty() {
            number
        } else {
            self.best[number]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Computes post-dominators from their definition, as the nearest node on every path to an end.
    fn slow(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
        let count = successors.len();
        let reaches = |from: usize, without: usize| {
            let mut seen = vec![false; count];
            let mut open = vec![from];
            while let Some(node) = open.pop() {
                if node == without || std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                if successors[node].is_empty() {
                    return true;
                }
                open.extend(&successors[node]);
            }
            false
        };
        (0..count)
            .map(|node| {
                let all: Vec<usize> = (0..count)
                    .filter(|&it| it != node && !reaches(node, it))
                    .collect();
                // All other candidates post-dominate the nearest node.
                all.iter()
                    .copied()
                    .find(|&near| all.iter().all(|&far| far == near || !reaches(near, far)))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn agree_with_the_definition(
            flows in proptest::collection::vec((0_usize..9, 0_usize..9), 0..20),
        ) {
            let mut successors = vec![Vec::new(); 10];
            for (source, target) in flows {
                successors[source].push(target);
            }
            // Lets all nodes reach an end, because nodes that can't have no post-dominators.
            for source in &mut successors[..9] {
                source.push(9);
            }
            prop_assert_eq!(post_dominators(&successors), slow(&successors));
            for source in &mut successors[..9] {
                if source.len() > 1 {
                    source.pop();
                }
            }
            let found = post_dominators(&successors);
            let mut ends = [false; 10];
            for _ in 0..10 {
                for node in 0..10 {
                    ends[node] |= successors[node].is_empty()
                        || successors[node].iter().any(|&next| ends[next]);
                }
            }
            if ends.iter().all(|&ends| ends) {
                prop_assert_eq!(found, slow(&successors));
            }
        }
    }

    #[test]
    fn a_chain_of_a_million_nodes_takes_no_stack() {
        let count = 1_000_000;
        let successors: Vec<Vec<usize>> = (0..count)
            .map(|node| {
                if node + 1 < count {
                    vec![node + 1, count - 1]
                } else {
                    Vec::new()
                }
            })
            .collect();
        let found = post_dominators(&successors);
        assert!(found[..count - 1].iter().all(|it| *it == Some(count - 1)));
    }
}
