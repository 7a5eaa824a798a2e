//! Tori: each node is joined to two neighbors in each dimension; routes go dimension by dimension.

use crate::builder::{Builder, index};
use crate::cluster::{Cluster, Duplex, Extras, Site, node_names};
use crate::parameters::{numbers, product};
use crate::platform::Platform;
use crate::refusal::{Refusal, refuse};
use crate::route::Walk;
use crate::zone::{NONE, Routing};

/// Shape of a torus: nodes in each dimension; the dimension that is counted first comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torus {
    pub dimensions: Vec<u32>,
}

impl Torus {
    /// Reads `SimGrid`'s notation, such as `3,2,2`.
    ///
    /// # Errors
    ///
    /// The text says no torus.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let torus = Torus {
            dimensions: numbers(text)?,
        };
        torus.check()?;
        Ok(torus)
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.dimensions.is_empty() || self.dimensions.contains(&0) {
            refuse!("a torus has at least one dimension, and at least 1 node in each");
        }
        Ok(())
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u128 {
        product(&self.dimensions)
    }

    /// Next node in a dimension, and around at its end.
    fn next(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = (self.stride(dimension), self.dimensions[dimension]);
        let last = (node / stride) % size == size - 1;
        if last {
            node - (size - 1) * stride
        } else {
            node + stride
        }
    }

    fn previous(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = (self.stride(dimension), self.dimensions[dimension]);
        let first = (node / stride).is_multiple_of(size);
        if first {
            node + (size - 1) * stride
        } else {
            node - stride
        }
    }

    /// Distance of two nodes that are neighbors in a dimension.
    fn stride(&self, dimension: usize) -> u32 {
        self.dimensions[..dimension].iter().product()
    }
}

/// Routing of a torus.
#[derive(Debug)]
pub(crate) struct TorusZone {
    torus: Torus,
    ways: u32,
    /// First link.
    links: u32,
    extras: Extras,
}

impl TorusZone {
    /// Number of nodes, and of nodes in the first dimension.
    pub(crate) fn sizes(&self) -> (u32, u32) {
        (
            self.torus.dimensions.iter().product(),
            self.torus.dimensions[0],
        )
    }

    /// Next nodes of a node in all dimensions, each with the links between both.
    pub(crate) fn cables(&self, node: u32) -> Vec<(u32, Vec<u32>)> {
        let dimensions = 0..self.torus.dimensions.len();
        let next = dimensions.map(|it| {
            let links = [false, true].map(|back| self.link(node, it, back));
            (self.torus.next(node, it), links.to_vec())
        });
        next.collect()
    }

    /// Link from a node to the next in a dimension, or back from that.
    fn link(&self, node: u32, dimension: usize, back: bool) -> u32 {
        let cable = node * index(self.torus.dimensions.len()) + index(dimension);
        let way = if back { self.ways - 1 } else { 0 };
        self.links + cable * self.ways + way
    }

    /// Appends the route between two nodes.
    pub(crate) fn route(&self, src: u32, dst: u32, walk: &mut Walk<'_>) {
        if let Some(loopback) = self.extras.loopback(src).filter(|_| src == dst) {
            walk.link(loopback);
            return;
        }
        let mut at = src;
        for (dimension, size) in self.torus.dimensions.iter().copied().enumerate() {
            let stride = self.torus.stride(dimension);
            let target = (dst / stride) % size;
            let upward = goes_up((src / stride) % size, target, size);
            while (at / stride) % size != target {
                walk.links(self.extras.limiter(at));
                if upward {
                    walk.link(self.link(at, dimension, false));
                    at = self.torus.next(at, dimension);
                } else {
                    at = self.torus.previous(at, dimension);
                    walk.link(self.link(at, dimension, true));
                }
            }
        }
        walk.links(self.extras.limiter(dst));
    }
}

/// True if the shorter way between two coordinates goes up, or both are equally long and `SimGrid`
/// goes up.
fn goes_up(from: u32, to: u32, size: u32) -> bool {
    let half = size / 2;
    (to > from && to <= from + half) || (from > half && (from + half) % size >= to)
}

impl Platform {
    /// Torus of equal nodes: the link from `node0` to the next in dimension 0 is `node0.dim0+`,
    /// that to the previous one `node0.dim0-`; one for both ways is `node0.dim0`.
    ///
    /// # Errors
    ///
    /// The platform is larger than the limits, or a value is not one of a link.
    pub fn torus(cluster: &Cluster, torus: &Torus) -> Result<Platform, Refusal> {
        let mut builder = Builder::new(&cluster.name);
        torus.check()?;
        builder.reserve(torus.nodes(), 0)?;
        let zone = builder.zone(&cluster.name, NONE, Routing::Empty);
        let names = node_names(torus.dimensions.iter().product());
        let site = Site {
            cluster,
            zone,
            prefix: "",
            names,
        };
        build(&mut builder, &site, torus)?;
        Ok(builder.platform)
    }
}

/// Adds the hosts and links of a torus to its zone.
pub(crate) fn build(builder: &mut Builder, site: &Site<'_>, torus: &Torus) -> Result<(), Refusal> {
    torus.check()?;
    let ways = site.cluster.duplex.ways();
    let cables = torus.nodes().saturating_mul(torus.dimensions.len() as u128);
    let links = cables.saturating_mul(u128::from(ways));
    builder.reserve(torus.nodes(), links.saturating_add(site.extra_links(0)))?;
    if torus.nodes() != site.names.len() as u128 {
        refuse!(
            "the torus has {} nodes, but {} are named: change its dimensions or the names",
            torus.nodes(),
            site.names.len()
        );
    }
    site.hosts(builder)?;
    let first = index(builder.platform.links.len());
    for (name, node) in site.names.iter().zip(0..) {
        for dimension in 0..torus.dimensions.len() {
            let next = &site.names[torus.next(node, dimension) as usize];
            let there = match site.cluster.duplex {
                Duplex::Split => format!("{name}.dim{dimension}+"),
                Duplex::Half => format!("{name}.dim{dimension}"),
            };
            site.cable(builder, (there, format!("{next}.dim{dimension}-")), 1)?;
        }
    }
    let extras = site.extras(builder, std::iter::empty())?;
    let torus = torus.clone();
    let routing = TorusZone {
        torus,
        ways,
        links: first,
        extras,
    };
    builder.platform.zones[site.zone as usize].routing = Routing::Torus(routing);
    Ok(())
}
