//! Describes networks in which messages between nodes share links.

mod parse;

use std::fmt;
use std::sync::Arc;

use prophet_contention::{Capacity, Contention, Fluid, Packets, Phased, Wire as PacketWire};
use prophet_platform::{Cluster, Dragonfly, FatTree, LinkSpeed, Platform, Route, Torus};
use prophet_text::{Problem, problem};

use crate::change::Listed;
use crate::hardware::{HardwareModel, Make, Values, settings};
use crate::network::Network;
use crate::quantity::engineering;
pub use parse::{LinkModel, keys};
pub(crate) use parse::{TOPOLOGIES, nics, of_pairs};

/// A network between nodes in which messages share links.
///
/// Its text form is the value of `--network`: `shared:topology=torus,dimensions=4x4,…`.
#[derive(Debug, Clone, PartialEq)]
pub struct Fabric {
    pub sharing: Sharing,
    pub wiring: Wiring,
    /// How long a message occupies its sender and its receiver, in seconds.
    pub overhead_s: f64,
    /// Changes to the network's links during the run.
    pub changes: Listed,
}

/// How messages share a link.
#[derive(Debug, Clone, PartialEq)]
pub enum Sharing {
    /// All messages flow at the same time, at fair rates.
    Fluid(Fairness),
    /// Packets of `bytes` bytes queue at each link. At most `window` packets of a message are in
    /// flight at a time; without `window`, the capacity of the route is the limit.
    Packets { bytes: f64, window: Option<u64> },
    /// A custom model, with its settings.
    Own(HardwareModel, Vec<(&'static str, f64)>),
}

/// How the bandwidth of a link is divided among its messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All messages have the same weight.
    #[default]
    MaxMin,
    /// A message's weight is the inverse of its route's latency, as with TCP.
    Rtt,
}

/// The nodes, links and routes of a network.
#[derive(Debug, Clone)]
pub enum Wiring {
    /// A topology in which all links are equal.
    Regular { topology: Topology, link: Link },
    /// A graph read from a file.
    Described(Arc<Platform>),
}

impl PartialEq for Wiring {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Described(one), Self::Described(other)) => Arc::ptr_eq(one, other),
            (
                Self::Regular { topology, link },
                Self::Regular {
                    topology: other,
                    link: of_other,
                },
            ) => topology == other && link == of_other,
            (Self::Described(_), Self::Regular { .. })
            | (Self::Regular { .. }, Self::Described(_)) => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    pub bytes_per_s: f64,
    pub latency_s: f64,
    /// The fraction of the bandwidth that other traffic takes.
    pub background: f64,
}

/// A topology as defined by `SimGrid`, with its sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topology {
    /// One switch. Each node has `nics` links to it, one for each network interface.
    Star {
        nics: u32,
    },
    FatTree(FatTree),
    Torus(Torus),
    Dragonfly(Dragonfly),
}

impl Topology {
    /// Creates the links between `nodes` nodes, or between as many nodes as the topology's sizes
    /// specify.
    fn build_platform(&self, nodes: u32, link: Link) -> Result<Platform, Problem> {
        let wire = LinkSpeed {
            bytes_per_s: link.bytes_per_s,
            latency_s: link.latency_s,
        };
        let cluster = Cluster {
            background: link.background,
            ..Cluster::new("network", wire)
        };
        match self {
            Self::Star { nics: 1 } => Platform::star(&cluster, nodes, None),
            Self::Star { nics } => Platform::star_of_nics(&cluster, nodes, *nics),
            Self::FatTree(tree) => Platform::fat_tree(&cluster, tree),
            Self::Torus(torus) => Platform::torus(&cluster, torus),
            Self::Dragonfly(dragonfly) => Platform::dragonfly(&cluster, dragonfly),
        }
    }
}

impl Fabric {
    /// Creates a network without changes, in which messages share links fairly by max-min.
    pub fn on(wiring: Wiring) -> Self {
        Self {
            sharing: Sharing::Fluid(Fairness::MaxMin),
            wiring,
            overhead_s: 0.0,
            changes: Listed::default(),
        }
    }

