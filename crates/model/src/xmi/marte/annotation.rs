//! Collects a file's MARTE annotations before they are attached to elements.

use std::collections::BTreeSet;

use crate::source::{Span, Text};
use crate::xmi::tree::NodeId;
use prophet_map::Map;

#[derive(Debug, Clone)]
pub(in crate::xmi) struct Annotation {
    pub(super) name: String,
    /// Tags that are set, in order; a tag can have several values.
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
    /// Steps, by the nodes and edges they are applied to.
    pub(super) steps: Map<NodeId, Annotation>,
    pub(super) workloads: Map<NodeId, Annotation>,
    pub(super) contexts: Map<NodeId, Annotation>,
    pub(super) hosts: Map<NodeId, Annotation>,
    /// Variables named in costs and probabilities, with their places.
    pub(super) used: Map<String, Vec<Span>>,
    /// Steps with a `prob` that has decided something.
    pub(super) chosen: BTreeSet<NodeId>,
    /// Values of variables; `None` if analyses in the file differ.
    pub(super) values: Map<String, Option<f64>>,
    /// Tags apart from their stereotypes, with the annotated elements.
    pub(super) loose: Vec<(NodeId, String, Text)>,
    /// Start positions of the tags of supported stereotypes.
    pub(super) read: BTreeSet<usize>,
}
