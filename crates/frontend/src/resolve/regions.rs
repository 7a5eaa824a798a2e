//! Builds regions from OpenMP constructs: a team executes their content, or one thread at a time.

use super::Resolver;
use super::flows::ForkOrigin;
use super::flows::{DiagramGraph, Starts};
use super::messages::number_of;
use crate::flow::{Exit, Node};
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, Needs};
use crate::program::action::Gate;
use crate::program::{
    Construct, Diagram, DiagramIndex, ElementIndex, Iterations, Local, Region, Schedule, Step,
};
use prophet_model::diagnostic::catalogue::{element as element_rules, flow as flow_rules};
use prophet_model::model::{Element, ElementId, LoopNode, NodeKind, Stereotype, StereotypeKind};

/// Returns `true` if an element of this kind can have the stereotype.
#[must_use]
pub fn fits(stereotype: StereotypeKind, kind: &NodeKind) -> bool {
    use StereotypeKind as S;
    match (stereotype, kind) {
        (S::ActivityPlus | S::LoopPlus, kind) => {
            matches!(kind, NodeKind::Call(_) | NodeKind::Structured(_))
        }
        (S::Parallel | S::ParallelSections, NodeKind::Structured(_))
        | (S::ParallelDo, NodeKind::Structured(_) | NodeKind::Loop(_)) => true,
        // A `file` belongs on a node that holds data, and a `workflow` on an activity.
        (S::Parallel | S::ParallelSections | S::ParallelDo | S::File | S::Workflow, _) => false,
        (S::Critical | S::Single | S::Master | S::Atomic, kind) => {
            matches!(kind, NodeKind::Action) || has_content(kind)
        }
        (_, kind) => matches!(kind, NodeKind::Action),
    }
}

/// Returns a help text that lists the kinds of nodes a stereotype can be applied to.
pub(super) fn where_it_fits(stereotype: StereotypeKind) -> &'static str {
    use StereotypeKind as S;
    match stereotype {
        S::ActivityPlus | S::LoopPlus => {
            "put it on a StructuredActivityNode or a CallBehaviorAction"
        }
        S::Parallel | S::ParallelSections => "put it on a StructuredActivityNode",
        S::ParallelDo => "put it on a StructuredActivityNode or a LoopNode",
        S::Critical | S::Single | S::Master | S::Atomic => {
            "put it on a StructuredActivityNode or an OpaqueAction"
        }
        S::File => "put it on a CentralBufferNode, DataStoreNode or ActivityParameterNode",
        S::Workflow => "put it on the main Activity",
        _ => "put it on an OpaqueAction",
    }
}

/// Returns `true` if an element is a region, because its stereotype determines which threads
/// execute its content.
pub(super) fn is_region(stereotype: StereotypeKind, kind: &NodeKind) -> bool {
    let other = matches!(
        stereotype,
        StereotypeKind::ActivityPlus | StereotypeKind::LoopPlus
    );
    has_content(kind) && !other
}

fn has_content(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Structured(_)
            | NodeKind::Call(Some(_))
            | NodeKind::Loop(_)
            | NodeKind::Conditional(_)
    )
}

impl<'m> Resolver<'m> {
    /// Builds a region, and the setup of its loop before it.
    pub(super) fn region(&mut self, id: ElementId, element: &'m Element, steps: &mut Vec<Step>) {
        let Some(stereotype) = &element.stereotype else {
            return;
        };
        if let (StereotypeKind::ParallelDo, NodeKind::Loop(node)) = (stereotype.kind, &element.kind)
        {
            self.report_test(element, node);
            if let Some(setup) = node.setup {
                self.perform(id, setup, false, false, steps);
            }
        }
        let index = self.declare(id, true);
        let (construct, parts) = match stereotype.kind {
            StereotypeKind::ParallelDo => {
                let Some(made) = self.parallel_do(id, element, stereotype) else {
                    return;
                };
                made
            }
            StereotypeKind::ParallelSections => {
                let team = self.at_least(1, "threads", element, stereotype, false);
                (Construct::ParallelSections(team), self.sections(element))
            }
            kind => {
                let construct = match kind {
                    StereotypeKind::Critical => Construct::Gated(Gate::Critical),
                    StereotypeKind::Atomic => Construct::Gated(Gate::Atomic),
                    StereotypeKind::Single => Construct::Gated(Gate::Single),
                    StereotypeKind::Master => Construct::Gated(Gate::Master),
                    _ => {
                        let team = self.at_least(1, "threads", element, stereotype, false);
                        Construct::Parallel(team)
                    }
                };
                self.name_lock(index, stereotype);
                (construct, vec![self.region_content(id, element)])
            }
        };
        let mut region = Region {
            element: index,
            construct,
            parts,
            needs: Needs::default(),
        };
        let mut needs = Needs::default();
        for expression in region.expressions() {
            needs.merge(&self.needs_of(expression));
        }
        region.needs = needs;
        steps.push(Step::Region(region));
    }

