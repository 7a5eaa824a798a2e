//! Writes diagrams that aren't sequences: chains of statements between labels and jumps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use prophet_codegen::model::{Diagram, ElementId, Flow, Guard, Model, NodeKind};

use prophet_model::plantuml::ONLY_ELSE;

use super::lines::{Line, LineWriter};

/// Maximum nesting depth of arms. Deeper nodes get a label and are written elsewhere.
const DEEPEST: usize = 16;

struct Jumps<'w, 'm> {
    writer: &'w mut LineWriter<'m>,
    leaving: BTreeMap<ElementId, Vec<&'m Flow>>,
    /// Nodes that jumps lead to. Each gets a label number when it is first needed.
    labels: BTreeMap<ElementId, Option<usize>>,
    mentioned: usize,
    /// Nodes that jumps lead to, in the order in which they were first needed.
    wanted: VecDeque<ElementId>,
    /// Nodes in the order in which they're written, each with its line.
    lines: Vec<(ElementId, Line)>,
    written: BTreeSet<ElementId>,
}

/// Names of connectors. `PlantUML` draws them in circles.
const CONNECTORS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A label for jumps. `PlantUML`'s `goto` isn't used, because it can't draw forward jumps.
enum Label {
    Connector(char),
    Name(String),
}

impl Label {
    /// Creates a label from its number, counted from 1.
    fn new(number: usize) -> Self {
        match CONNECTORS.get(number - 1) {
            Some(name) => Self::Connector(char::from(*name)),
            None => Self::Name(format!("L{number}")),
        }
    }
}

pub(super) fn write<'m>(writer: &mut LineWriter<'m>, diagram: &'m Diagram) {
    let mut leaving: BTreeMap<ElementId, Vec<&Flow>> = BTreeMap::new();
    let mut arriving: BTreeMap<ElementId, usize> = BTreeMap::new();
    for flow in &diagram.flows {
        leaving.entry(flow.source).or_default().push(flow);
        *arriving.entry(flow.target).or_default() += 1;
    }
    let mut jumps = Jumps {
        writer,
        leaving,
        labels: BTreeMap::new(),
        mentioned: 0,
        wanted: VecDeque::new(),
        lines: Vec::new(),
        written: BTreeSet::new(),
    };
    for &id in &diagram.elements {
        let kind = &jumps.writer.model.element(id).kind;
        let meets = matches!(kind, NodeKind::Merge | NodeKind::Join);
        if meets || arriving.get(&id).copied().unwrap_or_default() > 1 {
            jumps.labels.insert(id, None);
        }
    }
    jumps.deep(diagram, &arriving);
    let starts = diagram
        .elements
        .iter()
        .filter(|it| !arriving.contains_key(it));
    // Without a label, only `start` nodes can be reached after an end.
    if jumps.labels.is_empty() {
        let is_start = |id: ElementId| jumps.writer.model.element(id).kind == NodeKind::Initial;
        let others = starts.clone().skip(1).filter(|id| !is_start(**id));
        jumps.labels = others.map(|id| (*id, None)).collect();
    }
    let all = starts.chain(&diagram.elements);
    for &id in all {
        let mut next = Some(id);
        while let Some(id) = next {
            if !jumps.written.contains(&id) {
                jumps.chain(id);
            }
            next = jumps.wanted.pop_front();
        }
    }
    let lines = jumps.lines;
    let orders = orders(writer.model, diagram, &lines);
    writer.carry_at(&orders, "order");
}

/// Finds nodes with the same path that are written in a different order. Returns the line of each,
/// for a comment, and its position in the diagram.
fn orders(model: &Model, diagram: &Diagram, lines: &[(ElementId, Line)]) -> Vec<(Line, usize)> {
    let numbers: BTreeMap<ElementId, usize> = diagram.elements.iter().copied().zip(1..).collect();
    let mut by_path: BTreeMap<&str, Vec<(Line, usize)>> = BTreeMap::new();
    for (id, line) in lines {
        let path = model.element(*id).path.as_str();
        by_path.entry(path).or_default().push((*line, numbers[id]));
    }
    let is_other = |twins: &Vec<(Line, usize)>| !twins.is_sorted_by_key(|(_, number)| *number);
    let mut orders: Vec<_> = by_path.into_values().filter(is_other).flatten().collect();
    orders.sort_unstable_by_key(|(line, _)| line.at);
    orders
}

