//! Writes diagrams as sequences: nodes one after another, including decisions and forks with
//! branches that meet again.

use std::collections::BTreeMap;

use super::role::is_usual_path;
use prophet_codegen::model::{Diagram, ElementId, Flow, Model, NodeKind};

/// Maximum nesting depth of decisions and forks in a sequence. Diagrams with deeper nesting are
/// written as graphs.
const DEEPEST: usize = 16;

#[derive(Debug)]
pub(crate) enum Item<'m> {
    Node(Stop<'m>),
    /// A decision or fork with its arms, and the node where the arms meet.
    Split(ElementId, Vec<Arm<'m>>, Option<Stop<'m>>),
}

/// A node and the flow that leaves it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop<'m> {
    pub(crate) node: ElementId,
    next: Option<&'m Flow>,
}

#[derive(Debug)]
pub(crate) struct Arm<'m> {
    pub(crate) flow: &'m Flow,
    pub(crate) items: Vec<Item<'m>>,
    /// Whether the arm leads to the node where the arms meet.
    meets: bool,
}

/// Returns the model with its nodes and flows in the order of sequences, in all diagrams that are
/// sequences. The model's meaning doesn't change.
pub fn in_sequence(model: &Model) -> Model {
    let mut ordered = model.clone();
    for (diagram, original) in ordered.diagrams.iter_mut().zip(&model.diagrams) {
        if let Some(items) = items(model, original) {
            let order = Order::of(&items);
            diagram.elements = order.elements;
            diagram.flows = order.flows.into_iter().cloned().collect();
        }
    }
    ordered
}

/// Returns the items of a diagram; `None` if its nodes and flows aren't in the order of a sequence.
pub(crate) fn sequence<'m>(model: &'m Model, diagram: &'m Diagram) -> Option<Vec<Item<'m>>> {
    let items = items(model, diagram)?;
    let order = Order::of(&items);
    let mut flows = diagram.flows.iter().zip(&order.flows);
    let is_ordered = order.elements == diagram.elements && flows.all(|(a, b)| std::ptr::eq(a, *b));
    is_ordered.then_some(items)
}

/// Returns the items of a diagram; `None` if it isn't a sequence. The order of nodes and flows
/// doesn't matter.
fn items<'m>(model: &'m Model, diagram: &'m Diagram) -> Option<Vec<Item<'m>>> {
    let mut graph = Graph {
        model,
        leaving: BTreeMap::new(),
        arriving: BTreeMap::new(),
    };
    for flow in &diagram.flows {
        graph.leaving.entry(flow.source).or_default().push(flow);
        *graph.arriving.entry(flow.target).or_default() += 1;
    }
    let mut starts = diagram
        .elements
        .iter()
        .filter(|it| !graph.arriving.contains_key(*it));
    let Some(&start) = starts.next() else {
        return diagram.elements.is_empty().then(Vec::new);
    };
    if starts.next().is_some() {
        return None;
    }
    let (items, end) = graph.walk(start, 0)?;
    let order = Order::of(&items);
    let all =
        order.elements.len() == diagram.elements.len() && order.flows.len() == diagram.flows.len();
    (all && matches!(end, WalkEnd::Over | WalkEnd::Open)).then_some(items)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WalkEnd {
    /// At a final node.
    Over,
    Open,
    /// At a merge or join.
    At(ElementId),
}

struct Graph<'m> {
    model: &'m Model,
    leaving: BTreeMap<ElementId, Vec<&'m Flow>>,
    arriving: BTreeMap<ElementId, usize>,
}

