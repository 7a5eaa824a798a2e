//! Determines the order in which elements can run, based on flows, contents and calls.

use std::collections::BTreeSet;

use super::graph::{ModelGraph, contents};
use super::shape::Set;
use prophet_model::model::{DiagramId, ElementId, NodeKind, StereotypeKind};

/// The result of a walk over the program that doesn't continue past certain elements.
#[derive(Debug)]
pub(super) struct OrderWalk {
    /// Loops whose content certainly runs, so that the walk can't go around it.
    repeated: BTreeSet<ElementId>,
    /// Whether the walk can get from the start of each diagram to its end.
    passable: Vec<bool>,
    /// Whether the walk reaches each element from the program's start.
    pub(super) reached: Vec<bool>,
    pub(super) ends: bool,
}

/// Walks from the start of the program. The walk doesn't continue past elements in `stops`, or
/// along flows that aren't in `is_open`. It passes `repeated` loops only through their content.
pub(super) fn walk(
    graph: &ModelGraph<'_>,
    stops: &dyn Fn(ElementId) -> bool,
    is_open: &dyn Fn(usize) -> bool,
    repeated: BTreeSet<ElementId>,
) -> OrderWalk {
    let mut walk = OrderWalk {
        repeated,
        passable: vec![false; graph.model.diagrams.len()],
        reached: vec![false; graph.model.elements.len()],
        ends: false,
    };
    // Visits each element at most twice, the first time only to find out whether its diagram can be
    // passed.
    let mut visited = vec![false; graph.model.elements.len()];
    for &diagram in &graph.program {
        let elements = &graph.model.diagram(diagram).elements;
        let mut ends = elements.is_empty();
        let mut open = graph.starts(diagram);
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut visited[id.0], true) {
                continue;
            }
            if !stops(id) && walk.passes(graph, id) {
                ends |= is_end(graph, id);
                open.extend(behind(graph, id, is_open));
            }
        }
        walk.passable[diagram.0] = ends;
    }
    walk.ends = walk.passable[graph.model.main.0];
    let mut entered = vec![false; graph.model.diagrams.len()];
    let mut diagrams = vec![graph.model.main];
    while let Some(diagram) = diagrams.pop() {
        if std::mem::replace(&mut entered[diagram.0], true) {
            continue;
        }
        let mut open = graph.starts(diagram);
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut walk.reached[id.0], true) || stops(id) {
                continue;
            }
            diagrams.extend(walk.entered(graph, id));
            if walk.passes(graph, id) {
                open.extend(behind(graph, id, is_open));
            }
        }
    }
    walk
}

impl OrderWalk {
    /// Returns `true` if the walk can get from the start of a diagram to its end.
    pub(super) fn passes_diagram(&self, diagram: DiagramId) -> bool {
        self.passable[diagram.0]
    }

    fn passes(&self, graph: &ModelGraph<'_>, id: ElementId) -> bool {
        let element = graph.element(id);
        let passable = |content: &DiagramId| self.passable[content.0];
        match &element.kind {
            // It's possible that no clause holds.
            NodeKind::Conditional(_) => true,
            NodeKind::Loop(node) => {
                let first = [node.setup, node.test];
                let body = node.tested_first || passable(&node.body);
                body && first.iter().flatten().all(passable)
            }
            _ if is_loop(graph, id) && !self.repeated.contains(&id) => true,
            _ => contents(element).iter().all(passable),
        }
    }

    /// Returns the diagrams that can run first when an element is reached.
    fn entered(&self, graph: &ModelGraph<'_>, id: ElementId) -> Vec<DiagramId> {
        let element = graph.element(id);
        let NodeKind::Loop(_) = element.kind else {
            return contents(element);
        };
        let mut entered = Vec::new();
        for content in contents(element) {
            entered.push(content);
            if !self.passable[content.0] {
                break;
            }
        }
        entered
    }
}

/// Returns `true` if an element's content can run several times, or not at all.
fn is_loop(graph: &ModelGraph<'_>, id: ElementId) -> bool {
    let element = graph.element(id);
    let stereotype = element.stereotype.as_ref().map(|it| it.kind);
    let repeats = [StereotypeKind::LoopPlus, StereotypeKind::ParallelDo];
    matches!(element.kind, NodeKind::Loop(_)) || stereotype.is_some_and(|it| repeats.contains(&it))
}

