//! Changes of a machine over time.

/// Change of a link or host, once or again and again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    pub at_s: f64,
    /// Period with which it comes again; without one, it comes once.
    pub repeat_s: Option<f64>,
    pub target: Target,
    pub quantity: Quantity,
}

/// Part of a machine that changes, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Link(u32),
    Host(u32),
}

/// New value of the changed part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quantity {
    /// Bandwidth of a link, in bytes/s.
    Bandwidth(f64),
    /// Latency of a link, in seconds.
    Latency(f64),
    /// Fraction of a link's bandwidth that others take.
    Background(f64),
    /// Fraction of a host's speed that is left.
    Speed(f64),
}
