//! Builds topologies of identical nodes, either as platforms or as zones.

use prophet_text::Problem;

use crate::builder::Builder;
use crate::cluster::{Cluster, Duplex, LinkSpeed};
use crate::dragonfly::{Dragonfly, DragonflyZone, all_pairs};
use crate::fat_tree::{FatTree, FatTreeZone};
use crate::lists::{NONE, Span, index};
use crate::platform::{Platform, Sharing};

use crate::refuse::refuse;
use crate::site::{Site, plain};
use crate::star::{Spoke, Star};
use crate::torus::{Torus, TorusZone};
use crate::zone::Routing;

/// A topology of identical nodes.
pub(crate) trait Topology {
    /// Name of the topology, and name of the parameter that determines its number of nodes.
    const WORDS: [&'static str; 2];

    fn check(&self) -> Result<(), Problem>;

    fn nodes(&self) -> u128;

    /// Returns the number of switches that have limiters.
    fn switches(&self) -> u128 {
        0
    }

    fn links(&self, ways: u128) -> u128;

    /// Adds the links, and returns the routing over them.
    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem>;
}

pub(crate) fn build(
    builder: &mut Builder,
    site: &Site<'_>,
    topology: &impl Topology,
) -> Result<(), Problem> {
    topology.check()?;
    let links = topology.links(u128::from(site.cluster.duplex.ways()));
    let extras = site.extra_links(topology.switches());
    builder.reserve(topology.nodes(), links.saturating_add(extras))?;
    site.check_names(topology)?;
    site.hosts(builder)?;
    let routing = topology.join(builder, site)?;
    builder.platform.zones[site.zone as usize].routing = routing;
    Ok(())
}

impl Site<'_> {
    fn check_names<T: Topology>(&self, topology: &T) -> Result<(), Problem> {
        let (nodes, named) = (topology.nodes(), self.names.len());
        if nodes != named as u128 {
            let [name, part] = T::WORDS;
            refuse!(
                "the {name} has {nodes} nodes, but {named} names: change its {part} or the names"
            );
        }
        Ok(())
    }
}

/// Builds a platform that consists of a single topology. Its nodes are named `node0`, `node1` and
/// so on.
fn platform(cluster: &Cluster, topology: &impl Topology) -> Result<Platform, Problem> {
    let mut builder = Builder::new(&cluster.name);
    topology.check()?;
    builder.reserve(topology.nodes(), 0)?;
    let zone = builder.zone(&cluster.name, NONE, Routing::Empty);
    let names = (0..topology.nodes()).map(|it| format!("node{it}"));
    let site = Site {
        cluster,
        zone,
        prefix: "",
        names: names.collect(),
    };
    build(&mut builder, &site, topology)?;
    Ok(builder.platform)
}

impl Platform {
    /// Builds a star of `nodes` nodes, each with its own cable. The links are named `node0.up` and
    /// `node0.down`, or `node0` if both directions share a link. The link in the center is named
    /// `backbone`.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, or if a value is invalid for a link.
    pub fn star(
        cluster: &Cluster,
        nodes: u32,
        backbone: Option<Backbone>,
    ) -> Result<Platform, Problem> {
        let nodes = nodes as usize;
        platform(cluster, &Spokes { nodes, backbone })
    }

    /// Builds a star of `nodes` nodes with `nics` network interfaces each. Each interface has a
    /// cable. The links are named `node0.0.up`, `node0.0.down`, `node0.1.up` and so on.
    ///
    /// Messages between the nodes a and b use the interface (a + b) mod `nics` of both nodes.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`Self::star`].
    pub fn star_of_nics(cluster: &Cluster, nodes: u32, nics: u32) -> Result<Platform, Problem> {
        platform(cluster, &Interfaces { nodes, nics })
    }

    /// Builds a fat tree. The links of nodes are named `node0.up` and `node0.down`, and the links
    /// of switches `switch1.0.up` and `switch1.0.down`. If a node or switch has several links up,
    /// they are numbered, as in `node0.up1`.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, or if a value is invalid for a link.
    pub fn fat_tree(cluster: &Cluster, tree: &FatTree) -> Result<Platform, Problem> {
        platform(cluster, &Tree { tree, offset: 0 })
    }

    /// Builds a torus. The link from `node0` to the next node in dimension 0 is named
    /// `node0.dim0+`, and the link back is `node0.dim0-`. If both directions share a link, it is
    /// named `node0.dim0`.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, or if a value is invalid for a link.
    pub fn torus(cluster: &Cluster, torus: &Torus) -> Result<Platform, Problem> {
        platform(cluster, torus)
    }

    /// Builds a dragonfly. The links of nodes are named `node0.up` and `node0.down`. The links
    /// between routers have names such as `router0.1.2.slot3` (group, chassis, slot),
    /// `router0.1.2.chassis3` and `group0.group3`.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, or if a value is invalid for a link.
    pub fn dragonfly(cluster: &Cluster, dragonfly: &Dragonfly) -> Result<Platform, Problem> {
        platform(cluster, dragonfly)
    }
}

