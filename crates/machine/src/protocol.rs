//! Protocol of messages: their use of the networks, apart from the costs there.

/// Protocol: the sizes from which messages wait for their receives, and the owners of network
/// interfaces.
///
/// By default each message is sent immediately, and each rank has its own network interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protocol {
    /// Size of the largest message between nodes that does not wait until its receive is posted
    /// (rendezvous), in bytes.
    pub eager_bytes: u64,
    /// Size of the largest such message within a node, in bytes.
    pub intranode_eager_bytes: u64,
    /// Owners of the network interfaces, for messages between nodes.
    pub nic: Nic,
    /// Number of interfaces of a node, if its ranks share them.
    pub nics: u32,
}

/// Owner of a network interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nic {
    /// Each rank has one.
    #[default]
    Rank,
    /// The ranks of a node share some, first come, first served: messages between the nodes a and b
    /// take the interface (a + b) mod their number of both.
    Node,
    /// The ranks of a node share some, each on its side the nearest one.
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
    /// Size up to which messages never wait for their receives, in bytes.
    #[inline]
    pub fn eager_bytes_min(&self) -> u64 {
        self.eager_bytes.min(self.intranode_eager_bytes)
    }
}
