//! Adds clusters to a platform while it is built: hosts, cables, loopbacks and limiters.

use prophet_text::Problem;

use crate::builder::Builder;
use crate::cluster::{Cluster, Duplex, Extras, LinkSpeed};
use crate::platform::{Host, Link, Sharing};

/// A cluster to add, with its zone and the names of its nodes.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) zone: u32,
    /// Prefix for the names of switches, and of links that don't belong to a node.
    pub(crate) prefix: &'a str,
    pub(crate) names: Vec<String>,
}

impl Site<'_> {
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

    pub(crate) fn hosts(&self, builder: &mut Builder) -> Result<(), Problem> {
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

    /// Adds the loopbacks and limiters of nodes, and the limiters of switches with these names.
    pub(crate) fn extras(
        &self,
        builder: &mut Builder,
        switches: impl Iterator<Item = String>,
    ) -> Result<Extras, Problem> {
        let mut extras = Extras::default();
        if let Some(wire) = self.cluster.loopback {
            extras.loopback = Some(builder.next_link());
            for name in &self.names {
                let name = format!("{name}.loopback");
                builder.link(plain(name, wire, Sharing::Fatpipe))?;
            }
        }
        if let Some(bytes_per_s) = self.cluster.limiter {
            extras.limiter = Some(builder.next_link());
            let wire = LinkSpeed {
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

    /// Adds a cable of `wires` parallel wires: a link for each direction, or a single link if both
    /// directions share it.
    ///
    /// Returns the link in the first direction. The link back is the next one or, if it is shared,
    /// the same one.
    pub(crate) fn cable(
        &self,
        builder: &mut Builder,
        (there, back): (String, String),
        wires: u32,
    ) -> Result<u32, Problem> {
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

/// Creates a link without other traffic.
pub(crate) fn plain(name: String, wire: LinkSpeed, sharing: Sharing) -> Link {
    Link {
        name,
        bytes_per_s: wire.bytes_per_s,
        latency_s: wire.latency_s,
        sharing,
        background: 0.0,
    }
}
