//! Exchanges with both neighbors, each of which waits for one of the rank before.
//!
//! A process that exchanges with `pid - 1` both ways and then with `pid + 1` both ways cannot begin
//! the second before the first is over, for which its neighbor has to be at its own second one: the
//! exchanges follow each other over all ranks.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::graph::{Graph, condition};
use super::language::{SetId, Unit};
use crate::lang::ir::{BinaryOp, ExpressionKind, Type};
use prophet_model::model::ElementId;

/// Most distances of exchanges in one diagram that are examined.
const DISTANCES_MAX: usize = 16;

/// Finds for each exchange of the set the one before it that makes a chain with it.
pub(super) fn chains(facts: &Facts<'_>, set: SetId) -> Vec<Option<ElementId>> {
    let graph = facts.graph;
    let mut diagrams: BTreeMap<usize, BTreeMap<i64, Vec<ElementId>>> = BTreeMap::new();
    let elements = graph.elements_where(|it| facts.set(set).has(it));
    for id in elements {
        if let Some(distance) = distance(facts, id) {
            let diagram = diagrams.entry(graph.element(id).diagram.0).or_default();
            diagram.entry(distance).or_default().push(id);
        }
    }
    let mut found = vec![None; graph.model.elements.len()];
    for by_distance in diagrams.values().filter(|it| it.len() <= DISTANCES_MAX) {
        for (distance, ids) in by_distance.range(1..) {
            let opposite = distance.checked_neg().and_then(|it| by_distance.get(&it));
            // Several could take turns, the even ranks in one order and the odd ones in another.
            let (&[one], Some(&[other])) = (&ids[..], opposite.map(|it| &it[..])) else {
                continue;
            };
            if !is_for_all(facts, one) || !is_for_all(facts, other) {
                continue;
            }
            match (leads(graph, one, other), leads(graph, other, one)) {
                (true, false) => found[other.0] = Some(one),
                (false, true) => found[one.0] = Some(other),
                _ => {}
            }
        }
    }
    found
}

/// Distance of the one neighbor that an element sends to and receives from.
fn distance(facts: &Facts<'_>, id: ElementId) -> Option<i64> {
    let tags = &facts.graph.element(id).stereotype.as_ref()?.tags;
    let distance = |tag: &str| facts.offset(tags.get(tag)?);
    let dest = distance("dest")?;
    (distance("source") == Some(dest)).then_some(dest)
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
fn leads(graph: &Graph<'_>, from: ElementId, to: ElementId) -> bool {
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
