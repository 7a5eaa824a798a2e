//! The state of a resource as text.

/// A resource that describes its state as text.
pub trait Status {
    /// One line, without its end.
    fn status(&self) -> String;
}
