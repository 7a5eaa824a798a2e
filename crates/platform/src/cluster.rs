//! Common parts of all topologies of equal nodes.

/// Bandwidth and latency of a kind of link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSpeed {
    pub bytes_per_s: f64,
    pub latency_s: f64,
}

/// Links that a cable consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplex {
    /// Two links, one each way: `SimGrid`'s SPLITDUPLEX.
    Split,
    /// One link, which both ways share.
    Half,
}

impl Duplex {
    /// Number of links of a cable.
    pub(crate) fn ways(self) -> u32 {
        match self {
            Duplex::Split => 2,
            Duplex::Half => 1,
        }
    }
}

/// Equal nodes, and the links of the topology that joins them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub name: String,
    /// Cores of each node.
    pub cores: u32,
    /// Speed of each core, in flop/s; 0 if it is unknown.
    pub speed: f64,
    /// Cables between nodes and switches.
    pub cable: LinkSpeed,
    pub duplex: Duplex,
    /// Link of each node to itself, for each flow alone.
    pub loopback: Option<LinkSpeed>,
    /// Bandwidth, in bytes/s, that all flows through a node share, whichever way they go; switches
    /// of a fat tree and routers of a dragonfly have it, too.
    pub limiter: Option<f64>,
    /// Fraction of every cable that others take.
    pub background: f64,
}

impl Cluster {
    /// Cluster of nodes with one core, whose cables have two ways.
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

/// First links of a kind that all nodes have, or the switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    pub(crate) loopback: Option<u32>,
    pub(crate) limiter: Option<u32>,
}

impl Extras {
    pub(crate) fn loopback(self, node: u32) -> Option<u32> {
        self.loopback.map(|it| it + node)
    }

    /// Limiter of a node, or of a switch, which are counted after the nodes.
    pub(crate) fn limiter(self, node: u32) -> Option<u32> {
        self.limiter.map(|it| it + node)
    }
}