/// The link in the center of a star. All routes between nodes cross it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backbone {
    pub wire: LinkSpeed,
    pub sharing: Sharing,
}

/// A star of nodes with one cable each.
#[derive(Debug)]
pub(crate) struct Spokes {
    pub(crate) nodes: usize,
    pub(crate) backbone: Option<Backbone>,
}

impl Topology for Spokes {
    const WORDS: [&'static str; 2] = ["star", "nodes"];

    fn check(&self) -> Result<(), Problem> {
        Ok(())
    }

    fn nodes(&self) -> u128 {
        self.nodes as u128
    }

    fn links(&self, ways: u128) -> u128 {
        self.nodes() * ways + u128::from(self.backbone.is_some())
    }

    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem> {
        let center = match self.backbone {
            None => None,
            Some(backbone) => {
                let name = format!("{}backbone", site.prefix);
                Some(builder.link(plain(name, backbone.wire, backbone.sharing))?)
            }
        };
        let extras = site.extras(builder, std::iter::empty())?;
        let mut star = Star::default();
        for (name, node) in site.names.iter().zip(0..) {
            let [up, down] = site.up_and_down(builder, name)?;
            let limiter = extras.limiter(node);
            let rising: Vec<u32> = [limiter, Some(up), center].into_iter().flatten().collect();
            let falling = [center, Some(down), limiter].into_iter().flatten();
            let spoke = Spoke {
                up: builder.list(&rising)?,
                down: builder.list(&falling.collect::<Vec<u32>>())?,
                loopback: builder.list(extras.loopback(node).as_slice())?,
            };
            star.set(node, spoke);
        }
        Ok(Routing::Star(star))
    }
}

/// A star of nodes with several cables each.
#[derive(Debug)]
struct Interfaces {
    nodes: u32,
    nics: u32,
}

impl Topology for Interfaces {
    const WORDS: [&'static str; 2] = Spokes::WORDS;

    fn check(&self) -> Result<(), Problem> {
        Ok(())
    }

    fn nodes(&self) -> u128 {
        u128::from(self.nodes)
    }

    fn links(&self, ways: u128) -> u128 {
        self.nodes() * u128::from(self.nics) * ways
    }

    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem> {
        let mut star = Star {
            other_count: self.nics.saturating_sub(1),
            ..Star::default()
        };
        for name in &site.names {
            for nic in 0..self.nics {
                let [up, down] = site.up_and_down(builder, &format!("{name}.{nic}"))?;
                let spoke = Spoke {
                    up: builder.list(&[up])?,
                    down: builder.list(&[down])?,
                    loopback: Span::default(),
                };
                match nic {
                    0 => star.spokes.push(spoke),
                    _ => star.others.push(spoke),
                }
            }
        }
        Ok(Routing::Star(star))
    }
}

impl Site<'_> {
    /// Adds the cable from a node to the center of a star, and returns its links up and down.
    fn up_and_down(&self, builder: &mut Builder, name: &str) -> Result<[u32; 2], Problem> {
        let there = match self.cluster.duplex {
            Duplex::Split => format!("{name}.up"),
            Duplex::Half => name.to_owned(),
        };
        let up = self.cable(builder, (there, format!("{name}.down")), 1)?;
        Ok([up, up + self.cluster.duplex.ways() - 1])
    }
}

/// A fat tree, and the number of nodes in fat trees before it.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    pub(crate) tree: &'t FatTree,
    pub(crate) offset: u32,
}

impl Tree<'_> {
    /// Iterates over the number of nodes, and the number of switches at each level.
    fn sizes(&self) -> impl Iterator<Item = u128> {
        (0..=self.tree.children.len()).map(|level| self.tree.size(level))
    }
}

impl Topology for Tree<'_> {
    const WORDS: [&'static str; 2] = ["fat tree", "children"];

    fn check(&self) -> Result<(), Problem> {
        self.tree.check()
    }

    fn nodes(&self) -> u128 {
        self.tree.nodes()
    }

    fn switches(&self) -> u128 {
        self.sizes().skip(1).fold(0, u128::saturating_add)
    }

    fn links(&self, ways: u128) -> u128 {
        let below = self.sizes().take(self.tree.children.len()).enumerate();
        let cables = below.map(|(level, size)| size.saturating_mul(self.tree.ports(level)));
        let cables = cables.fold(0, u128::saturating_add);
        cables.saturating_mul(ways)
    }

    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem> {
        let tree = self.tree;
        let sizes: Vec<u32> = self.sizes().map(|it| index(it as usize)).collect();
        let mut links = Vec::new();
        for (level, size) in sizes[..tree.children.len()].iter().enumerate() {
            links.push(builder.next_link());
            let ports = tree.parents[level] * tree.cables[level];
            add_level(builder, site, (level, *size), ports)?;
        }
        let switches = sizes.iter().enumerate().skip(1);
        let switches = switches.flat_map(|(level, size)| (0..*size).map(move |it| (level, it)));
        let switches = switches.map(|(level, it)| switch_name(site, level, it));
        let extras = site.extras(builder, switches)?;
        let below = sizes.iter().scan(0, |sum, size| {
            *sum += size;
            Some(*sum - size)
        });
        Ok(Routing::FatTree(FatTreeZone {
            tree: tree.clone(),
            ways: site.cluster.duplex.ways(),
            links,
            below: below.collect(),
            extras,
            offset: self.offset,
        }))
    }
}

