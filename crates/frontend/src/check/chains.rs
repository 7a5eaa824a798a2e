//! Finds exchanges with neighbors in which each rank waits for the previous one, so that they run
//! one after another across all ranks.
//!
//! Suppose a process exchanges messages with `pid - 1` and then with `pid + 1`. The second exchange
//! can't start before the first one ends, and the neighbor takes part only when it gets there, so
//! all ranks wait in a chain. The same happens with a blocking send above the eager limit before
//! the receive from the other side, and with a receive right before the send to the other side.
//!
//! A pipeline is a chain by design: what a process sends depends on what it has received. It
//! computes between the receive and the send, so it isn't reported.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::fragment;
use super::facts::{Facts, cached};
use super::graph::{ModelGraph, condition};
use super::language::{SetId, Unit};
use crate::lang::ir::{BinaryOp, ExpressionKind, Type};
use prophet_model::model::{DiagramId, ElementId, NodeKind, StereotypeKind};

/// Maximum number of distances to examine in one diagram.
const DISTANCES_MAX: usize = 16;

/// A diagram's messages to and from neighbors, by the neighbor's distance.
#[derive(Default)]
struct Neighbors {
    exchanges: BTreeMap<i64, Vec<ElementId>>,
    sends: BTreeMap<i64, Vec<ElementId>>,
    receives: BTreeMap<i64, Vec<ElementId>>,
    /// Whether the diagram has a receive that could take any of the messages.
    is_open: bool,
}

impl Facts<'_> {
    /// Returns, for each exchange in a set, the earlier exchange that it forms a chain with.
    pub(super) fn chains(&self, set: SetId) -> Rc<Vec<Option<ElementId>>> {
        cached(&self.chains, set, || chains(self, set))
    }
}

/// Finds, for each element of the set, the element that it forms a chain with: the previous
/// exchange, or the neighbor's send or receive that it waits for.
fn chains(facts: &Facts<'_>, set: SetId) -> Vec<Option<ElementId>> {
    let graph = facts.graph;
    let mut diagrams: BTreeMap<DiagramId, Neighbors> = BTreeMap::new();
    let elements = graph.elements_where(|it| it.stereotype.is_some());
    for id in elements {
        let diagram = diagrams.entry(graph.element(id).diagram).or_default();
        diagram.add(facts, id, facts.set(set).has(graph.element(id)));
    }
    let mut found = vec![None; graph.model.elements.len()];
    for neighbors in diagrams.values() {
        let Neighbors { exchanges, .. } = neighbors;
        for (one, other) in pairs(facts, exchanges.range(1..), exchanges) {
            match (leads(graph, one, other), leads(graph, other, one)) {
                (true, false) => found[other.0] = Some(one),
                (false, true) => found[one.0] = Some(other),
                _ => {}
            }
        }
        if neighbors.is_open {
            continue;
        }
        for (send, receive) in pairs(facts, neighbors.sends.range(..), &neighbors.receives) {
            match (leads(graph, send, receive), leads(graph, receive, send)) {
                (true, false) => found[send.0] = Some(receive),
                (false, true) if is_right_before(graph, receive, send) => {
                    found[receive.0] = Some(send);
                }
                _ => {}
            }
        }
    }
    found
}

impl Neighbors {
    /// Adds an element. If it isn't `examined`, it counts only as a possible receiver of other
    /// elements' messages.
    fn add(&mut self, facts: &Facts<'_>, id: ElementId, examined: bool) {
        let Some(stereotype) = &facts.graph.element(id).stereotype else {
            return;
        };
        let distance = |tag: &str| facts.offset(stereotype.tags.get(tag)?);
        let (dest, source) = (distance("dest"), distance("source"));
        let is = |kind: StereotypeKind| examined && stereotype.kind == kind;
        if is(StereotypeKind::BSend) {
            if let Some(it) = dest {
                self.sends.entry(it).or_default().push(id);
            }
        } else if is(StereotypeKind::BRecv) {
            match source {
                Some(it) => self.receives.entry(it).or_default().push(id),
                None => self.is_open = true,
            }
        } else if stereotype.tags.contains_key("source") {
            self.is_open = true;
            if let Some(it) = dest.filter(|it| examined && source == Some(*it)) {
                self.exchanges.entry(it).or_default().push(id);
            }
        }
    }
}