    /// Sets the lock of a named `critical`.
    pub(super) fn name_lock(&mut self, index: ElementIndex, stereotype: &Stereotype) {
        let named = stereotype.kind == StereotypeKind::Critical;
        let Some(name) = stereotype.tags.get("name").filter(|_| named) else {
            return;
        };
        let name = name.value.trim();
        let locks = &mut self.program.locks;
        let lock = number_of(name, &mut self.numbers_of_locks, locks);
        self.program.elements[index].lock = Some(lock);
    }

    /// Builds a `paralleldo`. Its content can use its variable.
    fn parallel_do(
        &mut self,
        id: ElementId,
        element: &'m Element,
        stereotype: &'m Stereotype,
    ) -> Option<(Construct, Vec<DiagramIndex>)> {
        let team = self.at_least(1, "threads", element, stereotype, false);
        let count = self.at_least(0, "iterations", element, stereotype, true);
        let chunk = self.at_least(1, "chunk", element, stereotype, false);
        let schedule = self.schedule(element, stereotype);
        let variable = stereotype.tags.get("variable");
        let counter = variable.and_then(|text| self.counter(text, element));
        let part = match &element.kind {
            NodeKind::Loop(node) => {
                let part = self.reserve_diagram();
                self.program.diagrams[part] = self.diagram(node.body);
                part
            }
            _ => self.region_content(id, element),
        };
        if let Some(name) = &counter {
            self.made.counters.remove(name);
            self.restore(name);
        }
        let sees = |name: &String| {
            let outer = &self.program.diagrams[part].outer;
            outer.iter().any(|outer| outer.name == *name)
        };
        let shared = Iterations {
            variable: counter.filter(sees),
            count: count?,
            schedule,
            chunk,
        };
        Some((Construct::ParallelDo(team, Box::new(shared)), vec![part]))
    }

    /// Reports the test of a loop with a given number of iterations, because the test is ignored.
    fn report_test(&mut self, element: &Element, node: &LoopNode) {
        let (rule, message) = if node.test.is_some() {
            let what = "has effects, but is never evaluated";
            (
                &flow_rules::UNASKED_TEST,
                format!("the test of {} {what}", element.path),
            )
        } else if node.condition.is_some() {
            let message = format!("the test of {} is never evaluated", element.path);
            (&flow_rules::IGNORED_TEST, message)
        } else {
            return;
        };
        let help = "the tag `iterations` says how often the body runs; move everything else that \
                    the test does into the body";
        self.report(rule, element.span, &element.path, message, help);
    }

    fn schedule(&mut self, element: &Element, stereotype: &Stereotype) -> Schedule {
        let Some(text) = stereotype.tags.get("schedule") else {
            return Schedule::default();
        };
        match text.value.trim().to_ascii_lowercase().as_str() {
            "static" => Schedule::Static,
            "dynamic" => Schedule::Dynamic,
            "guided" => Schedule::Guided,
            other => {
                let message = format!("unknown schedule {other:?}");
                let help = "write static, dynamic or guided; the tag `chunk` sets the number of \
                            iterations that a thread takes at a time";
                let rule = &element_rules::WRONG_VALUE;
                self.report(rule, text.span, &element.path, message, help);
                Schedule::default()
            }
        }
    }

    /// Returns the value of an int tag. Reports a constant below `least`.
    fn at_least(
        &mut self,
        least: i64,
        tag: &'static str,
        element: &Element,
        stereotype: &Stereotype,
        required: bool,
    ) -> Option<Expression> {
        let value = self.tag_value(element, stereotype, tag, required)?;
        if let Some(Constant::Int(number)) = constant(&value)
            && number < least
            && let Some(text) = stereotype.tags.get(tag)
        {
            let name = stereotype.kind.name();
            let message =
                format!("the tag `{tag}` of `{name}` is {number}, but must be at least {least}");
            let help = match tag {
                "threads" => "remove it to use NUM_THREADS threads",
                "chunk" => "remove it to use the schedule's default",
                _ => "write the number of iterations",
            };
            let rule = &element_rules::WRONG_VALUE;
            self.report(rule, text.span, &element.path, message, help);
        }
        Some(value)
    }

