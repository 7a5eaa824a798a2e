//! Diagrams: their structured flow as steps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Resolver;
use super::flows::DiagramGraph;
use crate::diagnostic::catalogue::{
    element as element_rules, flow as flow_rules, program as program_rules,
};
use crate::flow::{self, Statement};
use crate::lang::ir::{Expression, ExpressionKind, Needs, Type, UnaryOp, Variable as Name};
use crate::lang::scope::Binding;
use crate::model::{
    Clause, Code, Diagram as Drawn, DiagramId, Element, ElementId, LoopNode, NodeKind,
    StereotypeKind,
};
use crate::program::{
    Arm, Branch, Call, Diagram, DiagramIndex, Dispatch, Label, Local, Loop, Outer, Repeat, Scope,
    Step, While,
};

/// Deepest nesting of diagrams in each other.
const DEEPEST: usize = 100;
/// Deepest nesting of the content of a node that stands in place; what is nested deeper becomes a
/// function, since compilers recurse on the nesting of text.
const DEEPEST_IN_PLACE: usize = 16;
/// The most loops that run a copy of an activity which sees their variable.
const MOST_COPIES: usize = 1000;

/// The diagrams made so far and those still to make.
#[derive(Default)]
pub(super) struct Diagrams {
    /// Activities that anything calls, and which diagram of the program each becomes.
    activities: BTreeMap<DiagramId, DiagramIndex>,
    /// Activities still to make.
    open: VecDeque<DiagramId>,
    /// The variables of the loops around the code at hand.
    counters: BTreeSet<String>,
    /// The next free label of the diagram at hand.
    next_label: Label,
    /// The diagrams that are part of the program.
    seen: BTreeSet<DiagramId>,
    /// How many diagrams the one at hand is nested in.
    depth: usize,
    /// How often an activity was made for a loop of its own.
    copies: usize,
}

/// A conversion of one structured graph: its elements, guards, and what its labels have become.
struct Conversion<'m> {
    drawn: DiagramGraph<'m>,
    labels: BTreeMap<flow::Label, Label>,
}

impl<'m> Resolver<'m> {
    /// Makes the main diagram and all that it calls.
    pub(super) fn diagrams(&mut self) {
        if self.refuse_recursive_activities() {
            return;
        }
        self.activity(self.model.main);
        // Calls put activities on the list, so that a long chain of calls takes no stack.
        while let Some(id) = self.made.open.pop_front() {
            let index = self.made.activities[&id];
            let diagram = self.diagram(id);
            self.program.diagrams[index] = diagram;
        }
        self.warn_of_uncalled();
    }

    /// Says which activities are no part of the program.
    fn warn_of_uncalled(&mut self) {
        if self.diagnostics.has_errors() {
            return;
        }
        let model = self.model;
        let inside: BTreeSet<usize> = super::recursion::contents(model).collect();
        let uncalled: Vec<&Drawn> = (0..model.diagrams.len())
            .filter(|index| !inside.contains(index) && !self.made.seen.contains(&DiagramId(*index)))
            .map(|index| &model.diagrams[index])
            .collect();
        let Some(first) = uncalled.first() else {
            return;
        };
        let message = match uncalled.len() {
            1 => format!("nothing calls the activity {}", first.path),
            more => format!(
                "nothing calls {more} activities, of which {} is the first",
                first.path
            ),
        };
        let help = "call it, or delete it";
        self.report(
            &program_rules::UNCALLED,
            first.span,
            &first.path,
            message,
            help,
        );
    }

    /// The diagram that an activity becomes.
    fn activity(&mut self, id: DiagramId) -> DiagramIndex {
        if let Some(&index) = self.made.activities.get(&id) {
            return index;
        }
        let index = self.reserve_diagram();
        self.made.activities.insert(id, index);
        self.made.open.push_back(id);
        index
    }

    fn reserve_diagram(&mut self) -> DiagramIndex {
        self.program.diagrams.push(Diagram::default());
        self.program.diagrams.len() - 1
    }

    /// Makes a diagram that becomes a function of its own.
    fn diagram(&mut self, id: DiagramId) -> Diagram {
        let labels_around = std::mem::take(&mut self.made.next_label);
        let (locals, steps) = self.content(id);
        self.made.next_label = labels_around;
        self.function(id, locals, steps)
    }

