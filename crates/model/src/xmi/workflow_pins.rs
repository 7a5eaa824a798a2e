//! Reads workflow files that are drawn as pins with the stereotype `file`. A task writes the file
//! on its output pin. The tasks that the pin's object flows lead to read the file. An input pin
//! without incoming flows is an input of the workflow.

use std::collections::BTreeSet;

use super::flows::{Edge, End};
use super::reader::{Reader, is_pin};
use super::tree::NodeId;
use super::workflow_files::{DrawnFile, EDGES_MAX};
use crate::model::{ElementId, NodeKind, StereotypeKind};
use prophet_map::Map;

/// For each drawn end of an edge, a pin or a node, the other ends of its edges.
type DrawnEnds = Map<NodeId, Vec<NodeId>>;

/// What the object flows at a pin lead to, in one direction.
#[derive(Default)]
struct Side {
    elements: BTreeSet<ElementId>,
    /// Whether the flows reach an object node that names the file, or another pin that does.
    is_named: bool,
}

impl Reader<'_, '_> {
    /// Adds the files of pins to tasks. Removes the stereotype `file` from the pins.
    pub(super) fn take_file_pins(&mut self, edges: &[Edge]) {
        let pins = self.stereotypes.keys().copied();
        let pins: Vec<NodeId> = pins.filter(|it| self.is_file_pin(*it)).collect();
        if pins.is_empty() {
            return;
        }
        let (mut before, mut after) = (DrawnEnds::new(), DrawnEnds::new());
        for edge in edges {
            let source = self.drawn_end(edge, "source", edge.source);
            let target = self.drawn_end(edge, "target", edge.target);
            after.get_or_default(source).push(target);
            before.get_or_default(target).push(source);
        }
        let mut left = EDGES_MAX;
        for &pin in &pins {
            let Some(owner) = self.element_around(pin) else {
                continue;
            };
            let sources = self.side(pin, &before, true, &mut left);
            let targets = self.side(pin, &after, false, &mut left);
            if sources.is_named || targets.is_named {
                continue;
            }
            let is_output = self.tree.kind(pin) == "OutputPin";
            let is_written = is_output || before.contains_key(&pin);
            let (mut writers, mut readers) = (sources.elements, targets.elements);
            (if is_output {
                &mut writers
            } else {
                &mut readers
            })
            .insert(owner);
            let tags = self.stereotypes.get(&pin).map(|it| &it.tags);
            let file = DrawnFile {
                name: self.tree.name(pin).value.trim().to_owned(),
                span: self.tree.span(pin),
                path: self.elements[owner.0].path.clone(),
                size: tags.and_then(|it| it.get("size")).cloned(),
            };
            let [writers, readers] = [writers, readers].map(Vec::from_iter);
            self.give_file(&file, is_written, &writers, &readers);
        }
        for pin in &pins {
            // If the pin doesn't belong to a node, it keeps its stereotype, so that it is reported.
            if self.element_around(*pin).is_some() {
                self.stereotypes.remove(pin);
            }
        }
    }

    fn is_file_pin(&self, node: NodeId) -> bool {
        let stereotype = self.stereotypes.get(&node);
        is_pin(self.tree.kind(node)) && stereotype.is_some_and(|it| it.kind == StereotypeKind::File)
    }

    /// Returns the element that a node became or is part of.
    fn element_around(&self, node: NodeId) -> Option<ElementId> {
        let mut around = self.tree.ancestors(node);
        around.find_map(|it| self.element_of.get(&it).copied())
    }

    /// Returns an end of an edge as drawn: a pin, or otherwise a node.
    fn drawn_end(&self, edge: &Edge, role: &str, end: End) -> NodeId {
        let named = self.tree.reference(edge.node, role);
        let linked = || {
            let linked = self.linked_ends.get(&edge.node)?;
            let is_of = |it: &&NodeId| self.element_around(**it) == Some(end.element);
            linked.iter().find(is_of).copied()
        };
        { named.and_then(|it| it.target).or_else(linked) }
            .unwrap_or(self.element_nodes[end.element.0])
    }

    /// Follows edges from a pin through control nodes and pins of structured nodes, and returns the
    /// first nodes that do something.
    fn side(&self, pin: NodeId, ends: &DrawnEnds, is_back: bool, left: &mut usize) -> Side {
        let mut side = Side::default();
        let mut seen = BTreeSet::from([pin]);
        let mut open = vec![pin];
        while let Some(node) = open.pop() {
            for &end in ends.get(&node).into_iter().flatten() {
                if *left == 0 {
                    return side;
                }
                *left -= 1;
                if !seen.insert(end) {
                    continue;
                }
                side.is_named |= is_back && self.is_file_pin(end);
                let element = self.element_of.get(&end);
                match element.map(|it| &self.elements[it.0]) {
                    Some(it) => match it.kind {
                        NodeKind::Fork | NodeKind::Join | NodeKind::Decision | NodeKind::Merge => {
                            open.push(end);
                        }
                        NodeKind::Unsupported(_) => {
                            let stereotype = it.stereotype.as_ref();
                            let is_file = |kind| kind == StereotypeKind::File;
                            side.is_named |= stereotype.is_some_and(|it| is_file(it.kind));
                            open.push(end);
                        }
                        NodeKind::Initial | NodeKind::ActivityFinal | NodeKind::FlowFinal => {}
                        _ => side.elements.extend(element),
                    },
                    None if ends.contains_key(&end) => open.push(end),
                    None => side.elements.extend(self.element_around(end)),
                }
            }
        }
        side
    }
}
