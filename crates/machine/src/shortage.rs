//! Memory of a node that is too small.

use std::fmt;

/// A node whose memory does not hold the working sets of its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// Number of the node.
    pub node: u32,
    /// Number of its processes.
    pub processes: u32,
    /// Bytes of a process's working set.
    pub bytes: u64,
    /// Bytes of the node's memory.
    pub size: u64,
}

impl Shortage {
    /// Advice on the change to make.
    pub const HELP: &str = "place fewer processes there with --nodes, --processes or --mapping";

    /// Bytes of the working sets of all processes.
    pub fn needed(&self) -> u128 {
        u128::from(self.bytes) * u128::from(self.processes)
    }

    /// Text about the node, without advice.
    pub fn facts(&self) -> String {
        let Self {
            node, bytes, size, ..
        } = self;
        let needed = self.needed();
        let count = prophet_text::counted(u64::from(self.processes), "process", "processes");
        format!(
            "node {node} has {size} bytes of memory, but the working sets of its {count}, {bytes} \
             bytes each, need {needed}"
        )
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.facts(), Self::HELP)
    }
}