    /// A diagram as a function; its variables go out of scope.
    fn function(&mut self, id: DiagramId, locals: Vec<Local>, steps: Vec<Step>) -> Diagram {
        let drawn = self.model.diagram(id);
        let outer = self.outer(&locals, &steps);
        self.forget(&locals);
        Diagram {
            name: drawn.name.clone(),
            path: drawn.path.clone(),
            comment: drawn.comment.clone(),
            outer,
            locals,
            steps,
        }
    }

    /// The variables and steps of a diagram; the variables stay in scope.
    fn content(&mut self, id: DiagramId) -> (Vec<Local>, Vec<Step>) {
        let drawn = self.model.diagram(id);
        self.made.seen.insert(id);
        let locals = self.locals(&drawn.locals);
        if self.made.depth >= DEEPEST {
            let message = format!("{} is nested in more than {DEEPEST} others", drawn.path);
            let help = "call an activity in place of nesting; loops around calls nest, too";
            self.report(
                &program_rules::TOO_DEEP,
                drawn.span,
                &drawn.path,
                message,
                help,
            );
            return (locals, Vec::new());
        }
        let Some(graph) = self.graph(drawn) else {
            return (locals, Vec::new());
        };
        let block = flow::structure(&graph.graph);
        let mut conversion = Conversion {
            drawn: graph,
            labels: BTreeMap::new(),
        };
        self.made.depth += 1;
        let steps = self.steps(block, &mut conversion);
        self.made.depth -= 1;
        (locals, steps)
    }

    /// The variables of the diagrams around that a diagram uses. Those are still in scope.
    fn outer(&self, locals: &[Local], steps: &[Step]) -> Vec<Outer> {
        let mut used = super::locals::used(steps, &self.program.diagrams);
        for local in locals {
            used.remove(&local.name);
        }
        used.into_iter()
            .filter_map(|name| {
                let binding = self.scope.variables.get(&name)?;
                let counter = self.made.counters.contains(&name);
                Some(Outer {
                    ty: binding.ty.clone(),
                    counter,
                    name,
                })
            })
            .collect()
    }

    /// Takes the variables of a diagram out of the scope.
    fn forget(&mut self, locals: &[Local]) {
        for local in locals {
            self.restore(&local.name);
        }
    }

    /// Makes `name` mean again what it means in all diagrams.
    fn restore(&mut self, name: &str) {
        match self.global_scope.variables.get(name) {
            Some(binding) => self
                .scope
                .variables
                .insert(name.to_owned(), binding.clone()),
            None => self.scope.variables.remove(name),
        };
    }

    fn steps(&mut self, block: flow::Block, conversion: &mut Conversion<'m>) -> Vec<Step> {
        let mut steps = Vec::new();
        for statement in block {
            self.step(statement, conversion, &mut steps);
        }
        steps
    }

    fn step(
        &mut self,
        statement: Statement,
        conversion: &mut Conversion<'m>,
        steps: &mut Vec<Step>,
    ) {
        let step = match statement {
            Statement::Visit(node) => return self.visit(conversion.drawn.elements[node], steps),
            Statement::Branch {
                node,
                arms,
                otherwise,
            } => self.branch(node, arms, otherwise, conversion),
            Statement::Loop {
                label,
                header,
                body,
            } => Step::Loop(Loop {
                label: label.map(|label| self.label(label, conversion)),
                element: self.declare(conversion.drawn.elements[header], true),
                body: self.steps(body, conversion),
            }),
            Statement::While {
                label,
                header,
                node,
                negated,
                body,
            } => {
                let label = label.map(|label| self.label(label, conversion));
                let element = self.declare(conversion.drawn.elements[header], true);
                let condition = self.guard(node, 0, conversion).map(|c| negate(c, negated));
                let body = self.steps(body, conversion);
                let Some(condition) = condition else { return };
                let needs = self.needs_of(&condition);
                Step::While(While {
                    label,
                    element,
                    condition,
                    needs,
                    body,
                })
            }
            Statement::Labeled { label, body } => {
                let label = self.label(label, conversion);
                Step::Labeled(label, self.steps(body, conversion))
            }
            Statement::Break(label) => Step::Break(label.map(|l| self.label(l, conversion))),
            Statement::Continue(label) => Step::Continue(label.map(|l| self.label(l, conversion))),
            Statement::Return => Step::Return,
            Statement::Dispatch {
                label,
                entry,
                states,
            } => Step::Dispatch(Dispatch {
                label: self.label(label, conversion),
                element: self.declare(conversion.drawn.elements[entry], true),
                entry,
                states: states
                    .into_iter()
                    .map(|(number, block)| (number, self.steps(block, conversion)))
                    .collect(),
            }),
            Statement::Goto { label, state } => Step::Goto(self.label(label, conversion), state),
        };
        steps.push(step);
    }

