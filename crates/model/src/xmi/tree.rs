//! Stores the XML of a model file as an arena of elements. Text isn't copied from the file.
//!
//! An element takes about 60 bytes and an attribute about 20, no matter how long its text is,
//! because both store byte ranges. Role names (`node`, `edge`) are local names; namespaces matter
//! only where tools differ in nothing else.

mod node;

use std::borrow::Cow;

use super::index::Index;
use super::segments::Passed;
use crate::diagnostic::Span;
use crate::path;
use crate::source::{Source, Text, escape};
pub(super) use node::{Namespace, Node, NodeId, ReadAttribute, Slice};

#[derive(Debug, Default)]
pub(super) struct Document<'s> {
    /// Number of elements before the file's root. The file's other elements follow the root.
    pub(super) root: u32,
    pub(super) index: Index<'s>,
}

#[derive(Debug)]
pub(super) struct Tree<'s> {
    pub(super) source: &'s Source,
    pub(super) nodes: Vec<Node>,
    pub(super) attributes: Vec<ReadAttribute>,
    /// URIs by the index in [`Namespace::Other`].
    pub(super) uris: Vec<Cow<'s, str>>,
    pub(super) documents: Vec<Document<'s>>,
    /// Children of elements that references by position have led through.
    pub(super) passed: Passed<'s>,
    /// Whether attributes are URI-encoded, as StarUML writes them.
    pub(super) is_uri_encoded: bool,
}

