//! Describes the power of a machine's parts.

use std::fmt;

use crate::quantity::engineering;

/// A node's power, in watts. It grows linearly with the number of busy CPUs, from one CPU to all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePower {
    /// Power when no CPU is busy.
    pub idle_w: f64,
    /// Power when one CPU is busy; if it is `None`, the power grows linearly from no CPU to all.
    pub one_cpu_w: Option<f64>,
    /// Power when all CPUs are busy.
    pub all_cpus_w: f64,
}

/// A node's power, in watts: `idle_w` when no CPU is busy, otherwise `awake_w` plus `cpu_w` for
/// each busy CPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    pub idle_w: f64,
    pub awake_w: f64,
    pub cpu_w: f64,
}

impl Law {
    /// Returns `true` if the first busy CPU adds extra power because it wakes the node.
    pub fn wakes(&self) -> bool {
        self.awake_w.to_bits() != self.idle_w.to_bits()
    }
}

impl NodePower {
    /// Returns the law for a node with `cpus` CPUs.
    pub fn law(&self, cpus: u32) -> Law {
        let (idle_w, all_w) = (self.idle_w, self.all_cpus_w);
        let (awake_w, cpu_w) = match self.one_cpu_w {
            Some(one_w) if cpus > 1 => {
                let cpu_w = (all_w - one_w) / f64::from(cpus - 1);
                (one_w - cpu_w, cpu_w)
            }
            _ => (idle_w, (all_w - idle_w) / f64::from(cpus.max(1))),
        };
        Law {
            idle_w,
            awake_w,
            cpu_w,
        }
    }

    /// Returns the first key with an invalid value, and the rule that it violates; `None` if all
    /// values are valid.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        let watts = |power: f64| engineering(power, "W");
        let (idle, all) = (watts(self.idle_w), watts(self.all_cpus_w));
        if let Some(one_w) = self.one_cpu_w {
            let one = watts(one_w);
            if one_w < self.idle_w {
                let why = format!("{one} with one CPU at work is below the idle power of {idle}");
                return Some(("one-cpu", why));
            }
            if self.all_cpus_w < one_w {
                let why =
                    format!("{all} with all CPUs at work is below {one} with one CPU at work");
                return Some(("all-cpus", why));
            }
        }
        (self.all_cpus_w < self.idle_w).then(|| {
            let why = format!("{all} with all CPUs at work is below the idle power of {idle}");
            ("all-cpus", why)
        })
    }
}

impl fmt::Display for NodePower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "idle {}", engineering(self.idle_w, "W"))?;
        if let Some(one_w) = self.one_cpu_w {
            write!(f, ", one CPU {}", engineering(one_w, "W"))?;
        }
        write!(f, ", all CPUs {}", engineering(self.all_cpus_w, "W"))
    }
}

/// The power of a machine's nodes, and the energy of moving a byte.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// Power of a node whose group doesn't specify one.
    pub node: NodePower,
    /// The energy per byte that an `action+` moves in memory, in joules.
    pub memory_byte_j: f64,
    /// Power of a node's network interfaces, in watts.
    pub network_idle_w: f64,
    /// The energy per byte of a message between nodes, for sender and receiver together, in joules.
    pub network_byte_j: f64,
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.node)?;
        for (what, value, unit) in [
            ("memory", self.memory_byte_j, "J/B"),
            ("network idle", self.network_idle_w, "W"),
            ("network", self.network_byte_j, "J/B"),
        ] {
            if value > 0.0 {
                write!(f, ", {what} {}", engineering(value, unit))?;
            }
        }
        Ok(())
    }
}
