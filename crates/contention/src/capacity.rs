//! Defines link capacities.

/// Relative difference up to which two rates count as equal.
pub(crate) const SAME: f64 = 1e-12;

/// The capacity of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// Bandwidth in bytes per second, without the part that other traffic uses.
    pub bytes_per_s: f64,
    /// Whether the link limits each flow separately (FATPIPE), like a backbone where flows don't
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

    /// Creates a capacity that each flow has to itself.
    pub fn fatpipe(bytes_per_s: f64) -> Self {
        Self {
            bytes_per_s,
            is_fatpipe: true,
        }
    }

    /// Returns `true` if a flow with this rate fills the FATPIPE. The rates of all flows on it then
    /// stop growing.
    pub(crate) fn is_fatpipe_full(self, rate: f64) -> bool {
        self.is_fatpipe && rate >= self.bytes_per_s * (1.0 - SAME)
    }
}

/// Returns `bytes_per_s` unchanged.
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
