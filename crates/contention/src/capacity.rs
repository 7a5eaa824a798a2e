//! Capacities of links.

/// Relative difference below which two rates are the same.
pub(crate) const SAME: f64 = 1e-12;

/// Capacity of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// Bytes per second, net of other traffic.
    pub bytes_per_s: f64,
    /// True if the link limits each flow alone, as a backbone that is never the bottleneck of all.
    pub is_fatpipe: bool,
}

impl Capacity {
    /// Capacity that all flows share.
    pub fn shared(bytes_per_s: f64) -> Self {
        Self {
            bytes_per_s,
            is_fatpipe: false,
        }
    }

    /// Capacity that each flow has for itself.
    pub fn fatpipe(bytes_per_s: f64) -> Self {
        Self {
            bytes_per_s,
            is_fatpipe: true,
        }
    }

    /// True if one flow with this rate fills the link, which then stops all of its flows.
    pub(crate) fn is_fatpipe_full(self, rate: f64) -> bool {
        self.is_fatpipe && rate >= self.bytes_per_s * (1.0 - SAME)
    }
}

/// Checks the parameters of a link.
///
/// # Panics
///
/// If it is negative or not a number.
pub(crate) fn checked(bytes_per_s: f64) -> f64 {
    assert!(
        bytes_per_s >= 0.0,
        "a capacity of {bytes_per_s} bytes per second"
    );
    bytes_per_s
}
