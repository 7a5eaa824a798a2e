//! How a resource tells how it stands.

/// A resource that tells how it stands.
pub trait Status {
    /// One line, without its end.
    fn status(&self) -> String;
}
