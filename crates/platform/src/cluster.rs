//! Defines what topologies of identical nodes have in common.

/// The bandwidth and latency of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSpeed {
    pub bytes_per_s: f64,
    pub latency_s: f64,
}

/// Which links a cable consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplex {
    /// A link for each direction, like `SimGrid`'s SPLITDUPLEX.
    Split,
    /// A single link for both directions.
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

/// Identical nodes, and the links that connect them in a topology.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub name: String,
    /// Number of cores per node.
    pub cores: u32,
    /// Speed of each core, in flop/s; 0 if unknown.
    pub speed: f64,
    /// Bandwidth and latency of the cables between nodes and switches.
    pub cable: LinkSpeed,
    pub duplex: Duplex,
    /// A link from each node to itself, which limits each flow separately; `None` for no such link.
    pub loopback: Option<LinkSpeed>,
    /// Bandwidth for all flows through a node, both directions together, in bytes/s; `None` for no
    /// limit. It also limits each switch of a fat tree and each router of a dragonfly.
    pub limiter: Option<f64>,
    /// The fraction of each cable's bandwidth that other traffic uses.
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

/// The first loopback link of nodes, and the first limiter link of nodes and switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    pub(crate) loopback: Option<u32>,
    pub(crate) limiter: Option<u32>,
}

impl Extras {
    pub(crate) fn loopback(self, node: u32) -> Option<u32> {
        self.loopback.map(|it| it + node)
    }

    /// Returns the limiter of a node or switch. Switches are numbered after nodes.
    pub(crate) fn limiter(self, node: u32) -> Option<u32> {
        self.limiter.map(|it| it + node)
    }
}
