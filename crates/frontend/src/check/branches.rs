//! Finds elements that only some processes or threads execute. Such elements depend on a condition
//! that differs between processes or threads, either directly (control dependence: Ferrante,
//! Ottenstein and Warren, ACM TOPLAS 9, 1987) or through contents and calls.

use std::collections::BTreeSet;

use super::dominators::post_dominators;
use super::graph::{ModelGraph, contents};
use super::shape::Set;
use prophet_map::Map;
use prophet_model::model::{DiagramId, Element, ElementId, NodeKind, StereotypeKind};

const BRANCH_MAX: usize = 1000;

/// For each element, the element with the condition that makes only some processes or threads run
/// it; `None` if all of them do.
pub(super) type Deciders = Vec<Option<ElementId>>;

/// Finds, for each element of the program, the element that decides whether a process or thread
/// runs it.
///
/// `varies` returns whether a node's condition differs between units. A decision doesn't count if
/// all of its branches contain the same elements of `balanced`.
pub(super) fn deciders(
    graph: &ModelGraph<'_>,
    varies: &dyn Fn(ElementId) -> bool,
    balanced: Option<&Set>,
) -> Deciders {
    let mut deciders: Deciders = vec![None; graph.model.elements.len()];
    let mut around: Vec<Option<ElementId>> = vec![None; graph.model.diagrams.len()];
    // Visits diagrams before the diagrams that they contain or call.
    for &diagram in graph.program.iter().rev() {
        let elements = &graph.model.diagram(diagram).elements;
        if let Some(decider) = around[diagram.0] {
            for id in elements {
                deciders[id.0] = Some(decider);
            }
        } else {
            in_diagram(graph, diagram, varies, balanced, &mut deciders);
        }
        for &id in elements {
            let element = graph.element(id);
            let own = (!branches(element) && varies(id)).then_some(id);
            for content in contents(element) {
                around[content.0] = around[content.0].or(deciders[id.0]).or(own);
            }
        }
    }
    deciders
}

/// Returns `true` if the conditions are on the element's outgoing flows rather than in its content.
fn branches(element: &Element) -> bool {
    contents(element).is_empty()
}

fn in_diagram(
    graph: &ModelGraph<'_>,
    diagram: DiagramId,
    varies: &dyn Fn(ElementId) -> bool,
    balanced: Option<&Set>,
    deciders: &mut Deciders,
) {
    let elements = &graph.model.diagram(diagram).elements;
    let decides = |id: ElementId| {
        let element = graph.element(id);
        branches(element) && element.kind != NodeKind::Fork && graph.outgoing(id).len() > 1
    };
    let first: Vec<ElementId> = elements
        .iter()
        .copied()
        .filter(|&id| decides(id) && varies(id))
        .collect();
    if first.is_empty() {
        return;
    }
    let numbers: Map<ElementId, usize> = elements.iter().copied().zip(0..).collect();
    let behind = |id: ElementId| graph.successors(id).map(|it| numbers[&it]);
    let successors: Vec<Vec<usize>> = elements.iter().map(|&id| behind(id).collect()).collect();
    let mut dependence = Dependence::new(&successors);
    for &id in &first {
        let number = numbers[&id];
        let end = dependence.after[number].map(|it| elements[it]);
        if !balanced.is_some_and(|set| is_balanced(graph, id, end, set)) {
            dependence.open.push((number, number));
        }
    }
    while let Some((node, decider)) = dependence.open.pop() {
        for number in dependence.mark(node, &successors[node]) {
            let id = elements[number];
            deciders[id.0] = Some(elements[decider]);
            if decides(id) {
                dependence.open.push((number, decider));
            }
        }
    }
}

/// A diagram's nodes that haven't been found to depend on any decision yet.
struct Dependence {
    after: Vec<Option<usize>>,
    depths: Vec<usize>,
    /// For each node, the nearest node on the way up, possibly the node itself, that isn't marked.
    next: Vec<Option<usize>>,
    /// Deciding nodes still to process, each with the element that decides whether it runs.
    open: Vec<(usize, usize)>,
}

impl Dependence {
    fn new(successors: &[Vec<usize>]) -> Self {
        let after = post_dominators(successors);
        let depths = depths(&after);
        Self {
            next: (0..after.len()).map(Some).collect(),
            open: Vec::new(),
            after,
            depths,
        }
    }

    /// Marks the nodes that depend on `node`: nodes that post-dominate one of its branches, but not
    /// `node` itself. Returns the newly marked nodes.
    fn mark(&mut self, node: usize, branches: &[usize]) -> Vec<usize> {
        // The node's post-dominator has fewer post-dominators than the nodes that depend on it.
        let least = self.after[node].map_or(0, |end| self.depths[end] + 1);
        let mut marked = Vec::new();
        for &branch in branches {
            while let Some(number) = self.find(branch) {
                if self.depths[number] < least {
                    break;
                }
                self.next[number] = self.after[number];
                marked.push(number);
            }
        }
        marked
    }

    fn find(&mut self, from: usize) -> Option<usize> {
        let mut way = Vec::new();
        let mut at = Some(from);
        while let Some(node) = at.filter(|&node| self.next[node] != Some(node)) {
            way.push(node);
            at = self.next[node];
        }
        for node in way {
            self.next[node] = at;
        }
        at
    }
}

fn depths(above: &[Option<usize>]) -> Vec<usize> {
    let mut depths: Vec<Option<usize>> = vec![None; above.len()];
    for node in 0..above.len() {
        let mut way = vec![node];
        while let Some(&top) = way.last() {
            match (depths[top], above[top]) {
                (Some(_), _) => break,
                (None, None) => depths[top] = Some(0),
                (None, Some(next)) => way.push(next),
            }
        }
        let Some(mut depth) = way.pop().and_then(|top| depths[top]) else {
            continue;
        };
        while let Some(node) = way.pop() {
            depth += 1;
            depths[node] = Some(depth);
        }
    }
    depths.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns `true` if all branches of a decision contain equally many elements of `set` of each
/// stereotype.
fn is_balanced(graph: &ModelGraph<'_>, id: ElementId, end: Option<ElementId>, set: &Set) -> bool {
    let mut branches = graph
        .successors(id)
        .map(|start| branch(graph, start, end, set));
    let Some(Some(first)) = branches.next() else {
        return false;
    };
    branches.all(|other| other.as_ref() == Some(&first))
}

/// Counts the elements of `set` in a branch, by stereotype. Returns `None` if the branch is too
/// long or contains nested diagrams.
fn branch(
    graph: &ModelGraph<'_>,
    start: ElementId,
    end: Option<ElementId>,
    set: &Set,
) -> Option<Map<StereotypeKind, usize>> {
    let mut found = Map::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        if Some(id) == end || !seen.insert(id) {
            continue;
        }
        let element = graph.element(id);
        if seen.len() > BRANCH_MAX || !contents(element).is_empty() {
            return None;
        }
        if let Some(stereotype) = element.stereotype.as_ref().filter(|_| set.has(element)) {
            *found.get_or_default(stereotype.kind) += 1;
        }
        open.extend(graph.successors(id));
    }
    Some(found)
}
