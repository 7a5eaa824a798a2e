//! How a resource tells how it stands.

/// A resource that tells how it stands.
pub trait Status {
    /// One line at a simulated time, in seconds, without its end.
    fn status(&self, now_s: f64) -> String;
}
