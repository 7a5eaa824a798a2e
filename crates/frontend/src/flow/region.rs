//! Computes dominators, back edges, and the steps that become states of a dispatch loop.

use super::NESTING_MAX;
use super::graph::{FlowStep, Index, ROOT};

/// Maximum number of nested branches in a state of [`ReducibleRegion::flat`].
const FLAT_NESTING_MAX: usize = NESTING_MAX / 2;

/// Maximum number of rounds to look for states. After that, all joins become states.
const ROUNDS_MAX: usize = 8;

/// A forest, stored as the parent of each node. Parents have lower numbers than their children.
#[derive(Debug)]
pub(super) struct Forest {
    pub(super) parent: Vec<Index>,
    first: Vec<usize>,
    pub(super) size: Vec<usize>,
}

impl Forest {
    /// Creates a tree with the root [`ROOT`].
    pub(super) fn new(parent: Vec<Index>) -> Self {
        let mut size = vec![1; parent.len()];
        for node in (1..parent.len()).rev() {
            size[parent[node]] += size[node];
        }
        let mut first = vec![0; parent.len()];
        let mut free = vec![1; parent.len()];
        for node in 1..parent.len() {
            let above = parent[node];
            first[node] = free[above];
            free[node] = first[node] + 1;
            free[above] += size[node];
        }
        Self {
            parent,
            first,
            size,
        }
    }

    /// Returns `true` if `node` is `top` or one of its descendants.
    pub(super) fn within(&self, node: Index, top: Index) -> bool {
        (self.first[top]..self.first[top] + self.size[top]).contains(&self.first[node])
    }

    fn depth(&self) -> usize {
        let mut depth = vec![0_usize; self.parent.len()];
        for node in 1..depth.len() {
            depth[node] = depth[self.parent[node]] + 1;
        }
        depth.into_iter().max().unwrap_or(0)
    }
}

/// The dominator tree of the steps, cut at states so that each part is reducible.
#[derive(Debug)]
pub(super) struct ReducibleRegion {
    /// The dominator tree. The children of its root are the entry and the states.
    pub(super) dominators: Forest,
    /// The tree of loops. The parent of a step is the header of the innermost loop around it, and
    /// the parent of a header is the header of the enclosing loop. The root represents no loop.
    pub(super) loops: Forest,
    pub(super) is_header: Vec<bool>,
    /// States of the dispatch loop, the entry first; empty if the graph needs no dispatch loop.
    pub(super) states: Vec<Index>,
}

impl ReducibleRegion {
    /// Builds a region with as few states as possible.
    pub(super) fn structured(steps: &[FlowStep]) -> Self {
        let mut is_state = vec![false; steps.len()];
        for _ in 0..ROUNDS_MAX {
            let dominators = dominators(steps, &is_state);
            let mut sound = true;
            for (source, target) in edges(steps) {
                let back = dominators.within(source, target);
                if target <= source && !back && dominators.parent[target] != ROOT {
                    is_state[target] = true;
                    sound = false;
                }
            }
            if sound {
                let region = Self::new(steps, dominators);
                // Each loop is a block. If they are nested too deeply, the text couldn't stay
                // structured anyway.
                let nested = region.loops.depth() > NESTING_MAX + 1;
                return if nested { Self::flat(steps) } else { region };
            }
        }
        Self::flat(steps)
    }

    /// Builds a region in which every join is a state, and branches in a state are nested at most
    /// [`FLAT_NESTING_MAX`] deep.
    pub(super) fn flat(steps: &[FlowStep]) -> Self {
        let mut incoming = vec![0_usize; steps.len()];
        let mut is_state = vec![false; steps.len()];
        for (source, target) in edges(steps) {
            incoming[target] += 1;
            is_state[target] |= incoming[target] > 1 || target <= source;
        }
        let mut nesting = vec![0; steps.len()];
        for (source, step) in steps.iter().enumerate() {
            for target in step.targets().filter(|&target| target > source) {
                nesting[target] = nesting[source] + usize::from(step.branches());
                is_state[target] |= nesting[target] > FLAT_NESTING_MAX;
                if is_state[target] {
                    nesting[target] = 0;
                }
            }
        }
        Self::new(steps, dominators(steps, &is_state))
    }

