//! Stars: each node has a way up to the center and a way down from it.

use crate::builder::Builder;
use crate::cluster::{Cluster, Duplex, Site, Wire, node_names, plain};
use crate::lists::Span;
use crate::platform::{Platform, Sharing};
use crate::refusal::Refusal;
use crate::route::Walk;
use crate::zone::{NONE, Routing};

/// Routing of a star, by the indices of points in the zone.
#[derive(Debug, Default)]
pub(crate) struct Star {
    pub(crate) spokes: Vec<Spoke>,
    /// Spokes of the points' other network interfaces, after their first one, point by point.
    others: Vec<Spoke>,
    /// Number of these for each point.
    other_count: u32,
}

/// Ways of one point; one that has none lies in the center.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spoke {
    pub(crate) up: Span,
    pub(crate) down: Span,
    pub(crate) loopback: Span,
}

impl Star {
    /// Appends the route between two points: each link once, even if both ways have it.
    pub(crate) fn route(&self, src: u32, dst: u32, walk: &mut Walk<'_>) {
        let nic = (src + dst) % (self.other_count + 1);
        let (from, to) = (self.spoke(src, nic), self.spoke(dst, nic));
        let begin = walk.into.links.len();
        let platform = walk.platform;
        let ways = if src == dst && from.loopback.len() > 0 {
            [from.loopback, Span::default()]
        } else {
            [from.up, to.down]
        };
        for way in ways {
            for link in platform.list(way) {
                if !walk.into.links[begin..].contains(link) {
                    walk.link(*link);
                }
            }
        }
    }

    /// The spoke of a network interface of a point.
    fn spoke(&self, id: u32, nic: u32) -> Spoke {
        let spoke = match nic.checked_sub(1) {
            None => self.spokes.get(id as usize),
            Some(other) => self.others.get((id * self.other_count + other) as usize),
        };
        spoke.copied().unwrap_or_default()
    }

    /// All spokes of a point.
    pub(crate) fn all(&self, id: u32) -> impl Iterator<Item = Spoke> {
        (0..=self.other_count).map(move |nic| self.spoke(id, nic))
    }

    /// Sets the ways of a point.
    pub(crate) fn set(&mut self, id: u32, spoke: Spoke) {
        let id = id as usize;
        if self.spokes.len() <= id {
            self.spokes.resize(id + 1, Spoke::default());
        }
        self.spokes[id] = spoke;
    }
}

/// Link in the center of a star, which all routes between nodes cross.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backbone {
    pub wire: Wire,
    pub sharing: Sharing,
}

impl Platform {
    /// Star of `nodes` nodes, each on its own cable: links `node0.up` and `node0.down`, or `node0`
    /// for both ways, and `backbone`.
    ///
    /// # Errors
    ///
    /// The platform is larger than the limits, or a value is not one of a link.
    pub fn star(
        cluster: &Cluster,
        nodes: u32,
        backbone: Option<Backbone>,
    ) -> Result<Platform, Refusal> {
        let mut builder = Builder::new(&cluster.name);
        builder.reserve(u128::from(nodes), 0)?;
        let zone = builder.zone(&cluster.name, NONE, Routing::Empty);
        let site = Site {
            cluster,
            zone,
            prefix: "",
            names: node_names(nodes),
        };
        build(&mut builder, &site, backbone)?;
        Ok(builder.platform)
    }
}

impl Platform {
    /// Star of `nodes` nodes with `nics` network interfaces each, and a cable for each interface:
    /// links `node0.0.up`, `node0.0.down`, `node0.1.up` and so on.
    ///
    /// Messages between the nodes a and b take the interface (a + b) mod `nics` of both.
    ///
    /// # Errors
    ///
    /// As of [`Self::star`].
    pub fn star_of_nics(cluster: &Cluster, nodes: u32, nics: u32) -> Result<Platform, Refusal> {
        let mut builder = Builder::new(&cluster.name);
        let links = u128::from(nodes) * u128::from(nics) * u128::from(cluster.duplex.ways());
        builder.reserve(u128::from(nodes), links)?;
        let zone = builder.zone(&cluster.name, NONE, Routing::Empty);
        let site = Site {
            cluster,
            zone,
            prefix: "",
            names: node_names(nodes),
        };
        site.hosts(&mut builder)?;
        let mut star = Star {
            other_count: nics.saturating_sub(1),
            ..Star::default()
        };
        for name in &site.names {
            for nic in 0..nics {
                let there = match cluster.duplex {
                    Duplex::Split => format!("{name}.{nic}.up"),
                    Duplex::Half => format!("{name}.{nic}"),
                };
                let names = (there, format!("{name}.{nic}.down"));
                let up = site.cable(&mut builder, names, 1)?;
                let spoke = Spoke {
                    up: builder.list(&[up])?,
                    down: builder.list(&[up + cluster.duplex.ways() - 1])?,
                    loopback: Span::default(),
                };
                match nic {
                    0 => star.spokes.push(spoke),
                    _ => star.others.push(spoke),
                }
            }
        }
        builder.platform.zones[zone as usize].routing = Routing::Star(star);
        Ok(builder.platform)
    }
}

/// Adds the hosts and links of a star to its zone.
pub(crate) fn build(
    builder: &mut Builder,
    site: &Site<'_>,
    backbone: Option<Backbone>,
) -> Result<(), Refusal> {
    let nodes = site.names.len() as u128;
    let ways = u128::from(site.cluster.duplex.ways());
    let links = nodes * ways + site.extra_links(0) + u128::from(backbone.is_some());
    builder.reserve(nodes, links)?;
    site.hosts(builder)?;
    let center = match backbone {
        None => None,
        Some(backbone) => {
            let name = format!("{}backbone", site.prefix);
            Some(builder.link(plain(name, backbone.wire, backbone.sharing))?)
        }
    };
    let extras = site.extras(builder, std::iter::empty())?;
    let mut star = Star::default();
    for (name, node) in site.names.iter().zip(0..) {
        let there = match site.cluster.duplex {
            Duplex::Split => format!("{name}.up"),
            Duplex::Half => name.clone(),
        };
        let up = site.cable(builder, (there, format!("{name}.down")), 1)?;
        let down = up + site.cluster.duplex.ways() - 1;
        let limiter = extras.limiter(node);
        let rising: Vec<u32> = [limiter, Some(up), center].into_iter().flatten().collect();
        let falling: Vec<u32> = [center, Some(down), limiter]
            .into_iter()
            .flatten()
            .collect();
        let spoke = Spoke {
            up: builder.list(&rising)?,
            down: builder.list(&falling)?,
            loopback: builder.list(extras.loopback(node).as_slice())?,
        };
        star.set(node, spoke);
    }
    builder.platform.zones[site.zone as usize].routing = Routing::Star(star);
    Ok(())
}
