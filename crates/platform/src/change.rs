//! Defines how a machine changes over time.

/// A change to a link or host, which can repeat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub at_s: f64,
    /// The period with which the change repeats, in seconds; `None` for a single change.
    pub repeat_s: Option<f64>,
    pub target: Target,
    pub quantity: Quantity,
}

/// The part of a machine that changes, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Link(u32),
    Host(u32),
}

/// The new value of the changed part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// A link's bandwidth, in bytes per second.
    Bandwidth(f64),
    /// A link's latency, in seconds.
    Latency(f64),
    /// The fraction of a link's bandwidth that other traffic takes.
    Background(f64),
    /// The fraction of a host's speed that remains.
    Speed(f64),
}
