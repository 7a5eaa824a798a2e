//! Annotations of a file, before they are given to what they annotate.

use std::collections::BTreeSet;

use crate::source::{Span, Text};
use crate::xmi::tree::NodeId;
use prophet_map::Map;

/// A stereotype of MARTE, applied.
#[derive(Debug, Clone)]
pub(in crate::xmi) struct Annotation {
    pub(super) name: String,
    /// Tags that are set, in order; one may have several values.
    pub(super) tags: Vec<(String, Text)>,
    /// The tag that applies it.
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

/// Annotations of a file.
#[derive(Debug, Default)]
pub(in crate::xmi) struct Marte {
    /// Steps, by the nodes and edges they are applied to.
    pub(super) steps: Map<NodeId, Annotation>,
    pub(super) workloads: Map<NodeId, Annotation>,
    pub(super) contexts: Map<NodeId, Annotation>,
    pub(super) hosts: Map<NodeId, Annotation>,
    /// Variables that costs and probabilities name, with the places where they do.
    pub(super) used: Map<String, Vec<Span>>,
    /// Steps whose `prob` has decided something.
    pub(super) chosen: BTreeSet<NodeId>,
    /// Values of variables; `None` where analyses of the file differ.
    pub(super) values: Map<String, Option<f64>>,
    /// Tags apart from their stereotypes, by the elements that have them.
    pub(super) loose: Vec<(NodeId, String, Text)>,
    /// Starts of the tags of stereotypes that are read.
    pub(super) read: BTreeSet<usize>,
}
