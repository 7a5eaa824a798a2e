//! Defines the names of elements and attributes in our own XML format, so that its writers and its
//! reader agree.

/// Namespace of the format. Its last segment is the format's version.
pub const NAMESPACE: &str = "http:///schemas/prophet/model/1";

/// Name of the root element.
pub const ROOT: &str = "model";

/// Returns the attribute for a tag. The tag `name` has a different attribute, because `name` is the
/// name of the element.
pub fn attribute_of(tag: &str) -> &str {
    if tag == "name" { "lock" } else { tag }
}
