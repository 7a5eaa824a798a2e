//! The control flow graph of a diagram.

use std::collections::BTreeSet;

use super::Resolver;
use super::forks::Fork;
use super::scopes::Kind;
use prophet_text::article;

use crate::diagnostic::catalogue::flow as rules;
use crate::flow::{Exit, Graph};
use crate::map::Map;
use crate::model::{Code, Diagram, Element, ElementId, Flow, Guard, Model, NodeKind};

/// What several nodes to start from mean, where none is an initial node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// That they run concurrently, or that a flow was forgotten.
    Warned,
    /// That they run concurrently.
    Meant,
}

/// A diagram as a graph: the structurer's, the element of each node, and the guards of those that
/// branch.
pub(super) struct DiagramGraph<'m> {
    pub(super) graph: Graph,
    pub(super) elements: Vec<ElementId>,
    pub(super) guards: Map<usize, Vec<&'m Code>>,
    /// The nodes that fork.
    pub(super) forks: Map<usize, Fork<'m>>,
}

/// The nodes of a diagram, not yet divided among the branches of forks.
#[derive(Default)]
pub(super) struct Drawn<'m> {
    pub(super) entry: usize,
    pub(super) elements: Vec<ElementId>,
    pub(super) exits: Vec<Exit>,
    pub(super) kinds: Vec<Kind>,
    pub(super) guards: Map<usize, Vec<&'m Code>>,
    pub(super) silent: BTreeSet<usize>,
    /// The nodes from this one on are forks and joins that UML implies.
    pub(super) first_implied: usize,
}

impl Drawn<'_> {
    /// Adds a fork or join that nobody drew, at an element.
    fn imply(&mut self, element: ElementId, kind: Kind, exit: Exit) -> usize {
        let node = self.elements.len();
        self.elements.push(element);
        if kind == Kind::Join {
            self.silent.insert(node);
        }
        self.kinds.push(kind);
        self.exits.push(exit);
        node
    }
}

