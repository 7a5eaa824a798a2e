//! The memory of the nodes: how the CPUs of a socket share its bandwidth.

use std::fmt;

use crate::language::quantity::engineering;

/// The sockets of a node and the bandwidth of their memory.
///
/// A unit that moves bytes and computes at the same time ends when both are over (S. Williams,
/// A. Waterman, D. Patterson, *Roofline*, 2009). The units of a socket that move bytes share its
/// bandwidth max-min: as all have the same limit, each has
/// `min(core_bandwidth, bandwidth / units)`.
///
/// ```
/// use prophet_runtime::{ActionPlus, Memory, Model, Simulation, System};
///
/// const TRIAD: ActionPlus = ActionPlus::new(0, "Triad", 1);
/// let model = Model::new("Triad", &[], 1);
/// let mut system = System::new(1, 4, 4, 1);
/// // Two of the four CPUs can move 10 GB/s at once.
/// system.memory = Memory { sockets: 1, bandwidth: Some(20e9), core_bandwidth: Some(10e9) };
/// let run = Simulation::new(&model, system).run(async |ctx| {
///     TRIAD.execute(ctx, 0.5).moving(10_000_000_000).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Number of sockets of a node; its units are placed on them by blocks.
    pub sockets: u32,
    /// Bandwidth of each socket's memory, in bytes per second; without one, moving bytes takes no
    /// time.
    pub bandwidth: Option<f64>,
    /// Bandwidth limit of one CPU, in bytes per second.
    pub core_bandwidth: Option<f64>,
}

impl Default for Memory {
    /// One socket, whose bandwidth is never the limit.
    fn default() -> Self {
        Self {
            sockets: 1,
            bandwidth: None,
            core_bandwidth: None,
        }
    }
}

impl fmt::Display for Memory {
    /// Writes the memory as flags.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--sockets {}", self.sockets)?;
        if let Some(bandwidth) = self.bandwidth {
            write!(f, " --memory-bandwidth {}", engineering(bandwidth, "B/s"))?;
        }
        if let Some(bandwidth) = self.core_bandwidth {
            let bandwidth = engineering(bandwidth, "B/s");
            write!(f, " --core-bandwidth {bandwidth}")?;
        }
        Ok(())
    }
}

impl Memory {
    /// Bandwidth of a unit that moves bytes alone on its socket, in bytes per second.
    pub(crate) fn alone(&self) -> Option<f64> {
        match (self.bandwidth, self.core_bandwidth) {
            (Some(socket), Some(core)) => Some(socket.min(core)),
            (socket, core) => socket.or(core),
        }
    }

    /// Number of units of a socket that can move bytes without slowing each other down.
    pub(crate) fn undisturbed(&self) -> f64 {
        match (self.bandwidth, self.alone()) {
            (Some(socket), Some(alone)) => socket / alone,
            _ => f64::INFINITY,
        }
    }
}
