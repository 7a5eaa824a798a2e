//! Messages with a neighbor that wait for one of the rank before, over all ranks.
//!
//! A process that exchanges with `pid - 1` both ways and then with `pid + 1` both ways cannot begin
//! the second before the first is over, for which its neighbor has to be at its own second one: the
//! exchanges follow each other over all ranks. So do a blocking send to one side before the receive
//! from the other, above the eager limit, and a receive right before the send to the other side.
//!
//! A pipeline is meant to be a chain: what a process sends there depends on what it has received.
//! It computes between its receive and its send, and those are no finding.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::fragment;
use super::facts::{Facts, cached};
use super::graph::{ModelGraph, condition};
use super::language::{SetId, Unit};
use crate::lang::ir::{BinaryOp, ExpressionKind, Type};
use prophet_model::model::{DiagramId, ElementId, NodeKind, StereotypeKind};

/// Maximum number of distances of messages in one diagram that are examined.
const DISTANCES_MAX: usize = 16;

/// Messages of a diagram with one neighbor each, by its distance.
#[derive(Default)]
struct Neighbors {
    /// Sends there that also receive from there.
    exchanges: BTreeMap<i64, Vec<ElementId>>,
    sends: BTreeMap<i64, Vec<ElementId>>,
    receives: BTreeMap<i64, Vec<ElementId>>,
    /// True if another receive could take the messages.
    is_open: bool,
}

impl Facts<'_> {
    /// For each exchange of a set, the one before it that makes a chain over the ranks with it.
    pub(super) fn chains(&self, set: SetId) -> Rc<Vec<Option<ElementId>>> {
        cached(&self.chains, set, || chains(self, set))
    }
}

/// Finds for each element of the set the element that it makes a chain with: the exchange before
/// it, or the send or receive of its neighbor that it waits for.
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
    /// Adds an element; an element that is not `examined` can only take messages of others.
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

/// The pairs of the only element at a distance and the only other one at the opposite distance,
/// each of which all processes but those at borders reach.
fn pairs<'n>(
    facts: &'n Facts<'_>,
    ones: impl Iterator<Item = (&'n i64, &'n Vec<ElementId>)>,
    others: &'n BTreeMap<i64, Vec<ElementId>>,
) -> Vec<(ElementId, ElementId)> {
    // Several could take turns, the even ranks in one order and the odd ones in another.
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

/// True if nothing but decisions and merges lies between a receive and a send, which has no code
/// either: what is sent depends on nothing that was received.
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

/// True if what decides about an element leaves out processes at borders only: with comparisons,
/// but not with `==`, `%` or the like.
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

/// True if flows lead from one element of a diagram to another.
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