/// Pairs elements at opposite distances. Each must be the only element at its distance, and all
/// processes except those at borders must reach both.
fn pairs<'n>(
    facts: &'n Facts<'_>,
    ones: impl Iterator<Item = (&'n i64, &'n Vec<ElementId>)>,
    others: &'n BTreeMap<i64, Vec<ElementId>>,
) -> Vec<(ElementId, ElementId)> {
    // With several elements, even and odd ranks could execute them in different orders.
    let only = |ids: &[ElementId]| match ids {
        &[id] if is_for_all(facts, id) => Some(id),
        _ => None,
    };
    let ones = ones.take(DISTANCES_MAX).filter(|(it, _)| **it != 0);
    let pair = |(distance, ids): (&i64, &Vec<ElementId>)| {
        let opposite = others.get(&distance.checked_neg()?)?;
        Some((only(ids)?, only(opposite)?))
    };
    ones.filter_map(pair).collect()
}

/// Returns `true` if only decisions and merges are between a receive and a send, and the send has
/// no code. The sent data then doesn't depend on the received data.
fn is_right_before(graph: &ModelGraph<'_>, receive: ElementId, send: ElementId) -> bool {
    if fragment(graph.element(send)).is_some() {
        return false;
    }
    let mut seen = BTreeSet::new();
    let mut open: Vec<ElementId> = graph.successors(receive).collect();
    let mut between = Vec::new();
    while let Some(id) = open.pop() {
        if id != send && seen.insert(id) {
            between.push(id);
            open.extend(graph.successors(id));
        }
    }
    let passes = |id: &ElementId| {
        let kind = &graph.element(*id).kind;
        matches!(kind, NodeKind::Decision | NodeKind::Merge) || !leads(graph, *id, send)
    };
    between.iter().all(passes)
}

/// Returns `true` if only processes at borders skip an element. Only inequalities count as border
/// conditions, not `==`, `%` and so on.
fn is_for_all(facts: &Facts<'_>, id: ElementId) -> bool {
    let Some(decider) = facts.deciders(Unit::Process, None)[id.0] else {
        return true;
    };
    let graph = facts.graph;
    let flows = graph.outgoing(decider).iter().map(|it| graph.flows[*it]);
    let mut guards = flows.filter_map(condition);
    guards.all(|guard| {
        let expression = facts.codes.expression(guard.into(), &Type::Bool);
        expression.is_some_and(|expression| {
            let mut compares = true;
            expression.visit(&mut |part| {
                compares &= match &part.kind {
                    ExpressionKind::Binary(op, ..) => matches!(
                        op,
                        BinaryOp::Add
                            | BinaryOp::Subtract
                            | BinaryOp::Less
                            | BinaryOp::LessEqual
                            | BinaryOp::Greater
                            | BinaryOp::GreaterEqual
                            | BinaryOp::NotEqual
                            | BinaryOp::And
                    ),
                    ExpressionKind::Int(_)
                    | ExpressionKind::Bool(_)
                    | ExpressionKind::Variable(_)
                    | ExpressionKind::Cast(_) => true,
                    _ => false,
                };
            });
            compares
        })
    })
}

fn leads(graph: &ModelGraph<'_>, from: ElementId, to: ElementId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<ElementId> = graph.successors(from).collect();
    while let Some(id) = open.pop() {
        if id == to {
            return true;
        }
        if seen.insert(id) {
            open.extend(graph.successors(id));
        }
    }
    false
}
