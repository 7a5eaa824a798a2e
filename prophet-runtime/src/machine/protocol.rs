//! How messages use the networks, besides what they cost there.

/// Whether messages wait for their receives, and whose the network interfaces are.
///
/// By default each message is sent at once, and each rank has a network interface of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protocol {
    /// Messages between nodes with more bytes wait until their receives are posted (rendezvous).
    pub eager_bytes: u64,
    /// The same for messages within a node.
    pub intranode_eager_bytes: u64,
    /// Whose the network interfaces are, for messages between nodes.
    pub nic: Nic,
}

/// Whose a network interface is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nic {
    /// Each rank has one.
    #[default]
    Rank,
    /// The ranks of a node share one, first come, first served.
    Node,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            eager_bytes: u64::MAX,
            intranode_eager_bytes: u64::MAX,
            nic: Nic::Rank,
        }
    }
}

impl Protocol {
    /// Messages of so many bytes never wait for their receives.
    pub(crate) fn eager_bytes_min(&self) -> u64 {
        self.eager_bytes.min(self.intranode_eager_bytes)
    }
}