    /// The program's label for one of a structured graph: unique in the whole diagram, into which
    /// several graphs may go.
    fn label(&mut self, label: flow::Label, conversion: &mut Conversion<'m>) -> Label {
        *conversion.labels.entry(label).or_insert_with(|| {
            self.made.next_label += 1;
            self.made.next_label - 1
        })
    }

    fn branch(
        &mut self,
        node: flow::Node,
        arms: Vec<flow::Block>,
        otherwise: Option<flow::Block>,
        conversion: &mut Conversion<'m>,
    ) -> Step {
        let mut needs = Needs::default();
        let mut guarded = Vec::new();
        for (arm, block) in arms.into_iter().enumerate() {
            let guard = self.guard(node, arm, conversion);
            let steps = self.steps(block, conversion);
            if let Some(guard) = guard {
                needs.merge(&self.needs_of(&guard));
                guarded.push(Arm { guard, steps });
            }
        }
        let mut otherwise = otherwise.map(|block| self.steps(block, conversion));
        if let ([only], Some(instead)) = (&mut guarded[..], &mut otherwise)
            && only.steps.is_empty()
            && !instead.is_empty()
        {
            only.guard = negate(only.guard.clone(), true);
            std::mem::swap(&mut only.steps, instead);
        }
        let stops = otherwise.is_none() || needs.fallible || needs.stream;
        let element = self.declare(conversion.drawn.elements[node], stops);
        Step::Branch(Branch {
            element,
            arms: guarded,
            otherwise,
            needs,
        })
    }

    fn guard(
        &mut self,
        node: flow::Node,
        arm: usize,
        conversion: &Conversion<'m>,
    ) -> Option<Expression> {
        let code = *conversion.drawn.guards.get(&node)?.get(arm)?;
        let path = &self.model.element(conversion.drawn.elements[node]).path;
        self.expression(code, &Type::Bool, path)
    }

    /// What a node does when the token reaches it.
    fn visit(&mut self, id: ElementId, steps: &mut Vec<Step>) {
        let element = self.model.element(id);
        steps.extend(self.code(id));
        let word = self.word_of(element);
        match &element.kind {
            NodeKind::Structured(_) | NodeKind::Call(_) => self.visit_content(id, element, steps),
            NodeKind::Loop(node) => self.loop_node(id, element, node, steps),
            NodeKind::Conditional(clauses) => self.conditional(id, element, clauses, steps),
            _ => {
                if let Some(word) = word {
                    steps.extend(self.execute(id, &word));
                }
            }
        }
    }

    /// A node that has a diagram: drawn inside it, or called.
    fn visit_content(&mut self, id: ElementId, element: &'m Element, steps: &mut Vec<Step>) {
        let (NodeKind::Structured(content) | NodeKind::Call(Some(content))) = element.kind else {
            let message = format!("{} calls no activity", element.path);
            let help = "choose the activity in the property `behavior` of the call";
            let rule = &element_rules::NOTHING_CALLED;
            self.report(rule, element.span, &element.path, message, help);
            return;
        };
        let called = matches!(element.kind, NodeKind::Call(_));
        let own = element.stereotype.as_ref().map(|s| s.kind);
        let on_activity = self
            .model
            .diagram(content)
            .stereotype
            .as_ref()
            .map(|s| s.kind);
        if own == Some(StereotypeKind::LoopPlus) {
            self.repeat(id, element, content, called, steps);
        } else {
            let measured = own == Some(StereotypeKind::ActivityPlus)
                || on_activity == Some(StereotypeKind::ActivityPlus);
            self.perform(id, content, called, measured, steps);
        }
    }

