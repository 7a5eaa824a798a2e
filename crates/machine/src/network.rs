//! Models networks and computes the costs of messages on them.
//!
//! The formulas are pure functions of absolute times, so that all engines compute the same costs.

use std::fmt;

use crate::quantity::engineering;

/// The model of a network, which determines the time of messages that have no cost of their own.
///
/// Its text form is the value of `--network`:
///
/// ```
/// use prophet_runtime::Network;
///
/// let network: Network = "hockney:latency=1us,bandwidth=1.25GB/s".parse()?;
/// assert_eq!(network, Network::Hockney { latency_s: 1e-6, bytes_per_s: 1.25e9 });
/// assert_eq!(network.to_string(), "hockney:latency=1us,bandwidth=1.25GB/s");
///
/// let error = "loggp:L=2us,o=1us,g=0".parse::<Network>().unwrap_err();
/// assert_eq!(error.to_string(), "`loggp` needs `G=`: the gap per byte, such as `G=1ns`");
/// # Ok::<(), prophet_runtime::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Network {
    /// Hockney's model: a latency and a bandwidth. Senders and receivers spend no time on a
    /// message.
    Hockney {
        /// Time of an empty message, in seconds.
        latency_s: f64,
        /// Bandwidth, in bytes per second.
        bytes_per_s: f64,
    },
    /// `LogGP` by Alexandrov, Ionescu, Schauser and Scheiman; all values are in seconds.
    LogGp {
        /// L: the latency of the wire.
        l_s: f64,
        /// o: how long a message occupies its sender, and also its receiver.
        o_s: f64,
        /// g: the shortest time between two messages at a network interface.
        g_s: f64,
        /// G: the time for each byte after the first.
        gap_per_byte_s: f64,
    },
}

/// When a rank's network interface is free again, in simulated seconds.
///
/// Messages within a node and between nodes use the same interface.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NicClocks {
    /// When the next message can be sent.
    pub send_free_s: f64,
    /// When the next message can be received.
    pub recv_free_s: f64,
}

/// The times of a sent message, in simulated seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sent {
    /// When the sender continues.
    pub sender_free_s: f64,
    /// When the receiver learns of the message, whatever its size. A receive from any source
    /// chooses the message with the earliest such time.
    pub envelope_s: f64,
    pub arrival_s: f64,
}

impl Network {
    /// The default network between nodes: a latency of 1 us and a bandwidth of 10 GB/s.
    pub const DEFAULT: Self = Self::Hockney {
        latency_s: 1e-6,
        bytes_per_s: 10e9,
    };
    /// The default network within a node: a latency of 0.3 us and a bandwidth of 20 GB/s.
    pub const DEFAULT_INTRANODE: Self = Self::Hockney {
        latency_s: 0.3e-6,
        bytes_per_s: 20e9,
    };

    /// Computes the times of a message of `bytes` bytes that is sent at `now_s`, and updates the
    /// sender's network interface.
    ///
    /// ```
    /// use prophet_runtime::{Network, NicClocks};
    ///
    /// let network = Network::LogGp { l_s: 2e-6, o_s: 1e-6, g_s: 0.0, gap_per_byte_s: 1e-9 };
    /// let sent = network.send(0.0, 8, &mut NicClocks::default());
    /// assert_eq!(sent.sender_free_s, 1e-6);
    /// assert_eq!(sent.arrival_s, 1e-6 + 2e-6 + 7.0 * 1e-9);
    /// ```
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub fn send(&self, now_s: f64, bytes: u64, nic: &mut NicClocks) -> Sent {
        match *self {
            Self::Hockney {
                latency_s,
                bytes_per_s,
            } => Sent {
                sender_free_s: now_s,
                envelope_s: now_s + latency_s,
                arrival_s: now_s + latency_s + real(bytes) / bytes_per_s,
            },
            Self::LogGp {
                l_s,
                o_s,
                g_s,
                gap_per_byte_s,
            } => {
                let start_s = later(now_s, nic.send_free_s);
                let body_s = real(bytes.saturating_sub(1)) * gap_per_byte_s;
                nic.send_free_s = start_s + g_s + body_s;
                Sent {
                    sender_free_s: start_s + o_s,
                    envelope_s: start_s + o_s + l_s,
                    arrival_s: start_s + o_s + l_s + body_s,
                }
            }
        }
    }

    /// Returns `true` if a message takes time at its receiver or on a network interface.
    #[inline]
    pub const fn charges_ends(&self) -> bool {
        matches!(self, Self::LogGp { .. })
    }

    /// Computes when a receive that starts at `now_s` ends, and updates the receiver's network
    /// interface. The message has `bytes` bytes and arrives at `arrival_s`.
    ///
    /// Call this for a rank's receives in program order.
    ///
    /// ```
    /// use prophet_runtime::{Network, NicClocks};
    ///
    /// let end_s = Network::DEFAULT.receive(5.0, 3.0, 8, &mut NicClocks::default());
    /// assert_eq!(end_s, 5.0);
    /// ```
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub fn receive(&self, now_s: f64, arrival_s: f64, bytes: u64, nic: &mut NicClocks) -> f64 {
        let ready_s = later(now_s, arrival_s);
        match *self {
            Self::Hockney { .. } => ready_s,
            Self::LogGp {
                o_s,
                g_s,
                gap_per_byte_s,
                ..
            } => {
                let start_s = later(ready_s, nic.recv_free_s);
                nic.recv_free_s = start_s + g_s + real(bytes.saturating_sub(1)) * gap_per_byte_s;
                start_s + o_s
            }
        }
    }
}

/// Returns the later of two times. This takes a single instruction; `f64::max` takes several
/// because it handles NaN.
#[inline]
pub const fn later(a_s: f64, b_s: f64) -> f64 {
    if a_s > b_s { a_s } else { b_s }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sizes above 2^53 bytes are rounded"
)]
#[inline]
const fn real(bytes: u64) -> f64 {
    bytes as f64
}

impl Default for Network {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hockney {
                latency_s,
                bytes_per_s,
            } => write!(
                f,
                "hockney:latency={},bandwidth={}",
                engineering(latency_s, "s"),
                engineering(bytes_per_s, "B/s")
            ),
            Self::LogGp {
                l_s,
                o_s,
                g_s,
                gap_per_byte_s,
            } => write!(
                f,
                "loggp:L={},o={},g={},G={}",
                engineering(l_s, "s"),
                engineering(o_s, "s"),
                engineering(g_s, "s"),
                engineering(gap_per_byte_s, "s")
            ),
        }
    }
}

#[cfg(test)]
mod tests;
