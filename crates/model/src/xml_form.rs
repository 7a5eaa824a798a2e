//! Defines the names of elements and attributes in our own XML format, for its writers and its
//! reader.

/// Namespace of the format; its last part is the format's version.
pub const NAMESPACE: &str = "http:///schemas/prophet/model/1";

/// Name of the outermost element.
pub const ROOT: &str = "model";

/// Returns the attribute that holds a tag. A tag called `name` gets a different attribute, because
/// `name` is the element's own name.
pub fn attribute_of(tag: &str) -> &str {
    if tag == "name" { "lock" } else { tag }
}
