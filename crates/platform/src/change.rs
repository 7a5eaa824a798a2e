//! Defines how a machine changes over time.

/// A change to a link or host at a time, repeated if `repeat_s` is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub at_s: f64,
    /// Period of repetition in seconds; `None` for a single change.
    pub repeat_s: Option<f64>,
    pub target: Target,
    pub quantity: Quantity,
}

/// What changes: a link or host, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Link(u32),
    Host(u32),
}

/// What changes about it, and the new value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// Bandwidth of a link, in bytes per second.
    Bandwidth(f64),
    /// Latency of a link, in seconds.
    Latency(f64),
    /// The fraction of a link's bandwidth that other traffic uses.
    Background(f64),
    /// The fraction of a host's speed that remains.
    Speed(f64),
}