fn is_end(graph: &ModelGraph<'_>, id: ElementId) -> bool {
    graph.outgoing(id).is_empty()
}

/// Iterates over the elements that the open flows out of an element lead to.
fn behind<'g>(
    graph: &'g ModelGraph<'_>,
    id: ElementId,
    is_open: &'g dyn Fn(usize) -> bool,
) -> impl Iterator<Item = ElementId> + 'g {
    let flows = graph.outgoing(id).iter().copied();
    flows
        .filter(|&flow| is_open(flow))
        .map(|flow| graph.flows[flow].target)
}

/// Returns, for each element, whether an element of `set` may run after it, without an element of
/// `without` in between.
pub(super) fn leads_to(graph: &ModelGraph<'_>, set: &Set, without: Option<&Set>) -> Vec<bool> {
    let stops = |id: ElementId| without.is_some_and(|set| set.has(graph.element(id)));
    let walk = walk(graph, &stops, &|_| true, BTreeSet::new());
    // Whether each diagram can reach an element of `set` from its start.
    let mut has = vec![false; graph.model.diagrams.len()];
    let mut leads = vec![false; graph.model.elements.len()];
    for &diagram in &graph.program {
        mark_before(graph, diagram, set, &has, &walk, &stops, &mut leads);
        let met = |&id: &ElementId| {
            meets(graph, id, set, &has) || (leads[id.0] && !stops(id) && walk.passes(graph, id))
        };
        has[diagram.0] = graph.starts(diagram).iter().any(met);
    }
    // Whatever follows a diagram comes after all of its elements that can reach its end.
    let mut behind = vec![false; graph.model.diagrams.len()];
    for &diagram in graph.program.iter().rev() {
        let after_owner = |owner: ElementId| {
            let again =
                is_loop(graph, owner) && contents(graph.element(owner)).iter().any(|it| has[it.0]);
            again || leads[owner.0]
        };
        behind[diagram.0] = graph.owners(diagram).any(after_owner);
        if behind[diagram.0] {
            mark_ends(graph, diagram, &walk, &stops, &mut leads);
        }
    }
    leads
}

/// Returns `true` if executing an element executes an element of `set`.
fn meets(graph: &ModelGraph<'_>, id: ElementId, set: &Set, has: &[bool]) -> bool {
    let element = graph.element(id);
    set.has(element) || contents(element).iter().any(|it| has[it.0])
}

/// Marks the elements of a diagram that come before an element of the set in the same diagram.
fn mark_before(
    graph: &ModelGraph<'_>,
    diagram: DiagramId,
    set: &Set,
    has: &[bool],
    walk: &OrderWalk,
    stops: &dyn Fn(ElementId) -> bool,
    leads: &mut [bool],
) {
    let elements = graph.model.diagram(diagram).elements.iter().copied();
    let mut open: Vec<ElementId> = elements.filter(|&id| meets(graph, id, set, has)).collect();
    while let Some(id) = open.pop() {
        for before in graph.predecessors(id) {
            if !std::mem::replace(&mut leads[before.0], true)
                && !stops(before)
                && walk.passes(graph, before)
            {
                open.push(before);
            }
        }
    }
}

/// Marks the elements of a diagram that can reach its end.
fn mark_ends(
    graph: &ModelGraph<'_>,
    diagram: DiagramId,
    walk: &OrderWalk,
    stops: &dyn Fn(ElementId) -> bool,
    leads: &mut [bool],
) {
    let mut visited = BTreeSet::new();
    let elements = graph.model.diagram(diagram).elements.iter().copied();
    let mut open: Vec<ElementId> = elements.filter(|&id| is_end(graph, id)).collect();
    while let Some(id) = open.pop() {
        if visited.insert(id) {
            leads[id.0] = true;
            let before = graph.predecessors(id);
            if !stops(id) && walk.passes(graph, id) {
                open.extend(before);
            }
        }
    }
}
