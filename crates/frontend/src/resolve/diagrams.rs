//! Builds the program's diagrams from the model's diagrams, and determines which variables of
//! enclosing diagrams they use.

use std::collections::{BTreeSet, VecDeque};

use super::flows::{DiagramGraph, Starts};
use super::steps::Conversion;
use super::{Resolver, id_of_path};
use crate::flow;
use crate::program::{Call, Diagram, DiagramIndex, Element, ElementIndex, Local, Outer, Step};
use prophet_map::Map;
use prophet_model::diagnostic::Span;
use prophet_model::diagnostic::catalogue::program as rules;
use prophet_model::model::DiagramId;

const DEEPEST: usize = 100;

/// The diagrams of the program, including those that haven't been built yet.
#[derive(Default)]
pub(super) struct Diagrams {
    pub(super) activities: Map<DiagramId, DiagramIndex>,
    /// Activities that haven't been built yet.
    pub(super) open: VecDeque<DiagramId>,
    /// Counters of the loops around the current code.
    pub(super) counters: BTreeSet<String>,
    /// The elements of the regions that are being built, from the outermost inward.
    pub(super) flows: Vec<ElementIndex>,
    pub(super) next_label: usize,
    pub(super) depth: usize,
    pub(super) copies: usize,
    /// Whether activities call each other in a cycle, so that they can't be copied in place.
    pub(super) circular: bool,
}

impl<'m> Resolver<'m> {
    pub(super) fn diagrams(&mut self) {
        self.refuse_recursive_activities();
        let hooks = self.model.hooks();
        if hooks == [None; 2] {
            self.activity(self.model.main);
        } else {
            self.hooked(hooks);
        }
        // Calls append activities to this list, so that long chains of calls need no stack.
        while let Some(id) = self.made.open.pop_front() {
            let index = self.made.activities[&id];
            let diagram = self.diagram(id);
            self.program.diagrams[index] = diagram;
        }
        self.refuse_expanding_activities();
    }

    /// Builds a diagram that calls the main activity between its two hooks. The last hook runs no
    /// matter how the activity ends.
    fn hooked(&mut self, [init, end]: [Option<DiagramId>; 2]) {
        let program = self.reserve_diagram();
        let called = [init, Some(self.model.main), end].into_iter().flatten();
        let steps = called.map(|id| self.plain_call(id)).collect();
        let main = self.model.diagram(self.model.main);
        self.program.diagrams[program] = Diagram {
            name: main.name.clone(),
            path: main.path.clone(),
            steps,
            ..Diagram::default()
        };
    }

    /// Builds a call of an activity without a call node in the drawing.
    fn plain_call(&mut self, id: DiagramId) -> Step {
        let diagram = self.activity(id);
        let drawn = self.model.diagram(id);
        let path = format!("{}::call", drawn.path);
        let element = self.program.elements.push(Element {
            id: id_of_path(&path),
            name: drawn.name.clone(),
            path,
            span: drawn.span,
            stereotype: None,
            forks: false,
            flows: false,
            lock: None,
            signal: None,
            in_run: false,
            comment: None,
        });
        Step::Call(Call {
            element,
            measured: false,
            diagram,
        })
    }

    /// Returns the diagram of an activity. Queues the activity on first use.
    pub(super) fn activity(&mut self, id: DiagramId) -> DiagramIndex {
        if let Some(&index) = self.made.activities.get(&id) {
            return index;
        }
        let index = self.reserve_diagram();
        self.made.activities.insert(id, index);
        self.made.open.push_back(id);
        index
    }

    pub(super) fn reserve_diagram(&mut self) -> DiagramIndex {
        self.program.diagrams.push(Diagram::default())
    }

    /// Builds a diagram that becomes a separate function.
    pub(super) fn diagram(&mut self, id: DiagramId) -> Diagram {
        let (locals, steps) = self.apart(|resolver| resolver.content(id));
        self.function(id, locals, steps)
    }

    /// Builds the steps of a separate function. Its labels are numbered separately.
    pub(super) fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let labels_around = std::mem::take(&mut self.made.next_label);
        let made = make(self);
        self.made.next_label = labels_around;
        made
    }

    /// Builds a function from the steps of a diagram. The diagram's variables go out of scope.
    pub(super) fn function(
        &mut self,
        id: DiagramId,
        locals: Vec<Local>,
        steps: Vec<Step>,
    ) -> Diagram {
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

    /// Builds the variables and steps of a diagram. The variables stay in scope.
    pub(super) fn content(&mut self, id: DiagramId) -> (Vec<Local>, Vec<Step>) {
        let drawn = self.model.diagram(id);
        let locals = self.locals(&drawn.locals);
        let steps = match self.graph(drawn, Starts::Warned) {
            Some(graph) => self.flow(graph, drawn.span, &drawn.path),
            None => self.loose(drawn),
        };
        (locals, steps)
    }

    /// Builds the steps of a graph. `span` and `path` are the place and path of the element that it
    /// is drawn in.
    pub(super) fn flow(&mut self, graph: DiagramGraph<'m>, span: Span, path: &str) -> Vec<Step> {
        if !self.enter(span, path) {
            return Vec::new();
        }
        let block = flow::structure(&graph.graph);
        let mut conversion = Conversion {
            drawn: graph,
            labels: Map::new(),
        };
        let steps = self.steps(block, &mut conversion);
        self.made.depth -= 1;
        steps
    }

    /// Enters a nesting level. If the nesting is too deep, reports it and returns `false`.
    pub(super) fn enter(&mut self, span: Span, path: &str) -> bool {
        if self.made.depth >= DEEPEST {
            let message = format!("{path} is nested more than {DEEPEST} levels deep");
            let help =
                "call an activity instead of nesting; loops around calls count as nesting too";
            self.report(&rules::TOO_DEEP, span, path, message, help);
            return false;
        }
        self.made.depth += 1;
        true
    }

    /// Returns the variables of enclosing diagrams that a diagram uses. They must still be in
    /// scope.
    pub(super) fn outer(&self, locals: &[Local], steps: &[Step]) -> Vec<Outer> {
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

    pub(super) fn forget(&mut self, locals: &[Local]) {
        for local in locals {
            self.restore(&local.name);
        }
    }

    /// Makes `name` refer to what it means outside of diagrams.
    pub(super) fn restore(&mut self, name: &str) {
        match self.global_scope.variables.get(name) {
            Some(binding) => self
                .scope
                .variables
                .insert(name.to_owned(), binding.clone()),
            None => self.scope.variables.remove(name),
        };
    }
}
