//! The memory of the nodes: how the CPUs of a domain share its bandwidth.

use std::fmt;
use std::sync::Arc;

use crate::cache::Cache;
use crate::quantity::engineering;
use crate::saturation::Saturation;

prophet_text::named_enum! {
    /// Overlap of the cost of an element with the moving of its bytes.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Overlap {
        /// The longer of both is the time: the roofline model.
        #[default]
        Full = "full",
        /// Both add up: the execution-cache-memory model, whose cost is the part that does not
        /// overlap (H. Stengel, J. Treibig, G. Hager, G. Wellein, *Quantifying Performance
        /// Bottlenecks of Stencil Computations Using the Execution-Cache-Memory Model*, ICS 2015).
        None = "none",
    }
}

/// The sockets of a node, their memory domains and caches, with the bandwidth of each.
///
/// A unit that moves bytes and computes at the same time ends when both are over (S. Williams,
/// A. Waterman, D. Patterson, *Roofline*, 2009). The units of a domain that move bytes share its
/// bandwidth evenly, by the law of [`Saturation`]: without another, each has
/// `min(core_bandwidth, bandwidth / units)`.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, Simulation, System};
///
/// const TRIAD: ActionPlus = ActionPlus::new(0, "Triad", 1);
/// let model = Model::new("Triad", &[], 1);
/// let mut system = System::new(1, 4, 4, 1);
/// // Two of the four CPUs can move 10 GB/s at the same time.
/// system.memory.bandwidth = Some(20e9);
/// system.memory.core_bandwidth = Some(10e9);
/// let run = Simulation::new(&model, system).run(async |ctx| {
///     TRIAD.execute(ctx, 0.5).moving(10_000_000_000).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Number of sockets of a node.
    pub sockets: u32,
    /// Number of memory domains of a node; `None` if each socket is one.
    pub domains: Option<u32>,
    /// Bytes of a node's memory; `None` for no limit.
    pub size: Option<u64>,
    /// Bandwidth of each domain's memory, in bytes per second; without one, moving bytes takes no
    /// time.
    pub bandwidth: Option<f64>,
    /// Bandwidth limit of one CPU, in bytes per second.
    pub core_bandwidth: Option<f64>,
    /// Law between both.
    pub saturation: Saturation,
    /// Overlap of moving with computing.
    pub overlap: Overlap,
    /// Caches, the nearest level first.
    pub caches: Arc<[Cache]>,
}

impl Default for Memory {
    /// One socket, whose bandwidth is never the limit.
    fn default() -> Self {
        Self {
            sockets: 1,
            domains: None,
            size: None,
            bandwidth: None,
            core_bandwidth: None,
            saturation: Saturation::default(),
            overlap: Overlap::default(),
            caches: Arc::default(),
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
    /// Bandwidth of a unit that moves bytes alone in its domain, in bytes per second.
    pub fn alone(&self) -> Option<f64> {
        if let Saturation::Measured(curve) = &self.saturation {
            return curve.first().copied();
        }
        match (self.bandwidth, self.core_bandwidth) {
            (Some(socket), Some(core)) => Some(socket.min(core)),
            (socket, core) => socket.or(core),
        }
    }

    /// Number of memory domains of a node.
    pub fn domains(&self) -> u32 {
        self.domains.unwrap_or(self.sockets).max(1)
    }

    /// True if moving bytes takes time somewhere.
    pub fn is_limited(&self) -> bool {
        self.alone().is_some() || !self.caches.is_empty()
    }
}
