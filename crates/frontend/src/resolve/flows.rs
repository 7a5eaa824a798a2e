//! Builds the control flow graph of a diagram.

use std::collections::BTreeSet;

use super::Resolver;
use super::scopes::FlowKind;
use prophet_text::article;

use crate::flow::{Exit, Graph, Node};
use crate::index::{List, ListPlace as _};
use prophet_map::Map;
use prophet_model::diagnostic::catalogue::flow as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Code, Diagram, Element, ElementId, Flow, Guard, Model, NodeKind};

/// What several start nodes mean in a diagram without an initial node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// They start concurrent flows, but a warning says that a flow may be missing.
    Warned,
    /// They start concurrent flows.
    Meant,
}

pub(super) struct GraphFork<'m> {
    pub(super) origin: ForkOrigin,
    pub(super) branches: Vec<DiagramGraph<'m>>,
    /// For each flow, the branch that it leads to; `None` if the fork itself starts the branches,
    /// rather than tokens.
    pub(super) targets: Option<Vec<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForkOrigin {
    Drawn,
    /// An action with several outgoing flows.
    Action,
    /// A diagram with several nodes where it starts.
    Starts,
    /// A diagram whose forks and joins aren't nested.
    Flows,
}

/// A diagram's graph for structuring, with the element of each node and the guards of branching
/// nodes.
pub(super) struct DiagramGraph<'m> {
    pub(super) graph: Graph,
    pub(super) elements: List<Node, ElementId>,
    pub(super) guards: Map<Node, Vec<&'m Code>>,
    pub(super) forks: Map<Node, GraphFork<'m>>,
    /// Nodes that pass tokens to other pieces of the diagram, with the numbers of the flows that
    /// the tokens take.
    pub(super) passes: Map<Node, Vec<usize>>,
}

/// A diagram's nodes before they are divided into the branches of forks.
pub(super) struct Drawn<'m> {
    pub(super) entry: Node,
    pub(super) elements: List<Node, ElementId>,
    pub(super) exits: List<Node, Exit>,
    pub(super) kinds: List<Node, FlowKind>,
    pub(super) guards: Map<Node, Vec<&'m Code>>,
    pub(super) silent: BTreeSet<Node>,
    /// The first fork or join that UML implies. Drawn nodes come before it.
    pub(super) first_implied: Node,
}

impl Drawn<'_> {
    /// Adds a fork or join that isn't drawn to an element.
    fn imply(&mut self, element: ElementId, kind: FlowKind, exit: Exit) -> Node {
        let node = self.elements.push(element);
        if kind == FlowKind::Join {
            self.silent.insert(node);
        }
        self.kinds.push(kind);
        self.exits.push(exit);
        node
    }
}

