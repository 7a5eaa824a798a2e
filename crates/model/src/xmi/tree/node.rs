//! Represents the elements and attributes of a file as byte ranges.

use crate::source::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::xmi) struct NodeId(pub(in crate::xmi) u32);

impl NodeId {
    pub(in crate::xmi) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in the source, which must not be larger than 4 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::xmi) struct Slice {
    pub(in crate::xmi) start: u32,
    pub(in crate::xmi) end: u32,
}

impl Slice {
    pub(in crate::xmi) const fn span(self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::xmi) enum Namespace {
    /// No namespace, which is usual for roles of UML.
    None,
    /// Any version of XMI.
    Xmi,
    /// Any version of UML.
    Uml,
    /// The namespace of `xsi:type`. Old versions of EMF use it for types.
    Xsi,
    /// Another namespace, by the index of its URI.
    Other(u16),
}

/// An attribute. Namespace declarations aren't attributes.
#[derive(Debug, Clone, Copy)]
pub(in crate::xmi) struct ReadAttribute {
    pub(in crate::xmi) namespace: Namespace,
    /// Name without its prefix.
    pub(in crate::xmi) name: Slice,
    /// Raw value without quotes.
    pub(in crate::xmi) value: Slice,
}

#[derive(Debug, Clone)]
pub(in crate::xmi) struct Node {
    pub(in crate::xmi) namespace: Namespace,
    /// Whether the element is in `xmi:Extension`, `eAnnotations` or the like, so that it isn't part
    /// of the model.
    pub(in crate::xmi) is_extension: bool,
    /// Whether the element contains text, possibly in addition to elements.
    pub(in crate::xmi) has_text: bool,
    pub(in crate::xmi) tag: Slice,
    pub(in crate::xmi) name: Slice,
    pub(in crate::xmi) local_start: u32,
    /// UML type without its prefix; empty if the element has no type.
    pub(in crate::xmi) kind: Slice,
    /// Start of the end tag. Without an end tag, this is the end of the start tag.
    pub(in crate::xmi) content_end: u32,
    pub(in crate::xmi) parent: Option<NodeId>,
    pub(in crate::xmi) first_child: Option<NodeId>,
    pub(in crate::xmi) next_sibling: Option<NodeId>,
    /// Attributes of the element, as a range in [`Tree::attributes`](super::Tree::attributes).
    pub(in crate::xmi) attributes: Slice,
}
