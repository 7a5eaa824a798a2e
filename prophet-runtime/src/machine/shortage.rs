//! Nodes whose memory is too small.

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

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            node,
            processes,
            bytes,
            size,
        } = *self;
        let needed = u128::from(bytes) * u128::from(processes);
        let count = prophet_text::counted(u64::from(processes), "process", "processes");
        write!(
            f,
            "node {node} has {size} bytes of memory, but the working sets of {count} there, of \
             {bytes} bytes each, need {needed}: place fewer by --nodes, --processes or --mapping"
        )
    }
}