    /// Runs a diagram: in place where it is drawn inside and nothing speaks against it, else as a
    /// function.
    fn perform(
        &mut self,
        id: ElementId,
        content: DiagramId,
        called: bool,
        measured: bool,
        steps: &mut Vec<Step>,
    ) {
        if called {
            let diagram = self.activity(content);
            let element = self.declare(id, measured);
            steps.push(Step::Call(Call {
                element,
                measured,
                diagram,
            }));
            return;
        }
        if measured {
            self.perform_apart(id, content, true, steps);
            return;
        }
        let (locals, inside) = self.content(content);
        if ends_early(&inside) || depth(&inside) > DEEPEST_IN_PLACE {
            let diagram = self.reserve_diagram();
            let element = self.declare(id, false);
            self.program.diagrams[diagram] = self.function(content, locals, inside);
            steps.push(Step::Call(Call {
                element,
                measured: false,
                diagram,
            }));
        } else {
            self.forget(&locals);
            steps.push(Step::Scope(Scope {
                locals,
                steps: inside,
            }));
        }
    }

    /// Runs a diagram as a function that sees the variables around it.
    fn perform_apart(
        &mut self,
        id: ElementId,
        content: DiagramId,
        measured: bool,
        steps: &mut Vec<Step>,
    ) {
        let index = self.reserve_diagram();
        let element = self.declare(id, measured);
        self.program.diagrams[index] = self.diagram(content);
        steps.push(Step::Call(Call {
            element,
            measured,
            diagram: index,
        }));
    }

    /// `loop+`.
    fn repeat(
        &mut self,
        id: ElementId,
        element: &'m Element,
        content: DiagramId,
        called: bool,
        steps: &mut Vec<Step>,
    ) {
        let Some(stereotype) = &element.stereotype else {
            return;
        };
        let iterations = self.tag_value(element, stereotype, "iterations", true);
        let variable = stereotype.tags.get("variable");
        let counter = variable.and_then(|text| self.counter(text, element));
        let mut body = Vec::new();
        let sees_counter = counter
            .as_ref()
            .is_some_and(|name| super::locals::mentions(self.model, content, name));
        if called && sees_counter && self.may_copy(element) {
            // The activity is run for this loop, whose variable it sees; the caller's it does not.
            let locals = self.hide_locals();
            self.perform_apart(id, content, false, &mut body);
            self.scope.variables.extend(locals);
        } else {
            self.perform(id, content, called, false, &mut body);
        }
        if let Some(name) = &counter {
            self.made.counters.remove(name);
            self.restore(name);
        }
        let Some(iterations) = iterations else { return };
        let needs = self.needs_of(&iterations);
        let index = self.declare(id, true);
        let variable = counter.filter(|_| sees_counter);
        steps.push(Step::Repeat(Repeat {
            element: index,
            iterations,
            needs,
            variable,
            body,
        }));
    }

    /// Whether one more copy of an activity is fine: copies of copies can grow without bound.
    fn may_copy(&mut self, element: &Element) -> bool {
        self.made.copies += 1;
        if self.made.copies == MOST_COPIES + 1 {
            let message =
                format!("more than {MOST_COPIES} loops run activities that see their variables");
            let help = "leave the tag `variable` out where it is not needed";
            self.report(
                &program_rules::TOO_DEEP,
                element.span,
                &element.path,
                message,
                help,
            );
        }
        self.made.copies <= MOST_COPIES
    }

    /// Puts the variable of a loop into the scope.
    fn counter(&mut self, text: &crate::source::Text, element: &Element) -> Option<String> {
        let name = crate::source::Text {
            value: text.value.trim().to_owned(),
            span: text.span,
        };
        let mut taken = super::names::Taken::default();
        if !self.accept_name(&name, &element.path, &mut taken) {
            return None;
        }
        if self.is_local(&name.value) {
            let message = format!(
                "{} hides the variable of that name around this loop",
                name.value
            );
            let rule = &program_rules::HIDDEN_LOCAL;
            self.report(
                rule,
                name.span,
                &element.path,
                message,
                "rename one of them",
            );
            return None;
        }
        let variable = Name::Local(name.value.clone());
        let binding = Binding {
            variable,
            ty: Type::Int,
            writable: false,
        };
        self.scope.variables.insert(name.value.clone(), binding);
        self.made.counters.insert(name.value.clone());
        Some(name.value)
    }

