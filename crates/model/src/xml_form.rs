//! Names the parts of our own XML format, for its writers and its reader.

/// The format's namespace; its last part is the version.
pub const NAMESPACE: &str = "http:///schemas/prophet/model/1";

/// The outermost element.
pub const ROOT: &str = "model";

/// Returns the attribute for a tag; `name` itself is taken by the element's name.
pub fn attribute_of(tag: &str) -> &str {
    if tag == "name" { "lock" } else { tag }
}
