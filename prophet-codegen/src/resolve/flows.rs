//! The control flow graph of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use super::Resolver;
use crate::diagnostic::catalogue::flow as rules;
use crate::flow::{Exit, Graph};
use crate::model::{Code, Diagram, Element, ElementId, Flow, Guard, NodeKind};

/// A diagram as a graph: the structurer's, the element of each node, and the guards of those that
/// branch.
pub(super) struct DiagramGraph<'m> {
    pub(super) graph: Graph,
    pub(super) elements: Vec<ElementId>,
    pub(super) guards: BTreeMap<usize, Vec<&'m Code>>,
}

impl<'m> Resolver<'m> {
    /// The graph of a diagram; `None` where there is nothing in it, or an error was reported.
    pub(super) fn graph(&mut self, diagram: &'m Diagram) -> Option<DiagramGraph<'m>> {
        let elements = diagram.elements.clone();
        let numbers: BTreeMap<ElementId, usize> = elements
            .iter()
            .enumerate()
            .map(|(number, &id)| (id, number))
            .collect();
        let mut outgoing: Vec<Vec<&'m Flow>> = vec![Vec::new(); elements.len()];
        let mut incoming = vec![0_usize; elements.len()];
        for flow in &diagram.flows {
            let ends = (numbers.get(&flow.source), numbers.get(&flow.target));
            if let (Some(&source), Some(&target)) = ends {
                outgoing[source].push(flow);
                incoming[target] += 1;
            }
        }
        let entry = self.entry(diagram, &incoming)?;
        let mut guards = BTreeMap::new();
        let mut nodes = Vec::with_capacity(elements.len());
        let mut silent = BTreeSet::new();
        let mut sound = true;
        for (number, &id) in elements.iter().enumerate() {
            sound &= self.check_node(id, incoming[number], &outgoing[number]);
            let (exit, arms) = self.exit(id, &outgoing[number], &numbers);
            if !arms.is_empty() {
                guards.insert(number, arms);
            }
            nodes.push(exit);
            if is_silent(self.model.element(id)) {
                silent.insert(number);
            }
        }
        let graph = Graph {
            entry,
            nodes,
            silent,
        };
        // A flow that is wrong leads nowhere: what lies behind it is not what is at fault.
        if sound && !self.diagnostics.has_errors() {
            self.warn_of_unreached(&graph, &elements);
        }
        sound.then_some(DiagramGraph {
            graph,
            elements,
            guards,
        })
    }

    /// The node to start from: the initial node, else the only one that no flow enters.
    fn entry(&mut self, diagram: &Diagram, incoming: &[usize]) -> Option<usize> {
        let model = self.model;
        let kind = |number: &usize| &model.element(diagram.elements[*number]).kind;
        let all = 0..diagram.elements.len();
        let initial: Vec<usize> = all
            .clone()
            .filter(|number| matches!(kind(number), NodeKind::Initial))
            .collect();
        let starts = if initial.is_empty() {
            all.filter(|number| incoming[*number] == 0).collect()
        } else {
            initial
        };
        match starts[..] {
            [start] => Some(start),
            [] => {
                if !diagram.elements.is_empty() {
                    let message = format!("{} has no node to start from", diagram.path);
                    let help = "draw an InitialNode with a flow to the first element";
                    self.report(&rules::NO_START, diagram.span, &diagram.path, message, help);
                }
                None
            }
            [_, second, ..] => {
                let second = model.element(diagram.elements[second]);
                let message = format!(
                    "{} has {} nodes to start from; concurrent flows are not supported yet",
                    diagram.path,
                    starts.len()
                );
                let help = "draw one InitialNode, and flows that lead from it to all the others";
                self.report(
                    &rules::SEVERAL_STARTS,
                    second.span,
                    &second.path,
                    message,
                    help,
                );
                None
            }
        }
    }

    /// Reports what is wrong with a node and the number of its flows.
    fn check_node(&mut self, id: ElementId, incoming: usize, outgoing: &[&Flow]) -> bool {
        let element = self.model.element(id);
        let merges = matches!(
            element.kind,
            NodeKind::Merge | NodeKind::Decision | NodeKind::ActivityFinal | NodeKind::FlowFinal
        );
        let (rule, message, help) = match &element.kind {
            NodeKind::Fork | NodeKind::Join => (
                &rules::FORK_TO_COME,
                "fork and join nodes are not supported yet".to_owned(),
                "",
            ),
            NodeKind::Unsupported(kind) => (
                &rules::UNSUPPORTED_NODE,
                format!("a {kind} has no meaning for a performance model"),
                "use an OpaqueAction with a stereotype of the profile",
            ),
            NodeKind::ActivityFinal | NodeKind::FlowFinal if !outgoing.is_empty() => (
                &rules::FLOW_OUT_OF_FINAL,
                "a flow leaves a final node".to_owned(),
                "delete the flow, or make the node a MergeNode",
            ),
            _ if incoming > 1 && !merges => (
                &rules::IMPLICIT_JOIN,
                format!(
                    "{incoming} flows enter {}, which would wait for all of them",
                    element.path
                ),
                "let them meet in a MergeNode in front of it",
            ),
            kind if outgoing.len() > 1 && !matches!(kind, NodeKind::Decision) => (
                &rules::IMPLICIT_FORK,
                format!(
                    "{} flows leave {}, which would run concurrently",
                    outgoing.len(),
                    element.path
                ),
                "put a DecisionNode behind it; concurrent flows are not supported yet",
            ),
            _ => return true,
        };
        self.report(rule, element.span, &element.path, message, help);
        false
    }

    /// How a node goes on, and its guards in order.
    fn exit(
        &mut self,
        id: ElementId,
        outgoing: &[&'m Flow],
        numbers: &BTreeMap<ElementId, usize>,
    ) -> (Exit, Vec<&'m Code>) {
        let element = self.model.element(id);
        let target = |flow: &Flow| numbers[&flow.target];
        if let [flow] = outgoing {
            // A lone `else` always holds.
            return match &flow.guard {
                Some(Guard::When(code)) => {
                    let exit = Exit::Branch {
                        arms: vec![target(flow)],
                        otherwise: None,
                    };
                    (exit, vec![code])
                }
                Some(Guard::Else) | None => (Exit::Next(target(flow)), Vec::new()),
            };
        }
        let (mut arms, mut guards, mut otherwise) = (Vec::new(), Vec::new(), None);
        for flow in outgoing {
            match &flow.guard {
                Some(Guard::When(code)) => {
                    arms.push(target(flow));
                    guards.push(code);
                }
                Some(Guard::Else) if otherwise.is_none() => otherwise = Some(target(flow)),
                Some(Guard::Else) => {
                    let message = format!("{} has more than one `else`", element.path);
                    let help = "keep one, and write conditions on the others";
                    self.report(
                        &rules::SEVERAL_ELSE,
                        flow.span,
                        &element.path,
                        message,
                        help,
                    );
                }
                // That several flows leave another node is reported as such.
                None if !matches!(element.kind, NodeKind::Decision) => {}
                None => {
                    let message = format!("a flow out of {} has no guard", element.path);
                    let help = "write a condition, or `else` for when no other holds";
                    self.report(
                        &rules::MISSING_GUARD,
                        flow.span,
                        &element.path,
                        message,
                        help,
                    );
                }
            }
        }
        match (arms.is_empty(), otherwise) {
            (true, None) => (Exit::Stop, guards),
            (true, Some(target)) => (Exit::Next(target), guards),
            (false, _) => (Exit::Branch { arms, otherwise }, guards),
        }
    }

    fn warn_of_unreached(&mut self, graph: &Graph, elements: &[ElementId]) {
        let mut reached = vec![false; graph.nodes.len()];
        let mut open = vec![graph.entry];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node], true) {
                continue;
            }
            match &graph.nodes[node] {
                Exit::Stop => {}
                Exit::Next(next) => open.push(*next),
                Exit::Branch { arms, otherwise } => open.extend(arms.iter().chain(otherwise)),
            }
        }
        for (&id, _) in elements.iter().zip(reached).filter(|(_, reached)| !reached) {
            let element = self.model.element(id);
            let message = format!("no flow reaches {}", element.path);
            let help = "draw a flow to it, or delete it";
            self.report(
                &rules::UNREACHED,
                element.span,
                &element.path,
                message,
                help,
            );
        }
    }
}

/// Whether a node does nothing when the token reaches it.
fn is_silent(element: &Element) -> bool {
    let plain = matches!(
        element.kind,
        NodeKind::Initial
            | NodeKind::Merge
            | NodeKind::Decision
            | NodeKind::ActivityFinal
            | NodeKind::FlowFinal
            | NodeKind::Action
    );
    plain && element.stereotype.is_none() && element.body.is_none()
}
