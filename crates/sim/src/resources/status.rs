//! The state of a resource, in words.

/// A resource that says how it stands.
pub trait Status {
    /// One line, without its end.
    fn status(&self) -> String;
}