    /// Returns the number of nodes in the network; `None` if the network grows with the number of
    /// nodes in use.
    pub fn nodes(&self) -> Option<u32> {
        let nodes = match &self.wiring {
            Wiring::Described(platform) => platform.hosts().len() as u128,
            Wiring::Regular { topology, .. } => match topology {
                Topology::Star { .. } => return None,
                Topology::FatTree(tree) => tree.nodes(),
                Topology::Torus(torus) => torus.nodes(),
                Topology::Dragonfly(dragonfly) => dragonfly.nodes(),
            },
        };
        Some(u32::try_from(nodes).unwrap_or(u32::MAX))
    }

    /// Returns the host name of a node; `None` if the network doesn't describe hosts.
    pub fn host(&self, nid: u32) -> Option<&str> {
        match &self.wiring {
            Wiring::Described(platform) => {
                let host = platform.hosts().get(nid as usize)?;
                Some(&host.name)
            }
            Wiring::Regular { .. } => None,
        }
    }

    /// Builds the platform, with the links between `nodes` nodes.
    ///
    /// # Errors
    ///
    /// Returns an error if the network has too few nodes, or doesn't connect all of them.
    pub fn platform(&self, nodes: u32) -> Result<Arc<Platform>, Problem> {
        let platform = match &self.wiring {
            Wiring::Described(platform) => Arc::clone(platform),
            Wiring::Regular { topology, link } => Arc::new(topology.build_platform(nodes, *link)?),
        };
        let hosts = platform.hosts().len();
        if hosts < nodes as usize {
            return Err(problem!(
                "the network has {hosts} nodes, but the run uses {nodes}"
            ));
        }
        Ok(platform)
    }

    /// Returns the bandwidth (in bytes per second) and the latency (in seconds) of the route
    /// between the first two of `nodes` nodes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no route.
    pub fn first_link(&self, nodes: u32) -> Result<(f64, f64), Problem> {
        let platform = self.platform(nodes.max(1))?;
        let mut route = Route::default();
        if platform.hosts().len() > 1 {
            let found = platform.route(0, 1, &mut route);
            found.map_err(|it| problem!("{it}"))?;
        }
        let links = route.links.iter().map(|it| &platform.links()[*it as usize]);
        let free = links.map(|it| it.bytes_per_s * (1.0 - it.background));
        let bytes_per_s = free.reduce(f64::min).unwrap_or(f64::MAX);
        Ok((
            bytes_per_s,
            2.0f64.mul_add(self.overhead_s, route.latency_s),
        ))
    }

    /// Creates the model that determines how messages share the platform's links.
    pub fn contention(&self, platform: &Platform) -> Box<dyn Contention> {
        let links = platform.links().iter();
        match &self.sharing {
            Sharing::Fluid(_) => Box::new(Fluid::new(links.map(capacity))),
            Sharing::Packets { bytes, window } => Box::new(packets(*bytes, *window, platform)),
            Sharing::Own(model, settings) => match model.make {
                Make::Contention(make) => {
                    let wires: Vec<PacketWire> = links.map(wire).collect();
                    make(Values::new(settings), &wires)
                }
                // Only network models are parsed as networks.
                Make::Duration(_) => Box::new(Fluid::new(links.map(capacity))),
            },
        }
    }

    /// Creates the same model as [`Self::contention`], but one that simulates repeated phases only
    /// once; `None` if the model doesn't support that.
    pub fn memoized(&self, platform: &Platform) -> Option<Box<dyn Contention>> {
        match self.sharing {
            Sharing::Packets { bytes, window } => {
                Some(Box::new(packets(bytes, window, platform).with_memory()))
            }
            Sharing::Fluid(_) | Sharing::Own(..) => None,
        }
    }

