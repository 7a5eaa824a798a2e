//! Describes a stereotype's tags, and what determines its cost.

/// What determines the cost of an element without a `cost` or `time` tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pricing {
    /// Nothing does, so the element needs one of these tags.
    Required,
    /// The machine.
    Machine,
    /// The element's content, or the elements that it waits for. A cost in the model is an error.
    Content,
    /// The content, if the node has any; a cost in the model is then an error. Nodes without
    /// content need no cost.
    Optional,
}

/// A tag with an expression as its value. Tags that all stereotypes share aren't included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    pub name: &'static str,
    /// Type of the value.
    pub ty: ValueType,
    /// Whether an element must have the tag.
    pub required: Required,
}

/// Type of a tag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueType {
    Int,
    Real,
    Bool,
    /// An integer or a real, depending on the expression.
    Number,
}

/// Whether an element must have a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Required {
    Always,
    /// Required if the machine determines the element's cost. If the model contains the cost, the
    /// default is 0.
    Unpriced,
    /// Required if the element has the tag with this name.
    With(&'static str),
    Never,
}
