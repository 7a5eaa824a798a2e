//! Describes the memory of nodes, and how the CPUs of a domain share its bandwidth.

use std::fmt;
use std::sync::Arc;

use crate::cache::Cache;
use crate::quantity::engineering;
use crate::saturation::Saturation;

prophet_text::named_enum! {
    /// Whether an element's computing (its cost) overlaps with moving its bytes.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Overlap {
        /// The total time is the longer of the two times, as in the roofline model.
        #[default]
        Full = "full",
        /// The total time is the sum of the two times, as in the execution-cache-memory model, in
        /// which the cost is the part that doesn't overlap (H. Stengel, J. Treibig, G. Hager, G.
        /// Wellein, *Quantifying Performance Bottlenecks of Stencil Computations Using the
        /// Execution-Cache-Memory Model*, ICS 2015).
        None = "none",
    }
}

/// The sockets of a node, with their memory domains, caches and bandwidths.
///
/// A unit that moves bytes and computes at the same time finishes when both are done (S. Williams,
/// A. Waterman, D. Patterson, *Roofline*, 2009). Units that move bytes share their domain's
/// bandwidth evenly, according to its [`Saturation`]; by default, each unit gets
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
    /// Number of sockets per node.
    pub sockets: u32,
    /// Number of memory domains per node; `None` if each socket is a domain.
    pub domains: Option<u32>,
    /// Memory size of each node, in bytes; `None` for no limit.
    pub size: Option<u64>,
    /// Memory bandwidth of each domain, in bytes per second. If it is `None` and no other limit is
    /// set, moving bytes takes no time.
    pub bandwidth: Option<f64>,
    /// Bandwidth limit of a single CPU, in bytes per second; `None` for no limit.
    pub core_bandwidth: Option<f64>,
    /// How the bandwidth of a domain grows with the number of CPUs that use it.
    pub saturation: Saturation,
    pub overlap: Overlap,
    /// Nearest level first.
    pub caches: Arc<[Cache]>,
}

impl Default for Memory {
    /// A single socket with unlimited bandwidth.
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
    /// Returns the bandwidth of a unit when no other unit in its domain moves bytes, in bytes per
    /// second; `None` for no limit.
    pub fn alone(&self) -> Option<f64> {
        if let Saturation::Measured(curve) = &self.saturation {
            return curve.first().copied();
        }
        match (self.bandwidth, self.core_bandwidth) {
            (Some(socket), Some(core)) => Some(socket.min(core)),
            (socket, core) => socket.or(core),
        }
    }

    /// Returns the number of memory domains per node, at least 1.
    pub fn domains(&self) -> u32 {
        self.domains.unwrap_or(self.sockets).max(1)
    }

    /// Returns `true` if moving bytes can take time.
    pub fn is_limited(&self) -> bool {
        self.alone().is_some() || !self.caches.is_empty()
    }
}