fn switch_name(site: &Site<'_>, level: usize, position: u32) -> String {
    match level {
        0 => site.names[position as usize].clone(),
        _ => format!("{}switch{level}.{position}", site.prefix),
    }
}

/// Adds the cables from the nodes or switches of a level to the level above.
fn add_level(
    builder: &mut Builder,
    site: &Site<'_>,
    (level, size): (usize, u32),
    ports: u32,
) -> Result<(), Problem> {
    for position in 0..size {
        let name = switch_name(site, level, position);
        for port in 0..ports {
            let port = if ports == 1 {
                String::new()
            } else {
                port.to_string()
            };
            let names = (format!("{name}.up{port}"), format!("{name}.down{port}"));
            site.cable(builder, names, 1)?;
        }
    }
    Ok(())
}

impl Topology for Torus {
    const WORDS: [&'static str; 2] = ["torus", "dimensions"];

    fn check(&self) -> Result<(), Problem> {
        self.check()
    }

    fn nodes(&self) -> u128 {
        self.nodes()
    }

    fn links(&self, ways: u128) -> u128 {
        let cables = self.nodes().saturating_mul(self.dimensions.len() as u128);
        cables.saturating_mul(ways)
    }

    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem> {
        let links = builder.next_link();
        for (name, node) in site.names.iter().zip(0..) {
            for dimension in 0..self.dimensions.len() {
                let next = &site.names[self.next(node, dimension) as usize];
                let there = match site.cluster.duplex {
                    Duplex::Split => format!("{name}.dim{dimension}+"),
                    Duplex::Half => format!("{name}.dim{dimension}"),
                };
                site.cable(builder, (there, format!("{next}.dim{dimension}-")), 1)?;
            }
        }
        Ok(Routing::Torus(TorusZone {
            torus: self.clone(),
            ways: site.cluster.duplex.ways(),
            links,
            extras: site.extras(builder, std::iter::empty())?,
        }))
    }
}

impl Topology for Dragonfly {
    const WORDS: [&'static str; 2] = ["dragonfly", "shape"];

    fn check(&self) -> Result<(), Problem> {
        self.check()
    }

    fn nodes(&self) -> u128 {
        self.nodes()
    }

    fn switches(&self) -> u128 {
        self.all_routers()
    }

    fn links(&self, ways: u128) -> u128 {
        let cables = self.cables().into_iter().fold(0, u128::saturating_add);
        cables.saturating_mul(ways)
    }

    fn join(&self, builder: &mut Builder, site: &Site<'_>) -> Result<Routing, Problem> {
        let mut links = [builder.next_link(); 4];
        for name in &site.names {
            site.cable(builder, (format!("{name}.up"), format!("{name}.down")), 1)?;
        }
        links[1] = builder.next_link();
        add_slots(builder, site, self)?;
        links[2] = builder.next_link();
        add_chassis(builder, site, self)?;
        links[3] = builder.next_link();
        for (low, high) in all_pairs(self.groups) {
            let name = |from, to| format!("{}group{from}.group{to}", site.prefix);
            let names = (name(low, high), name(high, low));
            site.cable(builder, names, self.group_wires)?;
        }
        let routers = self.groups * self.chassis * self.routers;
        let routers = (0..routers).map(|it| router_name(site, self, it));
        Ok(Routing::Dragonfly(DragonflyZone {
            shape: *self,
            ways: site.cluster.duplex.ways(),
            links,
            extras: site.extras(builder, routers)?,
        }))
    }
}

fn router_name(site: &Site<'_>, shape: &Dragonfly, number: u32) -> String {
    format!("{}{}", site.prefix, shape.router_name(number))
}

/// Adds the cables between routers in the same chassis.
fn add_slots(builder: &mut Builder, site: &Site<'_>, shape: &Dragonfly) -> Result<(), Problem> {
    for chassis in 0..shape.groups * shape.chassis {
        for (low, high) in all_pairs(shape.routers) {
            let name = |from, to| {
                let router = router_name(site, shape, chassis * shape.routers + from);
                format!("{router}.slot{to}")
            };
            let names = (name(low, high), name(high, low));
            site.cable(builder, names, shape.router_wires)?;
        }
    }
    Ok(())
}

fn add_chassis(builder: &mut Builder, site: &Site<'_>, shape: &Dragonfly) -> Result<(), Problem> {
    for group in 0..shape.groups {
        for (low, high) in all_pairs(shape.chassis) {
            for blade in 0..shape.routers {
                let name = |from, to| {
                    let chassis = group * shape.chassis + from;
                    let router = router_name(site, shape, chassis * shape.routers + blade);
                    format!("{router}.chassis{to}")
                };
                let names = (name(low, high), name(high, low));
                site.cable(builder, names, shape.chassis_wires)?;
            }
        }
    }
    Ok(())
}
