//! Tags of a stereotype, and the source of its price.

/// Source of the price of an element that has neither `cost` nor `time`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pricing {
    /// No source: a price is required.
    Required,
    /// The machine.
    Machine,
    /// The content, whose elements are priced, or the elements waited for; a price is an error.
    Content,
    /// Content prices a node that has content, whose own price is then an error; other nodes need
    /// no price.
    Optional,
}

/// A tag of a stereotype, whose value is an expression. Tags that every stereotype has are not
/// listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tag {
    /// Name in the profile.
    pub name: &'static str,
    /// Type of the value.
    pub ty: ValueType,
    /// Condition under which an element must have the tag.
    pub required: Required,
}

/// Type of a tag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueType {
    /// An integer.
    Int,
    /// A real number.
    Real,
    /// A truth value.
    Bool,
    /// An integer or a real number, depending on the expression.
    Number,
}

/// Condition under which an element must have a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Required {
    /// Always.
    Always,
    /// Required if the machine prices the element; with its own price, it is 0 if left out.
    Unpriced,
    /// Required if the element has a tag of this name.
    With(&'static str),
    /// Never.
    Never,
}
