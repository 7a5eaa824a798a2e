//! Common parts of all topologies of equal nodes.

use crate::builder::Builder;
use crate::platform::{Host, Link, Sharing};
use crate::refusal::Refusal;

/// Bandwidth and latency of a kind of link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    pub bytes_per_s: f64,
    pub latency_s: f64,
}

/// Ways of a cable.
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
    pub cable: Wire,
    pub duplex: Duplex,
    /// Link of each node to itself, for each flow alone.
    pub loopback: Option<Wire>,
    /// Bandwidth, in bytes/s, that all flows through a node share, whichever way they go; switches
    /// of a fat tree and routers of a dragonfly have it, too.
    pub limiter: Option<f64>,
    /// Fraction of every cable that others take.
    pub background: f64,
}

impl Cluster {
    /// Cluster of nodes with one core, whose cables have two ways.
    pub fn new(name: &str, cable: Wire) -> Self {
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

/// Cluster inside a platform under construction: its zone, and the names of its nodes.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) zone: u32,
    /// Begin of the names of switches and of links that are no node's.
    pub(crate) prefix: &'a str,
    pub(crate) names: Vec<String>,
}

/// Names of nodes that have no other: `node0` and so on.
pub(crate) fn node_names(number: u32) -> Vec<String> {
    (0..number).map(|it| format!("node{it}")).collect()
}

/// First links of a kind that all nodes have, or the switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    loopback: Option<u32>,
    limiter: Option<u32>,
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

impl Site<'_> {
    /// Number of links that [`Site::extras`] adds.
    pub(crate) fn extra_links(&self, switches: u128) -> u128 {
        let nodes = self.names.len() as u128;
        let loopbacks = if self.cluster.loopback.is_some() {
            nodes
        } else {
            0
        };
        let limiters = if self.cluster.limiter.is_some() {
            nodes.saturating_add(switches)
        } else {
            0
        };
        loopbacks.saturating_add(limiters)
    }

    /// Adds the hosts.
    pub(crate) fn hosts(&self, builder: &mut Builder) -> Result<(), Refusal> {
        for name in &self.names {
            let host = Host {
                name: name.clone(),
                cores: self.cluster.cores,
                speed: self.cluster.speed,
            };
            builder.host(self.zone, host)?;
        }
        Ok(())
    }

    /// Adds loopbacks and limiters of the nodes, and limiters of the switches of these names.
    pub(crate) fn extras(
        &self,
        builder: &mut Builder,
        switches: impl Iterator<Item = String>,
    ) -> Result<Extras, Refusal> {
        let next = |builder: &Builder| crate::builder::index(builder.platform.links.len());
        let mut extras = Extras::default();
        if let Some(wire) = self.cluster.loopback {
            extras.loopback = Some(next(builder));
            for name in &self.names {
                let name = format!("{name}.loopback");
                builder.link(plain(name, wire, Sharing::Fatpipe))?;
            }
        }
        if let Some(bytes_per_s) = self.cluster.limiter {
            extras.limiter = Some(next(builder));
            let wire = Wire {
                bytes_per_s,
                latency_s: 0.0,
            };
            for name in self.names.iter().cloned().chain(switches) {
                let name = format!("{name}.limiter");
                builder.link(plain(name, wire, Sharing::Shared))?;
            }
        }
        Ok(extras)
    }

    /// Adds a cable of `wires` parallel wires: one link if both ways share it, else a link for each
    /// way.
    ///
    /// Returns the link there; the link back is the next one, or the same.
    pub(crate) fn cable(
        &self,
        builder: &mut Builder,
        (there, back): (String, String),
        wires: u32,
    ) -> Result<u32, Refusal> {
        let link = |name| Link {
            name,
            bytes_per_s: self.cluster.cable.bytes_per_s * f64::from(wires),
            latency_s: self.cluster.cable.latency_s,
            sharing: Sharing::Shared,
            background: self.cluster.background,
        };
        let at = builder.link(link(there))?;
        if self.cluster.duplex == Duplex::Split {
            builder.link(link(back))?;
        }
        Ok(at)
    }
}

/// Link without background.
pub(crate) fn plain(name: String, wire: Wire, sharing: Sharing) -> Link {
    Link {
        name,
        bytes_per_s: wire.bytes_per_s,
        latency_s: wire.latency_s,
        sharing,
        background: 0.0,
    }
}
