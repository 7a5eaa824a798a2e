//! Defines when messages wait for their receives, and who owns the network interfaces.

/// Decides which messages wait for their receives, and which interface a message uses.
///
/// By default, messages are sent immediately, and each rank has its own network interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protocol {
    /// The size of the largest message between nodes that doesn't wait for its receive to be
    /// posted, in bytes. Larger messages use rendezvous.
    pub eager_bytes: u64,
    /// The size of the largest message within a node that doesn't wait for its receive to be
    /// posted, in bytes.
    pub intranode_eager_bytes: u64,
    /// Who owns the interfaces for messages between nodes.
    pub nic: Nic,
    /// Number of interfaces per node, if the ranks of a node share them.
    pub nics: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nic {
    /// Each rank has its own.
    #[default]
    Rank,
    /// The ranks of a node share its interfaces, first come, first served: on both nodes, a message
    /// between nodes a and b uses interface (a + b) modulo the number of interfaces.
    Node,
    /// The ranks of a node share its interfaces: at each end, a message uses the interface nearest
    /// to the rank.
    Affinity,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            eager_bytes: u64::MAX,
            intranode_eager_bytes: u64::MAX,
            nic: Nic::Rank,
            nics: 1,
        }
    }
}

impl Protocol {
    /// Returns the size up to which messages never wait for their receives, within a node or
    /// between nodes, in bytes.
    #[inline]
    pub fn eager_bytes_min(&self) -> u64 {
        self.eager_bytes.min(self.intranode_eager_bytes)
    }
}
