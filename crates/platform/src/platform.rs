//! The machine as a graph: hosts, links, and the zones that know the routes.

use crate::lists::{Lists, Span};
use crate::zone::{Point, What, Zone};

/// Maximum number of hosts of a platform; with the most links, they take two thirds of a gigabyte.
pub const HOSTS_MAX: u32 = 1 << 20;

/// Maximum number of links of a platform.
pub const LINKS_MAX: u32 = 1 << 22;

/// Node of a machine, which computes and communicates.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    pub name: String,
    /// Number of its cores.
    pub cores: u32,
    /// Speed of a core, in flop/s; 0 if it is unknown.
    pub speed: f64,
}

/// Link of a network, for one way or for both ways together.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub name: String,
    pub bytes_per_s: f64,
    pub latency_s: f64,
    pub sharing: Sharing,
    /// Fraction of the bandwidth that others take, from 0 to below 1.
    pub background: f64,
}

/// Meaning of a link's bandwidth for the flows that cross it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// The bandwidth is divided among all flows.
    Shared,
    /// Each flow has the bandwidth for itself.
    Fatpipe,
}

/// Route from one host to another.
///
/// A link may occur twice, where zones that are crossed name it both: a flow then takes its share
/// twice, as in `SimGrid`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Route {
    /// Links in the order in which a message crosses them.
    pub links: Vec<u32>,
    /// Sum of the latencies of the links, and of the distances in zones with coordinates.
    pub latency_s: f64,
}

/// Machine: hosts, links, and the routes between all pairs of hosts.
///
/// Routes are computed when they are asked: what a platform holds grows with its hosts and links,
/// not with the pairs.
#[derive(Debug, Default)]
pub struct Platform {
    pub(crate) name: String,
    pub(crate) hosts: Vec<Host>,
    pub(crate) links: Vec<Link>,
    /// Names of the points that forward alone: routers and switches.
    pub(crate) routers: Vec<String>,
    pub(crate) zones: Vec<Zone>,
    pub(crate) points: Vec<Point>,
    pub(crate) host_points: Vec<u32>,
    pub(crate) lists: Lists,
}

impl Platform {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Index of the host of this name.
    pub fn host(&self, name: &str) -> Option<u32> {
        position(self.hosts.iter().map(|it| &it.name), name)
    }

    /// Index of the link of this name.
    pub fn link(&self, name: &str) -> Option<u32> {
        position(self.links.iter().map(|it| &it.name), name)
    }

    pub(crate) fn point_name(&self, point: u32) -> &str {
        match self.points[point as usize].what {
            What::Host(host) => &self.hosts[host as usize].name,
            What::Router(router) => &self.routers[router as usize],
            What::Zone(zone) => &self.zones[zone as usize].name,
        }
    }

    pub(crate) fn list(&self, span: Span) -> &[u32] {
        self.lists.get(span)
    }
}

fn position<'a>(mut names: impl Iterator<Item = &'a String>, name: &str) -> Option<u32> {
    let position = names.position(|it| it == name)?;
    u32::try_from(position).ok()
}
