//! Reports that a node's memory is too small.

use std::fmt;

/// A node that doesn't have enough memory for its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    pub node: u32,
    pub processes: u32,
    /// Memory that each process needs, in bytes.
    pub bytes: u64,
    /// Size of the node's memory, in bytes.
    pub size: u64,
}

impl Shortage {
    pub const HELP: &str = "place fewer processes there with --nodes, --processes or --mapping";

    /// Returns the memory that the node's processes need together, in bytes.
    pub fn needed(&self) -> u128 {
        u128::from(self.bytes) * u128::from(self.processes)
    }

    /// Describes the shortage in a message, without advice.
    pub fn facts(&self) -> String {
        let Self {
            node, bytes, size, ..
        } = self;
        let needed = self.needed();
        let count = prophet_text::counted(u64::from(self.processes), "process", "processes");
        format!(
            "node {node} has {size} bytes of memory, but the working sets of its {count} need \
             {needed} ({bytes} bytes each)"
        )
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.facts(), Self::HELP)
    }
}