impl<'m> Graph<'m> {
    /// Returns the items from a node on; `None` if they aren't a sequence.
    fn walk(&self, mut at: ElementId, depth: usize) -> Option<(Vec<Item<'m>>, WalkEnd)> {
        let mut items = Vec::new();
        loop {
            let element = self.model.element(at);
            let leaving = self.leaving.get(&at).map(Vec::as_slice).unwrap_or_default();
            if matches!(element.kind, NodeKind::Merge | NodeKind::Join) {
                return Some((items, WalkEnd::At(at)));
            }
            if self.arriving.get(&at).copied().unwrap_or_default() > 1 {
                return None;
            }
            let over = matches!(element.kind, NodeKind::ActivityFinal | NodeKind::FlowFinal);
            if over {
                let stop = Stop {
                    node: at,
                    next: None,
                };
                items.push(Item::Node(stop));
                return leaving.is_empty().then_some((items, WalkEnd::Over));
            }
            if self.splits(at, leaving) {
                let (split, meet) = self.split(at, leaving, depth + 1)?;
                items.push(split);
                let Some(meet) = meet else {
                    return Some((items, WalkEnd::Over));
                };
                match meet.next {
                    None => return Some((items, WalkEnd::Open)),
                    Some(flow) => at = flow.target,
                }
                continue;
            }
            let stop = self.stop(at)?;
            items.push(Item::Node(stop));
            match stop.next {
                None => return Some((items, WalkEnd::Open)),
                Some(flow) => at = flow.target,
            }
        }
    }

    /// Returns a node and its outgoing flow; `None` if it has several outgoing flows, or one with a
    /// guard.
    fn stop(&self, node: ElementId) -> Option<Stop<'m>> {
        let leaving = self
            .leaving
            .get(&node)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let next = match leaving {
            [] => None,
            [flow] if flow.guard.is_none() => Some(*flow),
            _ => return None,
        };
        Some(Stop { node, next })
    }

    /// Returns `true` for a decision with guards on all flows, and for a fork without guards.
    fn splits(&self, at: ElementId, leaving: &[&Flow]) -> bool {
        !leaving.is_empty()
            && match self.model.element(at).kind {
                NodeKind::Decision => leaving.iter().all(|it| it.guard.is_some()),
                NodeKind::Fork => leaving.iter().all(|it| it.guard.is_none()),
                _ => false,
            }
    }

    /// Returns a decision or fork, and the node where its flows meet; `None` if it can't be part of
    /// a sequence.
    fn split(
        &self,
        at: ElementId,
        leaving: &[&'m Flow],
        depth: usize,
    ) -> Option<(Item<'m>, Option<Stop<'m>>)> {
        if depth > DEEPEST {
            return None;
        }
        let mut arms = Vec::new();
        let mut meet = None;
        let mut met = 0;
        for flow in leaving {
            let (items, end) = self.walk(flow.target, depth)?;
            match end {
                WalkEnd::Over => {}
                WalkEnd::Open => return None,
                WalkEnd::At(node) => {
                    met += 1;
                    if *meet.get_or_insert(node) != node {
                        return None;
                    }
                }
            }
            arms.push(Arm {
                flow,
                items,
                meets: end != WalkEnd::Over,
            });
        }
        let Some(meet) = meet else {
            return Some((Item::Split(at, arms, None), None));
        };
        let element = self.model.element(meet);
        let decides = self.model.element(at).kind == NodeKind::Decision;
        let fits = (element.kind == NodeKind::Merge) == decides;
        // The XML contains only the name of this node.
        let plain = element.comment.is_none()
            && element.stereotype.is_none()
            && is_usual_path(self.model, element);
        if !fits || !plain || self.arriving.get(&meet) != Some(&met) {
            return None;
        }
        let meet = Some(self.stop(meet)?);
        Some((Item::Split(at, arms, meet), meet))
    }
}

#[derive(Default)]
struct Order<'m> {
    elements: Vec<ElementId>,
    flows: Vec<&'m Flow>,
}

impl<'m> Order<'m> {
    fn of(items: &[Item<'m>]) -> Self {
        let mut order = Self::default();
        order.sequence(items, None);
        order
    }

    /// Adds the items that a flow leads to, and returns the flow after the last item.
    fn sequence(&mut self, items: &[Item<'m>], mut from: Option<&'m Flow>) -> Option<&'m Flow> {
        for item in items {
            self.flows.extend(from);
            from = match item {
                Item::Node(stop) => {
                    self.elements.push(stop.node);
                    stop.next
                }
                Item::Split(node, arms, meet) => {
                    self.elements.push(*node);
                    for arm in arms {
                        let end = self.sequence(&arm.items, Some(arm.flow));
                        self.flows.extend(end.filter(|_| arm.meets));
                    }
                    self.elements.extend(meet.map(|meet| meet.node));
                    meet.and_then(|meet| meet.next)
                }
            };
        }
        from
    }
}
