//! Defines link capacities.

/// Relative difference below which two rates count as equal.
pub(crate) const SAME: f64 = 1e-12;

/// The capacity of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// The bandwidth in bytes per second, without the part that other traffic takes.
    pub bytes_per_s: f64,
    /// Whether the link limits each flow separately (FATPIPE), like a backbone on which flows don't
    /// slow each other down.
    pub is_fatpipe: bool,
}

impl Capacity {
    /// Creates a capacity that all flows share.
    pub fn shared(bytes_per_s: f64) -> Self {
        Self {
            bytes_per_s,
            is_fatpipe: false,
        }
    }

    /// Creates a capacity that is available to each flow separately.
    pub fn fatpipe(bytes_per_s: f64) -> Self {
        Self {
            bytes_per_s,
            is_fatpipe: true,
        }
    }

    /// Returns `true` if a single flow with this rate fills the FATPIPE, which then stops all its
    /// flows.
    pub(crate) fn is_fatpipe_full(self, rate: f64) -> bool {
        self.is_fatpipe && rate >= self.bytes_per_s * (1.0 - SAME)
    }
}

/// Returns `bytes_per_s`.
///
/// # Panics
///
/// Panics if `bytes_per_s` is negative or NaN.
pub(crate) fn checked(bytes_per_s: f64) -> f64 {
    assert!(
        bytes_per_s >= 0.0,
        "invalid capacity: {bytes_per_s} bytes per second"
    );
    bytes_per_s
}