    /// Turns the content of a node into a separate diagram, which can use the variables around the
    /// node.
    fn region_content(&mut self, id: ElementId, element: &'m Element) -> DiagramIndex {
        if let NodeKind::Call(Some(called)) = element.kind {
            return self.activity(called);
        }
        let part = self.reserve_diagram();
        let diagram = match &element.kind {
            NodeKind::Structured(content) => self.diagram(*content),
            kind => {
                let steps = self.apart(|resolver| {
                    let mut steps = Vec::new();
                    match kind {
                        NodeKind::Loop(node) => resolver.loop_node(id, element, node, &mut steps),
                        NodeKind::Conditional(clauses) => {
                            resolver.conditional(id, element, clauses, &mut steps);
                        }
                        _ => {}
                    }
                    steps
                });
                Diagram {
                    name: super::names::display_name(element),
                    path: element.path.clone(),
                    comment: element.comment.clone(),
                    outer: self.outer(&[], &steps),
                    locals: Vec::new(),
                    steps,
                }
            }
        };
        self.program.diagrams[part] = diagram;
        part
    }

    fn sections(&mut self, element: &'m Element) -> Vec<DiagramIndex> {
        let NodeKind::Structured(content) = element.kind else {
            return Vec::new();
        };
        let drawn = self.model.diagram(content);
        let locals = self.locals(&drawn.locals);
        let mut sections = Vec::new();
        match self.graph(drawn, Starts::Meant) {
            Some(graph) => {
                for graph in self.section_graphs(element, graph) {
                    let flow = |it: &mut Self| it.flow(graph, drawn.span, &drawn.path);
                    sections.push(self.apart(flow));
                }
            }
            None => sections.push(self.apart(|it| it.loose(drawn))),
        }
        let mut parts = Vec::new();
        for (number, steps) in sections.into_iter().enumerate() {
            let part = self.reserve_diagram();
            let locals = self.needed(&locals, &steps);
            self.program.diagrams[part] = Diagram {
                name: format!(
                    "{} section {}",
                    super::names::display_name(element),
                    number + 1
                ),
                path: drawn.path.clone(),
                comment: None,
                outer: self.outer(&locals, &steps),
                locals,
                steps,
            };
            parts.push(part);
        }
        self.forget(&locals);
        parts
    }

    /// Returns the `locals` that the steps need, including locals that only other locals' initial
    /// values use.
    fn needed(&self, locals: &[Local], steps: &[Step]) -> Vec<Local> {
        let mut used = super::locals::used(steps, &self.program.diagrams);
        let mut needed: Vec<Local> = Vec::new();
        for local in locals.iter().rev() {
            if used.contains(&local.name) {
                used.append(&mut super::locals::of_values(std::slice::from_ref(local)));
                needed.push(local.clone());
            }
        }
        needed.reverse();
        needed
    }

    /// Splits content that is a fork into its branches. Other content becomes a single section.
    fn section_graphs(
        &mut self,
        element: &Element,
        mut graph: DiagramGraph<'m>,
    ) -> Vec<DiagramGraph<'m>> {
        let Some(&fork) = graph.forks.keys().next() else {
            return vec![graph];
        };
        let implied = graph.forks[&fork].origin == ForkOrigin::Action;
        let before = passed(&graph, graph.graph.entry, Some(fork));
        let behind = match graph.graph.nodes[fork] {
            Exit::Next(next) => passed(&graph, next, None),
            _ => Ok(()),
        };
        let outside = match (before, behind) {
            (Ok(()), Ok(())) if !implied => {
                return graph
                    .forks
                    .remove(&fork)
                    .map_or_else(Vec::new, |fork| fork.branches);
            }
            (Err(node), _) | (_, Err(node)) => node,
            _ => fork,
        };
        let outside = self.model.element(graph.elements[outside]);
        let message = format!(
            "{} is outside the sections of {}, which are the branches of its fork",
            outside.path, element.path
        );
        let help = "move it into a branch or out of the node, or use forks only for the sections";
        let rule = &flow_rules::OUTSIDE_SECTIONS;
        self.report(rule, outside.span, &outside.path, message, help);
        vec![graph]
    }
}

/// Checks that the flow from `node` does nothing before it reaches `goal` or its end. Otherwise,
/// returns the first node that does something.
fn passed(graph: &DiagramGraph<'_>, mut node: Node, goal: Option<Node>) -> Result<(), Node> {
    for _ in 0..graph.graph.nodes.len() {
        if Some(node) == goal {
            return Ok(());
        }
        match graph.graph.nodes[node] {
            _ if !graph.graph.silent.contains(&node) => return Err(node),
            Exit::Next(next) => node = next,
            Exit::Stop if goal.is_none() => return Ok(()),
            _ => return Err(node),
        }
    }
    Err(node)
}