impl<'m> Resolver<'m> {
    pub(super) fn graph(
        &mut self,
        diagram: &'m Diagram,
        several: Starts,
    ) -> Option<DiagramGraph<'m>> {
        let elements = nodes(diagram);
        let mut numbers: Map<ElementId, Node> =
            elements.entries().map(|(node, &id)| (id, node)).collect();
        let mut outgoing: List<Node, Vec<&'m Flow>> = elements.with(Vec::new());
        let mut incoming = elements.with(0_usize);
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
            exits: elements.with(Exit::Stop),
            kinds: elements
                .entries()
                .map(|(node, &id)| kind_of(&self.model.element(id).kind, incoming[node]))
                .collect(),
            guards: Map::new(),
            silent: BTreeSet::new(),
            first_implied: Node::new(elements.len()),
        };
        // Flows into such a node lead to the implied join before it.
        for (number, &id) in elements.entries() {
            if incoming[number] > 1 && joins(&self.model.element(id).kind) {
                let join = drawn.imply(id, FlowKind::Join, Exit::Next(number));
                numbers.insert(id, join);
            }
        }
        if starts.len() > 1 {
            let starts = starts
                .iter()
                .map(|&start| numbers[&elements[start]])
                .collect();
            drawn.entry = drawn.imply(elements[first], FlowKind::Fork(starts), Exit::Stop);
        } else {
            drawn.entry = numbers[&elements[first]];
        }
        let mut sound = true;
        for (number, &id) in elements.entries() {
            sound &= self.check_node(id, &outgoing[number]);
            sound &= self.way_out(number, &outgoing[number], &numbers, &mut drawn);
            if is_silent(self.model.element(id))
                && !matches!(drawn.kinds[number], FlowKind::Fork(_))
            {
                drawn.silent.insert(number);
            }
        }
        self.divide(drawn, several).filter(|_| sound)
    }

    /// Sets how the flow continues after a node: with an exit, or with a drawn or implied fork.
    /// Returns `false` after reporting a problem; the flow then continues along all outgoing flows.
    fn way_out(
        &mut self,
        number: Node,
        outgoing: &[&'m Flow],
        numbers: &Map<ElementId, Node>,
        drawn: &mut Drawn<'m>,
    ) -> bool {
        let id = drawn.elements[number];
        let kind = &self.model.element(id).kind;
        let guarded = outgoing.iter().any(|flow| flow.guard.is_some());
        // A node with guards that isn't a decision has been reported. It is treated as the decision
        // that the author meant.
        let chooses = guarded && *kind != NodeKind::Fork;
        if outgoing.len() > 1 && forks(kind) && !chooses {
            let targets = outgoing.iter().map(|flow| numbers[&flow.target]).collect();
            if self.model.element(id).kind == NodeKind::Fork {
                drawn.kinds[number] = FlowKind::Fork(targets);
            } else {
                let fork = drawn.imply(id, FlowKind::Fork(targets), Exit::Stop);
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

    /// Returns the start nodes: the initial nodes, or otherwise the nodes without incoming flows.
    /// If there are several, they start concurrently.
    fn starts(
        &mut self,
        diagram: &Diagram,
        incoming: &List<Node, usize>,
        several: Starts,
    ) -> Vec<Node> {
        let model = self.model;
        let starts = start_nodes(model, diagram, incoming);
        let is_initial = |node: &Node| is_initial(model, diagram, *node);
        if starts.first().is_some_and(is_initial) {
            return starts;
        }
        match starts[..] {
            [] if !diagram.elements.is_empty() => {
                let message = format!("{} has no start node", diagram.path);
                let help = "draw an InitialNode with a flow to the first element";
                self.report(&rules::NO_START, diagram.span, &diagram.path, message, help);
            }
            [_, second, ..] if several == Starts::Warned => {
                let second = model.element(diagram.elements[second.number()]);
                let message = format!(
                    "{} has {} start nodes, which run concurrently",
                    diagram.path,
                    starts.len()
                );
                let help = "draw an InitialNode with flows to all of them, or only to the one to \
                            start with";
                let rule = &rules::SEVERAL_STARTS;
                self.report(rule, second.span, &second.path, message, help);
            }
            _ => {}
        }
        starts
    }

    fn check_node(&mut self, id: ElementId, outgoing: &[&Flow]) -> bool {
        let element = self.model.element(id);
        let guarded = outgoing.iter().any(|flow| flow.guard.is_some());
        let (rule, message, help) = match &element.kind {
            NodeKind::Unsupported(kind) => (
                &rules::UNSUPPORTED_NODE,
                format!(
                    "{} {kind} has no meaning in a performance model",
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
                "put a DecisionNode in the branch",
            ),
            kind if outgoing.len() > 1
                && (guarded || !forks(kind))
                && *kind != NodeKind::Decision =>
            {
                (
                    &rules::IMPLICIT_FORK,
                    format!(
                        "{} flows leave {}, which can neither choose between them nor fork",
                        outgoing.len(),
                        element.path
                    ),
                    "add a DecisionNode after it to choose one, or a ForkNode to run them \
                     concurrently",
                )
            }
            _ => return true,
        };
        self.report(rule, element.span, &element.path, message, help);
        false
    }

    /// Builds the exit of a node, with the guards in order. Returns `None` if guards are missing or
    /// contradictory, after reporting it.
    fn exit(
        &mut self,
        id: ElementId,
        outgoing: &[&'m Flow],
        numbers: &Map<ElementId, Node>,
    ) -> Option<(Exit, Vec<&'m Code>)> {
        let element = self.model.element(id);
        let target = |flow: &Flow| numbers[&flow.target];
        if let [flow] = outgoing {
            // If the only flow is an `else`, it is always taken.
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
        // A single flow without a condition can become the missing `else`.
        let is_open = |it: &&&Flow| !matches!(it.guard, Some(Guard::When(_)));
        let is_only = outgoing.iter().filter(is_open).count() == 1;
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
                    let help = "keep one, and write conditions on the other flows";
                    self.report(
                        &rules::SEVERAL_ELSE,
                        flow.span,
                        &element.path,
                        message,
                        help,
                    );
                }
                // Several flows out of other kinds of nodes are reported elsewhere.
                None if !matches!(element.kind, NodeKind::Decision) => sound = false,
                None => {
                    sound = false;
                    let message = format!("a flow out of {} has no guard", element.path);
                    let help = "write a condition, or `else` to take it when no other guard holds";
                    let help = Advice::from(help);
                    let help = if is_only {
                        help.mended_by(Remedy::Guard)
                    } else {
                        help
                    };
                    let rule = &rules::MISSING_GUARD;
                    self.report(rule, flow.span, &element.path, message, help);
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

/// Finds the nodes where a diagram starts: its initial nodes, or otherwise the nodes without
/// incoming flows.
fn start_nodes(model: &Model, diagram: &Diagram, incoming: &List<Node, usize>) -> Vec<Node> {
    let all = incoming.places();
    let initial: Vec<Node> = all.filter(|it| is_initial(model, diagram, *it)).collect();
    if initial.is_empty() {
        let all = incoming.places();
        return all.filter(|node| incoming[*node] == 0).collect();
    }
    initial
}

fn nodes(diagram: &Diagram) -> List<Node, ElementId> {
    diagram.elements.iter().copied().collect()
}

fn is_initial(model: &Model, diagram: &Diagram, node: Node) -> bool {
    model.element(diagram.elements[node.number()]).kind == NodeKind::Initial
}

/// Returns the elements that can be reached from the diagram's start. If there is no start, returns
/// all elements.
pub(super) fn reached(model: &Model, diagram: &Diagram) -> BTreeSet<ElementId> {
    let elements = nodes(diagram);
    let numbers: Map<ElementId, Node> = elements.entries().map(|(node, &id)| (id, node)).collect();
    let mut incoming = elements.with(0_usize);
    let mut outgoing: Map<ElementId, Vec<ElementId>> = Map::new();
    for flow in &diagram.flows {
        if let Some(&target) = numbers.get(&flow.target) {
            incoming[target] += 1;
            outgoing.get_or_default(flow.source).push(flow.target);
        }
    }
    let starts = start_nodes(model, diagram, &incoming).into_iter();
    let mut open: Vec<ElementId> = starts.map(|node| elements[node]).collect();
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

fn kind_of(kind: &NodeKind, incoming: usize) -> FlowKind {
    match kind {
        NodeKind::Join if incoming > 1 => FlowKind::Join,
        NodeKind::FlowFinal => FlowKind::FlowFinal,
        NodeKind::ActivityFinal => FlowKind::ActivityFinal,
        _ => FlowKind::Plain,
    }
}

/// Returns `true` if a node that isn't a join waits for all of its incoming flows.
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

/// Returns `true` if several flows out of a node are concurrent.
fn forks(kind: &NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Initial | NodeKind::Merge | NodeKind::Decision
    )
}

/// Returns `true` if a node does nothing when a token reaches it.
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