    /// Takes all locals but the variables of loops out of the scope, and gives them.
    fn hide_locals(&mut self) -> BTreeMap<String, Binding> {
        let hidden: BTreeMap<String, Binding> = self
            .scope
            .variables
            .iter()
            .filter(|(name, binding)| {
                matches!(binding.variable, Name::Local(_)) && !self.made.counters.contains(*name)
            })
            .map(|(name, binding)| (name.clone(), binding.clone()))
            .collect();
        for name in hidden.keys() {
            self.restore(name);
        }
        hidden
    }

    /// A UML `LoopNode`.
    fn loop_node(
        &mut self,
        id: ElementId,
        element: &'m Element,
        node: &'m LoopNode,
        steps: &mut Vec<Step>,
    ) {
        if let Some(setup) = node.setup {
            self.perform(id, setup, false, false, steps);
        }
        let Some(condition) = self.condition(element, node.condition.as_ref(), element.span) else {
            return;
        };
        let needs = self.needs_of(&condition);
        let index = self.declare(id, true);
        let mut body = Vec::new();
        self.perform(id, node.body, false, false, &mut body);
        if node.tested_first && node.test.is_none() {
            steps.push(Step::While(While {
                label: None,
                element: index,
                condition,
                needs,
                body,
            }));
            return;
        }
        let mut test = Vec::new();
        if let Some(inside) = node.test {
            self.perform(id, inside, false, false, &mut test);
        }
        let leave = Arm {
            guard: negate(condition, true),
            steps: vec![Step::Break(None)],
        };
        let otherwise = Some(Vec::new());
        test.push(Step::Branch(Branch {
            element: index,
            arms: vec![leave],
            otherwise,
            needs,
        }));
        if node.tested_first {
            test.append(&mut body);
            body = test;
        } else {
            body.append(&mut test);
        }
        steps.push(Step::Loop(Loop {
            label: None,
            element: index,
            body,
        }));
    }

    /// A UML `ConditionalNode`.
    fn conditional(
        &mut self,
        id: ElementId,
        element: &'m Element,
        clauses: &'m [Clause],
        steps: &mut Vec<Step>,
    ) {
        let mut needs = Needs::default();
        let mut arms = Vec::new();
        for clause in clauses {
            let guard = self.condition(element, clause.condition.as_ref(), clause.span);
            let mut inside = Vec::new();
            self.perform(id, clause.body, false, false, &mut inside);
            if let Some(guard) = guard {
                needs.merge(&self.needs_of(&guard));
                arms.push(Arm {
                    guard,
                    steps: inside,
                });
            }
        }
        if arms.is_empty() {
            return;
        }
        let index = self.declare(id, needs.fallible || needs.stream);
        let otherwise = Some(Vec::new());
        steps.push(Step::Branch(Branch {
            element: index,
            arms,
            otherwise,
            needs,
        }));
    }

    /// The test of a loop or clause.
    fn condition(
        &mut self,
        element: &Element,
        code: Option<&Code>,
        span: crate::diagnostic::Span,
    ) -> Option<Expression> {
        if let Some(code) = code {
            return self.expression(code, &Type::Bool, &element.path);
        }
        let message = format!("nothing decides about {}", element.path);
        let help =
            "write the condition as the body of the OpaqueAction whose output is the decider";
        self.report(
            &flow_rules::NO_CONDITION,
            span,
            &element.path,
            message,
            help,
        );
        None
    }
}

/// `condition`, or its opposite.
fn negate(condition: Expression, negated: bool) -> Expression {
    if !negated {
        return condition;
    }
    if let ExpressionKind::Unary(UnaryOp::Not, inside) = condition.kind {
        return *inside;
    }
    Expression {
        kind: ExpressionKind::Unary(UnaryOp::Not, Box::new(condition)),
        ty: Type::Bool,
    }
}

/// Whether steps end their diagram before the last of its text, which only a function can express.
fn ends_early(steps: &[Step]) -> bool {
    steps.iter().any(|step| {
        matches!(step, Step::Return | Step::Dispatch(_))
            || step.blocks().into_iter().any(|block| ends_early(block))
    })
}

/// How deeply the blocks of steps are nested.
fn depth(steps: &[Step]) -> usize {
    let blocks = |step: &Step| {
        step.blocks()
            .into_iter()
            .map(|block| 1 + depth(block))
            .max()
    };
    steps.iter().filter_map(blocks).max().unwrap_or(0)
}
