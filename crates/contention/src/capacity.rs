//! Capacities of links.

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