impl<'m> Resolver<'m> {
    /// The graph of a diagram; `None` where there is nothing in it, or an error was reported.
    pub(super) fn graph(
        &mut self,
        diagram: &'m Diagram,
        several: Starts,
    ) -> Option<DiagramGraph<'m>> {
        let elements = &diagram.elements;
        let mut numbers: Map<ElementId, usize> = elements
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
        let starts = self.starts(diagram, &incoming, several);
        let &first = starts.first()?;
        let mut drawn = Drawn {
            entry: first,
            elements: elements.clone(),
            first_implied: elements.len(),
            ..Drawn::default()
        };
        drawn.exits = vec![Exit::Stop; elements.len()];
        for (&id, &incoming) in elements.iter().zip(&incoming) {
            drawn
                .kinds
                .push(kind_of(&self.model.element(id).kind, incoming));
        }
        // Flows to a node lead to the join in front of it.
        for (number, &id) in elements.iter().enumerate() {
            if incoming[number] > 1 && joins(&self.model.element(id).kind) {
                let join = drawn.imply(id, Kind::Join, Exit::Next(number));
                numbers.insert(id, join);
            }
        }
        if starts.len() > 1 {
            let starts = starts
                .iter()
                .map(|&start| numbers[&elements[start]])
                .collect();
            drawn.entry = drawn.imply(elements[first], Kind::Fork(starts), Exit::Stop);
        } else {
            drawn.entry = numbers[&elements[first]];
        }
        let mut sound = true;
        for (number, &id) in elements.iter().enumerate() {
            sound &= self.check_node(id, &outgoing[number]);
            sound &= self.way_out(number, &outgoing[number], &numbers, &mut drawn);
            if is_silent(self.model.element(id)) && !matches!(drawn.kinds[number], Kind::Fork(_)) {
                drawn.silent.insert(number);
            }
        }
        self.divide(drawn).filter(|_| sound)
    }

    /// How the flow goes on behind a node: by its exit, or by a fork that is drawn or implied.
    /// Whether that is sound; where it is not, it goes on by all of its flows.
    fn way_out(
        &mut self,
        number: usize,
        outgoing: &[&'m Flow],
        numbers: &Map<ElementId, usize>,
        drawn: &mut Drawn<'m>,
    ) -> bool {
        let id = drawn.elements[number];
        let kind = &self.model.element(id).kind;
        let guarded = outgoing.iter().any(|flow| flow.guard.is_some());
        // A node with guards that is no decision has been reported, and was meant to be one.
        let chooses = guarded && *kind != NodeKind::Fork;
        if outgoing.len() > 1 && forks(kind) && !chooses {
            let targets = outgoing.iter().map(|flow| numbers[&flow.target]).collect();
            if self.model.element(id).kind == NodeKind::Fork {
                drawn.kinds[number] = Kind::Fork(targets);
            } else {
                let fork = drawn.imply(id, Kind::Fork(targets), Exit::Stop);
                drawn.exits[number] = Exit::Next(fork);
            }
            return true;
        }
        let Some((exit, arms)) = self.exit(id, outgoing, numbers) else {
            let arms = outgoing.iter().map(|flow| numbers[&flow.target]).collect();
            let otherwise = None;
            drawn.exits[number] = Exit::Branch { arms, otherwise };
            return false;
        };
        drawn.exits[number] = exit;
        if !arms.is_empty() {
            drawn.guards.insert(number, arms);
        }
        true
    }

    /// The nodes to start from: the initial nodes, else those that no flow enters. Several start
    /// concurrently.
    fn starts(&mut self, diagram: &Diagram, incoming: &[usize], several: Starts) -> Vec<usize> {
        let model = self.model;
        let starts = start_nodes(model, diagram, incoming);
        let is_initial = |number: &usize| is_initial(model, diagram, *number);
        if starts.first().is_some_and(is_initial) {
            return starts;
        }
        match starts[..] {
            [] if !diagram.elements.is_empty() => {
                let message = format!("{} has no node to start from", diagram.path);
                let help = "draw an InitialNode with a flow to the first element";
                self.report(&rules::NO_START, diagram.span, &diagram.path, message, help);
            }
            [_, second, ..] if several == Starts::Warned => {
                let second = model.element(diagram.elements[second]);
                let message = format!(
                    "{} has {} nodes to start from, which run concurrently",
                    diagram.path,
                    starts.len()
                );
                let help = "draw an InitialNode and flows from it to say so, or where to start";
                let rule = &rules::SEVERAL_STARTS;
                self.report(rule, second.span, &second.path, message, help);
            }
            _ => {}
        }
        starts
    }

    /// Reports what is wrong with a node and the flows that leave it.
    fn check_node(&mut self, id: ElementId, outgoing: &[&Flow]) -> bool {
        let element = self.model.element(id);
        let guarded = outgoing.iter().any(|flow| flow.guard.is_some());
        let (rule, message, help) = match &element.kind {
            NodeKind::Unsupported(kind) => (
                &rules::UNSUPPORTED_NODE,
                format!(
                    "{} {kind} has no meaning for a performance model",
                    article(kind)
                ),
                "use an OpaqueAction with a stereotype of the profile",
            ),
            NodeKind::ActivityFinal | NodeKind::FlowFinal if !outgoing.is_empty() => (
                &rules::FLOW_OUT_OF_FINAL,
                "a flow leaves a final node".to_owned(),
                "delete the flow, or make the node a MergeNode",
            ),
            NodeKind::Fork if guarded => (
                &rules::GUARDED_FORK,
                format!("a flow out of the fork {} has a guard", element.path),
                "put a DecisionNode into the branch",
            ),
            kind if outgoing.len() > 1
                && (guarded || !forks(kind))
                && *kind != NodeKind::Decision =>
            {
                (
                    &rules::IMPLICIT_FORK,
                    format!(
                        "{} flows leave {}, which can neither choose nor fork so",
                        outgoing.len(),
                        element.path
                    ),
                    "put a DecisionNode behind it to choose, a ForkNode to run them concurrently",
                )
            }
            _ => return true,
        };
        self.report(rule, element.span, &element.path, message, help);
        false
    }

    /// How a node goes on, and its guards in order; `None` once it has reported that flows lack a
    /// guard, or have one `else` too many.
    fn exit(
        &mut self,
        id: ElementId,
        outgoing: &[&'m Flow],
        numbers: &Map<ElementId, usize>,
    ) -> Option<(Exit, Vec<&'m Code>)> {
        let element = self.model.element(id);
        let target = |flow: &Flow| numbers[&flow.target];
        if let [flow] = outgoing {
            // A lone `else` always holds.
            return Some(match &flow.guard {
                Some(Guard::When(code)) => {
                    let exit = Exit::Branch {
                        arms: vec![target(flow)],
                        otherwise: None,
                    };
                    (exit, vec![code])
                }
                Some(Guard::Else) | None => (Exit::Next(target(flow)), Vec::new()),
            });
        }
        let (mut arms, mut guards, mut otherwise) = (Vec::new(), Vec::new(), None);
        let mut sound = true;
        for flow in outgoing {
            match &flow.guard {
                Some(Guard::When(code)) => {
                    arms.push(target(flow));
                    guards.push(code);
                }
                Some(Guard::Else) if otherwise.is_none() => otherwise = Some(target(flow)),
                Some(Guard::Else) => {
                    sound = false;
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
                None if !matches!(element.kind, NodeKind::Decision) => sound = false,
                None => {
                    sound = false;
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
        let exit = match (arms.is_empty(), otherwise) {
            (true, None) => Exit::Stop,
            (true, Some(target)) => Exit::Next(target),
            (false, _) => Exit::Branch { arms, otherwise },
        };
        sound.then_some((exit, guards))
    }
}

/// The nodes of a diagram that it starts from: its initial nodes, else those that no flow enters.
fn start_nodes(model: &Model, diagram: &Diagram, incoming: &[usize]) -> Vec<usize> {
    let all = 0..diagram.elements.len();
    let initial = all.clone();
    let initial: Vec<usize> = initial
        .filter(|it| is_initial(model, diagram, *it))
        .collect();
    if initial.is_empty() {
        return all.filter(|number| incoming[*number] == 0).collect();
    }
    initial
}

fn is_initial(model: &Model, diagram: &Diagram, number: usize) -> bool {
    model.element(diagram.elements[number]).kind == NodeKind::Initial
}

/// The elements of a diagram that a flow from its start leads to; all of them where it has none.
pub(super) fn reached(model: &Model, diagram: &Diagram) -> BTreeSet<ElementId> {
    let numbers: Map<ElementId, usize> = diagram.elements.iter().copied().zip(0..).collect();
    let mut incoming = vec![0_usize; numbers.len()];
    let mut outgoing: Map<ElementId, Vec<ElementId>> = Map::new();
    for flow in &diagram.flows {
        if let Some(&target) = numbers.get(&flow.target) {
            incoming[target] += 1;
            outgoing.get_or_default(flow.source).push(flow.target);
        }
    }
    let starts = start_nodes(model, diagram, &incoming).into_iter();
    let mut open: Vec<ElementId> = starts.map(|number| diagram.elements[number]).collect();
    if open.is_empty() {
        open.clone_from(&diagram.elements);
    }
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            open.extend(outgoing.get(&id).into_iter().flatten());
        }
    }
    reached
}

/// How flows enter and leave a node of that kind, which so many flows enter.
fn kind_of(kind: &NodeKind, incoming: usize) -> Kind {
    match kind {
        NodeKind::Join if incoming > 1 => Kind::Join,
        NodeKind::FlowFinal => Kind::FlowFinal,
        NodeKind::ActivityFinal => Kind::ActivityFinal,
        _ => Kind::Plain,
    }
}

/// Whether several flows into a node mean that it waits for all of them, though it is no join.
fn joins(kind: &NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Merge
            | NodeKind::Decision
            | NodeKind::Join
            | NodeKind::ActivityFinal
            | NodeKind::FlowFinal
    )
}

/// Whether several flows out of a node run concurrently.
fn forks(kind: &NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Initial | NodeKind::Merge | NodeKind::Decision
    )
}

/// Whether a node does nothing when the token reaches it.
fn is_silent(element: &Element) -> bool {
    let plain = matches!(
        element.kind,
        NodeKind::Initial
            | NodeKind::Merge
            | NodeKind::Decision
            | NodeKind::Fork
            | NodeKind::Join
            | NodeKind::ActivityFinal
            | NodeKind::FlowFinal
            | NodeKind::Action
    );
    plain && element.stereotype.is_none() && element.body.is_none()
}
