//! Represents a machine as a graph: hosts, links, and zones with their routing.

use crate::lists::{Lists, Span};
use crate::zone::{Point, What, Zone};

/// Maximum number of hosts in a platform. A platform with the maximum number of hosts and links
/// takes two thirds of a gigabyte of memory.
pub const HOSTS_MAX: u32 = 1 << 20;

/// Maximum number of links in a platform.
pub const LINKS_MAX: u32 = 1 << 22;

/// A node of a machine, which computes and communicates.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    pub name: String,
    /// Number of cores.
    pub cores: u32,
    /// Speed of each core, in flop/s; 0 if unknown.
    pub speed: f64,
}

/// A link in a network, used in one direction or shared by both.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub name: String,
    pub bytes_per_s: f64,
    pub latency_s: f64,
    pub sharing: Sharing,
    /// The fraction of the bandwidth that other traffic uses: at least 0, and less than 1.
    pub background: f64,
}

/// How flows share the bandwidth of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// All flows share the bandwidth.
    Shared,
    /// Each flow can use the whole bandwidth.
    Fatpipe,
}

/// A route from one host to another.
///
/// If two zones along the route both contain a link, the link appears twice. A flow then counts
/// twice on it, as in `SimGrid`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Route {
    /// Indices of the links, in the order in which a message crosses them.
    pub links: Vec<u32>,
    /// Latency of the route in seconds: the sum of its links' latencies, plus latencies for the
    /// distance in zones with coordinates.
    pub latency_s: f64,
}

/// A machine: hosts, links, and routes between all pairs of hosts.
///
/// Routes are computed on demand, so the memory of a platform depends on the number of hosts and
/// links, but not on the number of pairs.
#[derive(Debug, Default)]
pub struct Platform {
    pub(crate) name: String,
    pub(crate) hosts: Vec<Host>,
    pub(crate) links: Vec<Link>,
    /// Names of routers and switches. They only forward messages.
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

    /// Returns the index of the host with this name; `None` if there is no such host.
    pub fn host(&self, name: &str) -> Option<u32> {
        position(self.hosts.iter().map(|it| &it.name), name)
    }

    /// Returns the index of the link with this name; `None` if there is no such link.
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
