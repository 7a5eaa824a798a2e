//! Describes a stereotype's tags and how its cost is determined.

/// How the cost of an element is determined if it has neither `cost` nor `time`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pricing {
    /// Nothing does: the element needs its own cost.
    Required,
    /// The machine does.
    Machine,
    /// The element's content does, or the elements that it waits for; a cost of its own is an
    /// error.
    Content,
    /// The content does, if the node has any; a cost of its own is then an error. Other nodes need
    /// no cost.
    Optional,
}

/// A stereotype's tag whose value is an expression. Tags that every stereotype has are not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    /// Name in the profile.
    pub name: &'static str,
    /// Type of the tag's value.
    pub ty: ValueType,
    /// When an element must have the tag.
    pub required: Required,
}

/// Type of a tag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueType {
    Int,
    Real,
    Bool,
    /// An integer or a real number, depending on the expression.
    Number,
}

/// When an element must have a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Required {
    Always,
    /// If the machine determines the element's cost; for an element with its own cost, the default
    /// is 0.
    Unpriced,
    /// If the element also has the tag with this name.
    With(&'static str),
    Never,
}