    fn new(steps: &[FlowStep], dominators: Forest) -> Self {
        let mut states: Vec<Index> = (1..steps.len())
            .filter(|&index| dominators.parent[index] == ROOT)
            .collect();
        if states.len() == 1 {
            states.clear();
        }
        let (loops, is_header) = loops(steps, &dominators);
        Self {
            dominators,
            loops,
            is_header,
            states,
        }
    }

    /// Returns `true` if the edge from `source` to `target` continues the loop at `target`.
    pub(super) fn goes_back(&self, source: Index, target: Index) -> bool {
        self.dominators.within(source, target)
    }

    pub(super) fn is_state(&self, index: Index) -> bool {
        !self.states.is_empty() && self.dominators.parent[index] == ROOT
    }
}

pub(super) fn edges(steps: &[FlowStep]) -> impl Iterator<Item = (Index, Index)> {
    let indices = steps.iter().enumerate();
    indices.flat_map(|(source, step)| step.targets().map(move |target| (source, target)))
}

/// Computes the dominator tree. The root's children are the states.
///
/// A step's dominator is the nearest common ancestor of all its forward predecessors. This is exact
/// if the target of every backward edge dominates its source, which the caller checks.
fn dominators(steps: &[FlowStep], is_state: &[bool]) -> Forest {
    let mut parent = vec![ROOT; steps.len()];
    let mut depth = vec![0_usize; steps.len()];
    // A distant ancestor of each step. With these jumps, any ancestor is a logarithmic number of
    // steps away (Myers 1983).
    let mut jump = vec![ROOT; steps.len()];
    let mut found = vec![false; steps.len()];
    for index in 0..steps.len() {
        // All forward predecessors of this step, and its own parent, are finished.
        if index != ROOT {
            let above = parent[index];
            depth[index] = depth[above] + 1;
            let (one, two) = (jump[above], jump[jump[above]]);
            let even = depth[above] - depth[one] == depth[one] - depth[two];
            jump[index] = if even { two } else { above };
        }
        for target in steps[index].targets().filter(|&target| target > index) {
            if is_state[target] {
                parent[target] = ROOT;
            } else if std::mem::replace(&mut found[target], true) {
                parent[target] = common(parent[target], index, &parent, &depth, &jump);
            } else {
                parent[target] = index;
            }
        }
    }
    Forest::new(parent)
}

fn common(
    mut one: Index,
    mut other: Index,
    parent: &[Index],
    depth: &[usize],
    jump: &[Index],
) -> Index {
    while one != other {
        if depth[one] < depth[other] {
            std::mem::swap(&mut one, &mut other);
        }
        if depth[one] > depth[other] {
            let far = depth[jump[one]] >= depth[other];
            one = if far { jump[one] } else { parent[one] };
        } else if jump[one] == jump[other] {
            (one, other) = (parent[one], parent[other]);
        } else {
            (one, other) = (jump[one], jump[other]);
        }
    }
    one
}

/// Computes the tree of natural loops, and marks the headers.
fn loops(steps: &[FlowStep], dominators: &Forest) -> (Forest, Vec<bool>) {
    let mut is_header = vec![false; steps.len()];
    let mut predecessors = vec![Vec::new(); steps.len()];
    for (source, target) in edges(steps) {
        let back = dominators.within(source, target);
        is_header[target] |= back;
        // Edges to states go through the dispatch loop, so they aren't part of any inner loop.
        if back || dominators.parent[target] != ROOT {
            predecessors[target].push(source);
        }
    }
    let mut parent = vec![ROOT; steps.len()];
    let mut outermost: Vec<Index> = (0..steps.len()).collect();
    // Inner headers have higher numbers, so when an outer loop is visited, each inner loop already
    // counts as one step.
    for header in (1..steps.len()).rev().filter(|&index| is_header[index]) {
        let back = |&source: &Index| dominators.within(source, header);
        let mut open: Vec<Index> = predecessors[header].iter().copied().filter(back).collect();
        while let Some(index) = open.pop() {
            let top = outermost_loop(&mut outermost, index);
            if top != header {
                parent[top] = header;
                outermost[top] = header;
                open.extend(&predecessors[top]);
            }
        }
    }
    (Forest::new(parent), is_header)
}

/// Finds the header of the outermost known loop around `index`, and shortens the path for later
/// searches.
fn outermost_loop(outermost: &mut [Index], mut index: Index) -> Index {
    while outermost[index] != index {
        outermost[index] = outermost[outermost[index]];
        index = outermost[index];
    }
    index
}
