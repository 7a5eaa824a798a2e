//! Defines what all topologies of equal nodes have in common.

/// Bandwidth and latency of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSpeed {
    pub bytes_per_s: f64,
    pub latency_s: f64,
}

/// The links that a cable consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplex {
    /// A link for each direction, as with `SimGrid`'s SPLITDUPLEX.
    Split,
    /// A single link, shared by both directions.
    Half,
}

impl Duplex {
    pub(crate) fn ways(self) -> u32 {
        match self {
            Duplex::Split => 2,
            Duplex::Half => 1,
        }
    }
}

/// Equal nodes, and the links of the topology that connects them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub name: String,
    /// Cores per node.
    pub cores: u32,
    /// Speed of a core, in flop/s; 0 if it is unknown.
    pub speed: f64,
    /// Cables between nodes and switches.
    pub cable: LinkSpeed,
    pub duplex: Duplex,
    /// Link from each node to itself, not shared by flows.
    pub loopback: Option<LinkSpeed>,
    /// Bandwidth, in bytes/s, shared by all flows through a node in either direction. Switches of a
    /// fat tree and routers of a dragonfly are limited in the same way.
    pub limiter: Option<f64>,
    /// Fraction of every cable's bandwidth taken by other traffic.
    pub background: f64,
}

impl Cluster {
    /// Creates a cluster of single-core nodes with full-duplex cables.
    pub fn new(name: &str, cable: LinkSpeed) -> Self {
        Cluster {
            name: name.to_owned(),
            cores: 1,
            speed: 0.0,
            cable,
            duplex: Duplex::Split,
            loopback: None,
            limiter: None,
            background: 0.0,
        }
    }
}

/// The nodes' first loopback, and the first limiter of nodes and switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    pub(crate) loopback: Option<u32>,
    pub(crate) limiter: Option<u32>,
}

impl Extras {
    pub(crate) fn loopback(self, node: u32) -> Option<u32> {
        self.loopback.map(|it| it + node)
    }

    /// Returns the limiter of a node or switch; switches are numbered after nodes.
    pub(crate) fn limiter(self, node: u32) -> Option<u32> {
        self.limiter.map(|it| it + node)
    }
}
