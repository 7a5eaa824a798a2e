//! Stores a file's MARTE annotations until they are attached to elements.

use std::collections::BTreeSet;

use crate::source::{Span, Text};
use crate::xmi::tree::NodeId;
use prophet_map::Map;

#[derive(Debug, Clone)]
pub(in crate::xmi) struct Annotation {
    pub(super) name: String,
    /// The tags, in order. A tag can occur several times.
    pub(super) tags: Vec<(String, Text)>,
    pub(super) span: Span,
}

impl Annotation {
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &Text> {
        let named = self.tags.iter().filter(move |it| it.0 == name);
        named.map(|(_, text)| text)
    }

    pub(super) fn value(&self, name: &str) -> Option<&Text> {
        self.values(name).next()
    }
}

#[derive(Debug, Default)]
pub(in crate::xmi) struct Marte {
    /// Steps, by the node or edge that they annotate.
    pub(super) steps: Map<NodeId, Annotation>,
    pub(super) workloads: Map<NodeId, Annotation>,
    pub(super) contexts: Map<NodeId, Annotation>,
    pub(super) hosts: Map<NodeId, Annotation>,
    /// Variables in costs and probabilities, with their places.
    pub(super) used: Map<String, Vec<Span>>,
    /// Steps with a `prob` that a decision has used.
    pub(super) chosen: BTreeSet<NodeId>,
    /// Values of variables; `None` if the file's analyses set different values.
    pub(super) values: Map<String, Option<f64>>,
    /// Tags in separate elements, each with the element that it annotates.
    pub(super) loose: Vec<(NodeId, String, Text)>,
    /// Where the XML tags of supported stereotypes start.
    pub(super) read: BTreeSet<usize>,
}