impl<'s> Tree<'s> {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.count()).map(NodeId)
    }

    pub(super) fn own_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        let next = self.documents.get(1);
        (0..next.map_or(self.count(), |next| next.root)).map(NodeId)
    }

    pub(super) fn is_own(&self, id: NodeId) -> bool {
        self.documents.get(1).is_none_or(|next| id.0 < next.root)
    }

    pub(super) fn roots_beside(&self) -> Vec<NodeId> {
        let others = self.documents.iter().skip(1);
        others.map(|it| NodeId(it.root)).collect()
    }

    pub(super) fn document_at(&self, offset: u32) -> Option<&Document<'s>> {
        let part = self.source.part_at(offset as usize);
        self.documents.get(part.0)
    }

    /// Finds the element with this id in the file that contains the byte at `offset`.
    pub(super) fn with_id(&self, offset: u32, id: &str) -> Option<NodeId> {
        self.document_at(offset)?.index.find(id)
    }

    /// Returns the number of elements. 32 bits suffice, because there are fewer elements than
    /// bytes.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn raw(&self, slice: Slice) -> &'s str {
        self.source.text.get(slice.span().range()).unwrap_or("")
    }

    /// Returns the local name. It is the role of an element in its parent.
    pub(super) fn role(&self, id: NodeId) -> &'s str {
        let node = self.node(id);
        self.raw(Slice {
            start: node.local_start,
            end: node.name.end,
        })
    }

    /// Returns the name as written, with its prefix.
    pub(super) fn qualified_name(&self, id: NodeId) -> &'s str {
        self.raw(self.node(id).name)
    }

    /// Returns the namespace's URI; `None` if it is a namespace of XMI, UML or `xsi`, or if there
    /// is none.
    pub(super) fn uri(&self, id: NodeId) -> Option<&str> {
        match self.node(id).namespace {
            Namespace::Other(index) => self.uris.get(usize::from(index)).map(Cow::as_ref),
            _ => None,
        }
    }

    /// Returns the UML type, such as `DecisionNode`; empty if the file doesn't state it because it
    /// follows from the role.
    pub(super) fn kind(&self, id: NodeId) -> &'s str {
        let node = self.node(id);
        let kind = self.raw(node.kind);
        if kind.is_empty() && node.namespace == Namespace::Uml {
            return self.role(id);
        }
        if kind == "Pseudostate" {
            return self.drawn_as(id).unwrap_or(kind);
        }
        kind
    }

    /// Returns the control node that a Pseudostate stands for in an activity diagram of Visual
    /// Paradigm. The first element of its extension names it.
    fn drawn_as(&self, id: NodeId) -> Option<&'static str> {
        /// Maximum number of elements to search. The name comes first.
        const MARKS_MAX: usize = 8;
        let extension = self.children_in(id, "Extension").next()?;
        let marks = self.children(extension).map(|mark| self.role(mark));
        marks.take(MARKS_MAX).find_map(|mark| match mark {
            "initialNode" => Some("InitialNode"),
            "activityFinalNode" => Some("ActivityFinalNode"),
            "flowFinalNode" => Some("FlowFinalNode"),
            "decisionNode" => Some("DecisionNode"),
            "mergeNode" => Some("MergeNode"),
            "forkNode" => Some("ForkNode"),
            "joinNode" => Some("JoinNode"),
            _ => None,
        })
    }

    pub(super) fn span(&self, id: NodeId) -> Span {
        self.node(id).tag.span()
    }

    pub(super) fn children(&self, id: NodeId) -> Children<'_, 's> {
        Children {
            tree: self,
            next: self.node(id).first_child,
        }
    }

    pub(super) fn children_in<'t>(
        &'t self,
        id: NodeId,
        role: &'t str,
    ) -> impl Iterator<Item = NodeId> + use<'t, 's> {
        self.children(id)
            .filter(move |&child| self.role(child) == role)
    }

    pub(super) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |&id| self.node(id).parent)
    }

    pub(super) fn attributes(&self, id: NodeId) -> &[ReadAttribute] {
        let slice = self.node(id).attributes;
        &self.attributes[slice.span().range()]
    }

    /// Returns the raw value of an attribute that has no namespace.
    pub(super) fn attribute(&self, id: NodeId, name: &str) -> Option<Slice> {
        self.find_attribute(id, Namespace::None, name)
    }

    /// Returns the raw value of an XMI attribute, such as `xmi:id`.
    pub(super) fn xmi_attribute(&self, id: NodeId, name: &str) -> Option<Slice> {
        self.find_attribute(id, Namespace::Xmi, name)
    }

    /// Returns the value of an attribute in any namespace, ignoring the case of its name.
    pub(super) fn any_attribute(&self, id: NodeId, name: &str) -> Option<String> {
        let mut attributes = self.attributes(id).iter();
        let found = attributes.find(|it| self.raw(it.name).eq_ignore_ascii_case(name))?;
        Some(self.attribute_text(found.value).value)
    }

    fn find_attribute(&self, id: NodeId, namespace: Namespace, name: &str) -> Option<Slice> {
        let is_it = |it: &&ReadAttribute| it.namespace == namespace && self.raw(it.name) == name;
        self.attributes(id).iter().find(is_it).map(|it| it.value)
    }

    pub(super) fn attribute_text(&self, value: Slice) -> Text {
        Text::new(self.decoded(value).into_owned(), value.span())
    }

    fn decoded(&self, value: Slice) -> Cow<'s, str> {
        let plain = escape::attribute(self.raw(value));
        let decoded = self.is_uri_encoded.then(|| escape::uri(&plain)).flatten();
        decoded.map_or(plain, Cow::Owned)
    }

    pub(super) fn is_reference(&self, id: NodeId) -> bool {
        self.xmi_attribute(id, "idref").is_some() || self.attribute(id, "href").is_some()
    }

    /// Returns the text in an element; `None` if it has child elements.
    pub(super) fn content(&self, id: NodeId) -> Option<Text> {
        let slice = self.content_slice(id)?;
        Some(Text::new(
            escape::text(self.raw(slice)).into_owned(),
            slice.span(),
        ))
    }

    fn content_slice(&self, id: NodeId) -> Option<Slice> {
        let node = self.node(id);
        (node.has_text && node.first_child.is_none()).then_some(Slice {
            start: node.tag.end,
            end: node.content_end,
        })
    }

    /// Returns a property of an element, which can be an attribute or a child element.
    ///
    /// A property that contains only white space counts as missing.
    pub(super) fn property(&self, id: NodeId, name: &str) -> Option<Text> {
        let attribute = self.attribute(id, name).map(|it| self.attribute_text(it));
        let is_set = |text: &Text| !text.value.trim().is_empty();
        attribute.filter(is_set).or_else(|| {
            let mut children = self.children(id).filter(|&child| self.holds(child, name));
            children.find_map(|child| self.content(child).filter(is_set))
        })
    }

    /// Returns `true` if a child element contains this property of its parent, such as `name` or
    /// `UML:ModelElement.name`.
    fn holds(&self, child: NodeId, name: &str) -> bool {
        let rest = self.role(child).strip_suffix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// Returns the start of the name, for messages.
    ///
    /// It doesn't read the whole name, because many elements can refer to an element with a long
    /// name.
    pub(super) fn short_name(&self, id: NodeId) -> String {
        let child = || {
            let mut children = self.children(id).filter(|&child| self.holds(child, "name"));
            children.find_map(|child| self.content_slice(child))
        };
        let Some(slice) = self.attribute(id, "name").or_else(child) else {
            return String::new();
        };
        let raw = self.raw(slice);
        let end = raw.floor_char_boundary(8 * path::NAME_MAX);
        let name = escape::text(&raw[..end]);
        let decoded = self.is_uri_encoded.then(|| escape::uri(&name)).flatten();
        let name = decoded.map_or(name, Cow::Owned);
        path::shorten(name.trim()).into_owned()
    }

    /// Returns whether a property is `true`; `None` if it is missing.
    pub(super) fn flag(&self, id: NodeId, name: &str) -> Option<bool> {
        let value = self.property(id, name)?;
        Some(matches!(value.value.trim(), "true" | "1"))
    }

    /// Returns the `name` without white space around it; empty if there is none.
    pub(super) fn name(&self, id: NodeId) -> Text {
        let absent = || Text::new(String::new(), self.span(id));
        let name = self.property(id, "name");
        name.map_or_else(absent, |name| name.trimmed(self.source))
    }
}

#[derive(Debug)]
pub(super) struct Children<'t, 's> {
    tree: &'t Tree<'s>,
    next: Option<NodeId>,
}

impl Iterator for Children<'_, '_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.tree.node(id).next_sibling;
        Some(id)
    }
}