    /// Returns the network that prices the work of senders and receivers, without the time on
    /// links.
    pub fn ends(&self) -> Network {
        if self.overhead_s > 0.0 {
            return Network::LogGp {
                l_s: 0.0,
                o_s: self.overhead_s,
                g_s: 0.0,
                gap_per_byte_s: 0.0,
            };
        }
        Network::Hockney {
            latency_s: 0.0,
            bytes_per_s: f64::INFINITY,
        }
    }

    /// Returns the packet size in bytes; `None` if messages aren't sent in packets.
    pub fn packet_bytes(&self) -> Option<f64> {
        match self.sharing {
            Sharing::Packets { bytes, .. } => Some(bytes),
            Sharing::Fluid(_) | Sharing::Own(..) => None,
        }
    }

    pub fn fairness(&self) -> Fairness {
        match self.sharing {
            Sharing::Fluid(fairness) => fairness,
            Sharing::Packets { .. } | Sharing::Own(..) => Fairness::MaxMin,
        }
    }
}

fn packets(bytes: f64, window: Option<u64>, platform: &Platform) -> Phased {
    let packets = Packets::new(bytes, platform.links().iter().map(wire));
    Phased::new(match window {
        None => packets,
        Some(window) => packets.with_window(window),
    })
}

/// Returns the bandwidth of a link that other traffic leaves.
fn capacity(link: &prophet_platform::Link) -> Capacity {
    Capacity {
        bytes_per_s: link.bytes_per_s * (1.0 - link.background),
        is_fatpipe: link.sharing == prophet_platform::Sharing::Fatpipe,
    }
}

fn wire(link: &prophet_platform::Link) -> PacketWire {
    PacketWire {
        capacity: capacity(link),
        latency_s: link.latency_s,
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |numbers: &[u32]| {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            numbers.join("x")
        };
        match self {
            Self::Star { nics: 1 } => f.write_str("topology=star"),
            Self::Star { nics } => write!(f, "topology=star,nics={nics}"),
            Self::FatTree(tree) => write!(
                f,
                "topology=fat-tree,children={},parents={},links={}",
                times(&tree.children),
                times(&tree.parents),
                times(&tree.cables)
            ),
            Self::Torus(torus) => {
                let dimensions = times(&torus.dimensions);
                write!(f, "topology=torus,dimensions={dimensions}")
            }
            Self::Dragonfly(it) => write!(
                f,
                "topology=dragonfly,groups={},chassis={},routers={},router-nodes={}",
                times(&[it.groups, it.group_wires]),
                times(&[it.chassis, it.chassis_wires]),
                times(&[it.routers, it.router_wires]),
                it.nodes
            ),
        }
    }
}

impl fmt::Display for Fabric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match &self.sharing {
            Sharing::Fluid(_) => "shared",
            Sharing::Packets { .. } => "packet",
            Sharing::Own(model, _) => model.name,
        };
        write!(f, "{model}:")?;
        match &self.wiring {
            Wiring::Described(platform) => write!(f, "platform={}", platform.name())?,
            Wiring::Regular { topology, link } => {
                let bandwidth = engineering(link.bytes_per_s, "B/s");
                let latency = engineering(link.latency_s, "s");
                write!(f, "{topology},latency={latency},bandwidth={bandwidth}")?;
                if link.background > 0.0 {
                    write!(f, ",background={}", link.background)?;
                }
            }
        }
        match &self.sharing {
            Sharing::Fluid(Fairness::MaxMin) => {}
            Sharing::Fluid(Fairness::Rtt) => f.write_str(",fairness=rtt")?,
            Sharing::Packets { bytes, window } => {
                write!(f, ",packet={bytes}B")?;
                if let Some(window) = window {
                    write!(f, ",window={window}")?;
                }
            }
            Sharing::Own(model, settings) => {
                f.write_str(&settings::write(model.settings, settings))?;
            }
        }
        if self.overhead_s > 0.0 {
            write!(f, ",o={}", engineering(self.overhead_s, "s"))?;
        }
        Ok(())
    }
}
