//! Moves edges that cross the border of a structured node, as UML allows, to the node itself.
//!
//! The node then starts when everything that leads into its content has arrived, and it ends when
//! all of its content has run. A token on such an edge may therefore wait longer than in UML, but
//! never less. Edges that can't be moved without changing the meaning in other ways remain errors:
//! for example, edges from a decision, to a node where the content doesn't start, or between
//! activities.

use std::collections::{BTreeMap, BTreeSet};

use super::flows::{Edge, End};
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{DiagramId, ElementId, NodeKind};
use crate::path;

/// An element, with the diagram that contains it.
type Level = (ElementId, DiagramId);

/// What starts in a diagram without edges from outside.
struct Starts {
    initial: BTreeSet<DiagramId>,
    /// Elements with an incoming edge in their own diagram.
    entered: BTreeSet<ElementId>,
}

impl Starts {
    /// Returns `true` if an element runs whenever its diagram runs.
    fn has(&self, (id, diagram): Level) -> bool {
        !self.initial.contains(&diagram) || self.entered.contains(&id)
    }
}

/// An edge that crosses borders: its index, and the nodes to connect instead.
struct Crossing {
    at: usize,
    source: ElementId,
    target: ElementId,
}

impl Reader<'_, '_> {
    pub(super) fn lift(&mut self, edges: &mut [Edge]) {
        let diagram_of = |id: ElementId| self.elements[id.0].diagram;
        let crosses = |edge: &Edge| diagram_of(edge.flow.source) != diagram_of(edge.flow.target);
        if !edges.iter().any(crosses) {
            return;
        }
        let starts = self.starts_inside(edges);
        let crossings: Vec<Crossing> = edges
            .iter()
            .enumerate()
            .filter(|(_, edge)| crosses(edge))
            .filter_map(|(at, edge)| self.crossing(at, edge, &starts))
            .collect();
        // A decision between several places in one node can't be moved, because each edge would
        // start the whole node.
        let mut choices: BTreeMap<(ElementId, ElementId), usize> = BTreeMap::new();
        for it in &crossings {
            *choices.entry((it.source, it.target)).or_default() += 1;
        }
        for it in crossings {
            let flow = &edges[it.at].flow;
            let chooses = self.elements[flow.source.0].kind == NodeKind::Decision;
            if !chooses || choices[&(it.source, it.target)] == 1 {
                self.note_crossing(&edges[it.at]);
                let edge = &mut edges[it.at];
                (edge.flow.source, edge.flow.target) = (it.source, it.target);
                edge.source = moved(edge.source, it.source);
                edge.target = moved(edge.target, it.target);
            }
        }
    }

    /// Returns the nodes to connect instead of an edge across borders; `None` if that would change
    /// the meaning.
    fn crossing(&self, at: usize, edge: &Edge, starts: &Starts) -> Option<Crossing> {
        let (from, to) = (self.levels(edge.flow.source), self.levels(edge.flow.target));
        let (up, down) = from.iter().enumerate().find_map(|(up, (_, diagram))| {
            let down = to.iter().position(|(_, it)| it == diagram)?;
            Some((up, down))
        })?;
        let (source, target) = (from[up].0, to[down].0);
        let leaves_by_choice = up > 0
            && (edge.flow.guard.is_some()
                || self.elements[edge.flow.source.0].kind == NodeKind::Decision);
        let is_started = to[..down].iter().all(|&it| starts.has(it));
        (source != target && !leaves_by_choice && is_started).then_some(Crossing {
            at,
            source,
            target,
        })
    }

    fn levels(&self, id: ElementId) -> Vec<Level> {
        let diagram = self.elements[id.0].diagram;
        let mut levels = vec![(id, diagram)];
        let mut owner = self.diagram_owners[diagram.0];
        while let Some(&around) = self.element_of.get(&owner) {
            let diagram = self.elements[around.0].diagram;
            levels.push((around, diagram));
            owner = self.diagram_owners[diagram.0];
        }
        levels
    }

    fn starts_inside(&self, edges: &[Edge]) -> Starts {
        let initial = self
            .elements
            .iter()
            .filter(|it| it.kind == NodeKind::Initial);
        let diagram_of = |id: ElementId| self.elements[id.0].diagram;
        let within = edges
            .iter()
            .filter(|it| diagram_of(it.flow.source) == diagram_of(it.flow.target));
        Starts {
            initial: initial.map(|it| it.diagram).collect(),
            entered: within.map(|it| it.flow.target).collect(),
        }
    }

    fn note_crossing(&mut self, edge: &Edge) {
        let of = |id: ElementId| path::shorten(&self.elements[id.0].path).into_owned();
        let (source, target) = (of(edge.flow.source), of(edge.flow.target));
        let message = format!(
            "the edge from `{source}` to `{target}` crosses the border of a node and is attached \
             to that node instead"
        );
        let finding = Diagnostic::new(&rules::LIFTED_EDGE, edge.flow.span, message);
        let help = "connect the node itself to make this explicit";
        let finding = finding.element(self.elements[edge.flow.source.0].path.clone());
        self.note_kind("edge across a border", finding.help(help));
    }
}

fn moved(end: End, element: ElementId) -> End {
    if end.element == element {
        return end;
    }
    End {
        element,
        is_pin: false,
    }
}
