//! Represents the model as a graph: the flows between elements, the elements' contents, and the
//! program's diagrams.

use std::collections::VecDeque;

use super::shape::Set;
use prophet_model::model::{DiagramId, Element, ElementId, Flow, Guard, Model, NodeKind};

/// Lists of indices, stored in two arrays.
#[derive(Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<usize>,
}

impl Lists {
    /// Builds `count` lists. List `n` contains, in order, the second number of each pair that
    /// starts with `n`.
    pub(super) fn new(count: usize, pairs: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; count + 1];
        for &(key, _) in pairs {
            starts[key + 1] += 1;
        }
        for key in 0..count {
            starts[key + 1] += starts[key];
        }
        let mut next = starts.clone();
        let mut items = vec![0; pairs.len()];
        for &(key, item) in pairs {
            items[next[key]] = item;
            next[key] += 1;
        }
        Self { starts, items }
    }

    pub(super) fn of(&self, key: usize) -> &[usize] {
        &self.items[self.starts[key]..self.starts[key + 1]]
    }
}

#[derive(Debug)]
pub(crate) struct ModelGraph<'m> {
    pub(super) model: &'m Model,
    pub(super) flows: Vec<&'m Flow>,
    outgoing: Lists,
    incoming: Lists,
    /// The elements that contain or call each diagram.
    owners: Lists,
    pub(super) program: Vec<DiagramId>,
    in_program: Vec<bool>,
    listed: Vec<bool>,
}

impl<'m> ModelGraph<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let flows: Vec<&Flow> = model.diagrams.iter().flat_map(|it| &it.flows).collect();
        let count = model.elements.len();
        let by = |end: &dyn Fn(&Flow) -> ElementId| {
            let ends = flows.iter().enumerate();
            let pairs: Vec<_> = ends.map(|(index, flow)| (end(flow).0, index)).collect();
            Lists::new(count, &pairs)
        };
        let (outgoing, incoming) = (by(&|flow| flow.source), by(&|flow| flow.target));
        let mut owned = Vec::new();
        for (index, element) in model.elements.iter().enumerate() {
            owned.extend(contents(element).into_iter().map(|it| (it.0, index)));
        }
        let owners = Lists::new(model.diagrams.len(), &owned);
        let mut listed = vec![false; count];
        for id in model.diagrams.iter().flat_map(|it| &it.elements) {
            listed[id.0] = true;
        }
        let mut graph = Self {
            model,
            flows,
            outgoing,
            incoming,
            owners,
            program: Vec::new(),
            in_program: vec![false; model.diagrams.len()],
            listed,
        };
        graph.find_program();
        graph
    }

    /// Lists the diagrams that are reachable from the main diagram and its hooks. If diagrams call
    /// each other in a cycle, their order is arbitrary.
    fn find_program(&mut self) {
        let hooks = self.model.hooks().into_iter().flatten();
        for start in std::iter::once(self.model.main).chain(hooks) {
            self.find_from(start);
        }
    }

    fn find_from(&mut self, start: DiagramId) {
        let inside = |diagram: DiagramId| -> Vec<DiagramId> {
            let elements = self.model.diagram(diagram).elements.iter();
            elements
                .flat_map(|&id| contents(self.model.element(id)))
                .collect()
        };
        self.in_program[start.0] = true;
        let mut open = vec![(start, inside(start), 0)];
        while let Some((diagram, inner, next)) = open.last_mut() {
            let Some(&content) = inner.get(*next) else {
                self.program.push(*diagram);
                open.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut self.in_program[content.0], true) {
                let inner = inside(content);
                open.push((content, inner, 0));
            }
        }
    }

    pub(super) fn element(&self, id: ElementId) -> &'m Element {
        self.model.element(id)
    }

    pub(super) fn outgoing(&self, id: ElementId) -> &[usize] {
        self.outgoing.of(id.0)
    }

    pub(super) fn incoming(&self, id: ElementId) -> &[usize] {
        self.incoming.of(id.0)
    }

    pub(crate) fn successors(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        self.outgoing(id)
            .iter()
            .map(|&flow| self.flows[flow].target)
    }

    pub(super) fn predecessors(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        self.incoming(id)
            .iter()
            .map(|&flow| self.flows[flow].source)
    }

    pub(super) fn owners(&self, diagram: DiagramId) -> impl Iterator<Item = ElementId> + '_ {
        self.owners.of(diagram.0).iter().copied().map(ElementId)
    }

    pub(super) fn is_in_program(&self, diagram: DiagramId) -> bool {
        self.in_program[diagram.0]
    }

    /// Returns `true` if a diagram is the content of a node rather than an activity.
    pub(super) fn is_content(&self, diagram: DiagramId) -> bool {
        self.owners(diagram)
            .any(|owner| !matches!(self.element(owner).kind, NodeKind::Call(_)))
    }

    /// Returns the elements where a diagram starts: its initial nodes, or otherwise the nodes
    /// without incoming flows.
    pub(super) fn starts(&self, diagram: DiagramId) -> Vec<ElementId> {
        let elements = &self.model.diagram(diagram).elements;
        let is_initial = |&&id: &&ElementId| self.element(id).kind == NodeKind::Initial;
        let initial: Vec<ElementId> = elements.iter().filter(is_initial).copied().collect();
        if !initial.is_empty() {
            return initial;
        }
        let is_first = |&&id: &&ElementId| self.incoming(id).is_empty();
        elements.iter().filter(is_first).copied().collect()
    }

    /// Iterates over the program's elements that satisfy `holds`, in file order.
    pub(super) fn elements_where(
        &self,
        holds: impl Fn(&Element) -> bool,
    ) -> impl Iterator<Item = ElementId> {
        let elements = self.model.elements.iter().enumerate();
        elements
            .filter(|(index, _)| self.listed[*index])
            .filter(move |(_, it)| self.is_in_program(it.diagram) && holds(it))
            .map(|(index, _)| ElementId(index))
    }

    /// Computes, for each element, the nearest following element of the set, with only elements of
    /// `through` in between. One backward search covers all elements.
    pub(super) fn nearest(&self, set: &Set, through: Option<&Set>) -> Vec<Option<ElementId>> {
        let mut nearest = vec![None; self.model.elements.len()];
        let of_set = self.elements_where(|it| set.has(it));
        let mut open: VecDeque<(ElementId, ElementId)> = of_set.map(|id| (id, id)).collect();
        while let Some((id, found)) = open.pop_front() {
            for before in self.predecessors(id) {
                if nearest[before.0].is_some() {
                    continue;
                }
                nearest[before.0] = Some(found);
                let element = self.element(before);
                if !set.has(element) && through.is_some_and(|through| through.has(element)) {
                    open.push_back((before, found));
                }
            }
        }
        nearest
    }

    /// Marks `from`, and everything reachable from it by following `next`.
    pub(super) fn reach<I: Iterator<Item = ElementId>>(
        from: impl IntoIterator<Item = ElementId>,
        reached: &mut [bool],
        next: impl Fn(ElementId) -> I,
    ) {
        let mut open: Vec<ElementId> = from.into_iter().collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.0], true) {
                open.extend(next(id));
            }
        }
    }
}

/// Returns an element's diagrams: its contents in execution order, or the activity that it calls.
pub(super) fn contents(element: &Element) -> Vec<DiagramId> {
    element.kind.diagrams()
}

/// Returns the code of a flow's guard; `None` if the guard is `else` or missing.
pub(super) fn condition(flow: &Flow) -> Option<&prophet_model::model::Code> {
    match &flow.guard {
        Some(Guard::When(code)) => Some(code),
        Some(Guard::Else) | None => None,
    }
}
