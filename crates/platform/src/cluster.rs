//! Defines what all topologies of identical nodes have in common.

/// The bandwidth and latency of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSpeed {
    pub bytes_per_s: f64,
    pub latency_s: f64,
}

/// Which links a cable consists of.
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

/// Identical nodes, and the properties of the links that connect them in a topology.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    pub name: String,
    /// Number of cores per node.
    pub cores: u32,
    /// The speed of a core, in flop/s; 0 if it is unknown.
    pub speed: f64,
    /// The bandwidth and latency of the cables that connect nodes and switches.
    pub cable: LinkSpeed,
    pub duplex: Duplex,
    /// The link from each node to itself, which limits each flow separately; `None` for no such
    /// link.
    pub loopback: Option<LinkSpeed>,
    /// The bandwidth, in bytes/s, that all flows through a node share in both directions together;
    /// `None` for no limit. It limits the switches of a fat tree and the routers of a dragonfly in
    /// the same way.
    pub limiter: Option<f64>,
    /// The fraction of each cable's bandwidth that other traffic takes.
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