impl<'m> Jumps<'_, 'm> {
    /// Adds labels for nodes with arms that are nested too deeply, and for one node of each cycle.
    fn deep(&mut self, diagram: &Diagram, arriving: &BTreeMap<ElementId, usize>) {
        let mut seen = BTreeSet::new();
        let starts = diagram
            .elements
            .iter()
            .filter(|it| !arriving.contains_key(it));
        let labeled: Vec<ElementId> = self.labels.keys().copied().collect();
        let mut open: Vec<(ElementId, usize)> =
            starts.copied().chain(labeled).map(|id| (id, 0)).collect();
        let mut rest = diagram.elements.iter();
        loop {
            let Some((id, depth)) = open.pop() else {
                // Nodes that can't be reached from a start are on a cycle, or after one.
                let Some(&id) = rest.find(|it| !seen.contains(*it)) else {
                    return;
                };
                self.labels.insert(id, None);
                open.push((id, 0));
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            let leaving = self.leaving.get(&id).map(Vec::as_slice).unwrap_or_default();
            let depth = depth
                + usize::from(leaving.len() > 1 || leaving.iter().any(|it| it.guard.is_some()));
            for flow in leaving {
                if self.labels.contains_key(&flow.target) {
                    continue;
                }
                if depth > DEEPEST {
                    self.labels.insert(flow.target, None);
                    open.push((flow.target, 0));
                } else {
                    open.push((flow.target, depth));
                }
            }
        }
    }

    fn label_of(&mut self, id: ElementId) -> Option<Label> {
        let number = self.labels.get_mut(&id)?;
        let number = number.get_or_insert_with(|| {
            self.mentioned += 1;
            self.wanted.push_back(id);
            self.mentioned
        });
        Some(Label::new(*number))
    }

    /// Writes a node and the nodes after it, up to a label or the end of the flow.
    fn chain(&mut self, start: ElementId) {
        let mut at = start;
        loop {
            self.written.insert(at);
            let element = self.writer.model.element(at);
            self.label(at);
            // Other nodes have no ids, so their order doesn't matter.
            if !matches!(element.kind, NodeKind::Merge | NodeKind::Join) {
                self.lines.push((at, self.writer.next_line()));
            }
            match element.kind {
                NodeKind::Merge | NodeKind::Join => {}
                NodeKind::Decision if self.parts(at) => return self.decision(at),
                NodeKind::Fork if self.parts(at) => return self.fork(at),
                _ => self.writer.node(at),
            }
            if matches!(element.kind, NodeKind::ActivityFinal | NodeKind::FlowFinal) {
                return;
            }
            match self.flows(at).as_slice() {
                [] => return self.writer.line("detach"),
                [flow] if flow.guard.is_none() => match self.target(flow) {
                    Some(next) => at = next,
                    None => return,
                },
                flows => {
                    // Several flows out of a node mean a fork.
                    let is_fork = flows.iter().all(|it| it.guard.is_none());
                    self.writer.carry("role", "implied");
                    if is_fork {
                        self.branches(at);
                    } else {
                        self.arms(at);
                    }
                    return;
                }
            }
        }
    }

    /// Returns `true` if several flows leave a node, or a single flow with a guard.
    fn parts(&self, id: ElementId) -> bool {
        match self.leaving.get(&id).map(Vec::as_slice) {
            None | Some([]) => false,
            Some([flow]) => flow.guard.is_some(),
            Some(_) => true,
        }
    }

    fn flows(&self, id: ElementId) -> Vec<&'m Flow> {
        self.leaving.get(&id).cloned().unwrap_or_default()
    }

    fn label(&mut self, id: ElementId) {
        let Some(label) = self.label_of(id) else {
            return;
        };
        let element = self.writer.model.element(id);
        match element.kind {
            NodeKind::Merge => {
                // Without a role, a connector before a `detach` is a jump.
                if self.flows(id).is_empty() {
                    self.writer.carry("role", "merge");
                }
                self.writer.carried(element);
            }
            NodeKind::Join => {
                self.writer.carry("role", "join");
                self.writer.carried(element);
            }
            _ => self.writer.carry("role", "next"),
        }
        match label {
            Label::Connector(name) => self.writer.line(&format!("({name})")),
            Label::Name(name) => self.writer.line(&format!("label {name}")),
        }
    }

    /// Returns the node that a flow leads to. If the node has a label, writes a jump to it and
    /// returns `None`.
    fn target(&mut self, flow: &Flow) -> Option<ElementId> {
        let Some(label) = self.label_of(flow.target) else {
            return Some(flow.target);
        };
        match label {
            Label::Connector(name) => self.writer.line(&format!("({name})")),
            Label::Name(name) => self.writer.carry("goto", &name),
        }
        self.writer.line("detach");
        None
    }

    fn lead(&mut self, flow: &Flow) {
        if let Some(next) = self.target(flow) {
            self.chain(next);
        }
    }

    fn decision(&mut self, id: ElementId) {
        self.writer.carried(self.writer.model.element(id));
        self.arms(id);
    }

    fn arms(&mut self, id: ElementId) {
        let flows = self.flows(id);
        let guards: Vec<&Guard> = flows.iter().filter_map(|it| it.guard.as_ref()).collect();
        self.writer.otherwise(&guards);
        let (last, whens): (Vec<&Flow>, Vec<&Flow>) = flows
            .into_iter()
            .partition(|it| it.guard == Some(Guard::Else));
        let mut word = "if";
        for flow in whens.into_iter().chain(last) {
            match &flow.guard {
                Some(Guard::Else) if word == "if" => {
                    self.writer.carry("otherwise", ONLY_ELSE);
                    self.writer.line("if () then");
                    self.writer.line("else");
                }
                Some(guard) => self.writer.arm(word, guard),
                None => self.writer.line(&format!("{word} () then")),
            }
            word = "elseif";
            self.writer.begin();
            self.lead(flow);
            self.writer.end();
        }
        self.writer.line("endif");
    }

    fn fork(&mut self, id: ElementId) {
        let element = self.writer.model.element(id);
        self.writer.carried(element);
        self.branches(id);
    }

    fn branches(&mut self, id: ElementId) {
        let mut word = "fork";
        for flow in self.flows(id) {
            self.writer.line(word);
            word = "fork again";
            self.writer.begin();
            self.lead(flow);
            self.writer.end();
        }
        self.writer.line("end fork");
    }
}
