//! Builds machines of any shape from hosts, switches, cables and optional routes.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::builder::Builder;
use crate::cluster::{Duplex, LinkSpeed};
use crate::dijkstra::{Dijkstra, POINTS_MAX};
use crate::lists::{Hop, NONE};
use crate::platform::{Host, Link, Platform, Sharing};

use crate::refuse::refuse;
use crate::zone::Routing;

/// A machine described part by part.
///
/// Messages without a given route take the route with the fewest links. If several routes are
/// equally short, the order in which ends are named decides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    pub name: String,
    pub hosts: Vec<Host>,
    /// The names of the switches.
    pub switches: Vec<String>,
    pub cables: Vec<Cable>,
    pub routes: Vec<GivenRoute>,
}

/// A cable between two hosts or switches.
///
/// A full-duplex cable consists of two links: `NAME.up` from its first to its second end, and
/// `NAME.down` in the other direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Cable {
    pub name: String,
    pub ends: [String; 2],
    pub wire: LinkSpeed,
    pub duplex: Duplex,
    pub sharing: Sharing,
    pub background: f64,
}

/// A route to use instead of the shortest one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenRoute {
    pub from: String,
    pub to: String,
    /// Names of the route's links in order. Each link starts where the one before it ends.
    pub links: Vec<String>,
}

impl Platform {
    /// Builds a machine that is described part by part.
    ///
    /// # Errors
    ///
    /// Returns an error if the platform exceeds the limits, if a name is missing or duplicate, if a
    /// value is invalid for a link, or if a route has gaps or loops.
    pub fn graph(graph: &Graph) -> Result<Platform, Problem> {
        let mut builder = Builder::new(&graph.name);
        let zone = builder.zone(&graph.name, NONE, Routing::Empty);
        let mut parts = GraphBuilder {
            builder,
            zone,
            ..GraphBuilder::default()
        };
        parts.add_points(graph)?;
        for cable in &graph.cables {
            parts.add_cable(cable)?;
        }
        for route in &graph.routes {
            parts.add_route(route)?;
        }
        let zone = &mut parts.builder.platform.zones[zone as usize];
        zone.routing = Routing::Dijkstra(parts.routing);
        Ok(parts.builder.platform)
    }
}

#[derive(Debug, Default)]
struct GraphBuilder {
    builder: Builder,
    zone: u32,
    routing: Dijkstra,
    points: BTreeMap<String, u32>,
    /// Links by name, with the points that they connect.
    links: BTreeMap<String, Edge>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    link: u32,
    ends: [u32; 2],
    both_ways: bool,
}

impl Edge {
    /// Returns the point where the link leads from the point `from`; `None` if it doesn't start
    /// there.
    fn leads_to(self, from: u32) -> Option<u32> {
        match self.ends {
            [first, second] if first == from => Some(second),
            [first, second] if second == from && self.both_ways => Some(first),
            _ => None,
        }
    }
}

impl GraphBuilder {
    fn add_points(&mut self, graph: &Graph) -> Result<(), Problem> {
        self.builder
            .reserve(graph.hosts.len() as u128, graph.cables.len() as u128)?;
        let points = graph.hosts.len() + graph.switches.len();
        if points > POINTS_MAX {
            refuse!(
                "the graph has {points} hosts and switches; the limit is {POINTS_MAX}: use a \
                 topology with parameters for a larger machine"
            );
        }
        for host in &graph.hosts {
            let point = self.builder.host(self.zone, host.clone())?;
            self.name(&host.name, point)?;
        }
        for switch in &graph.switches {
            let point = self.builder.router(self.zone, switch)?;
            self.name(switch, point)?;
        }
        Ok(())
    }

    fn name(&mut self, name: &str, point: u32) -> Result<(), Problem> {
        if self.points.insert(name.to_owned(), point).is_some() {
            refuse!("two hosts or switches are named `{name}`: choose different names");
        }
        Ok(())
    }

    fn point(&self, name: &str, user: &str) -> Result<u32, Problem> {
        match self.points.get(name) {
            Some(point) => Ok(*point),
            None => refuse!("{user} names `{name}`, which is neither a host nor a switch"),
        }
    }

    fn add_cable(&mut self, cable: &Cable) -> Result<(), Problem> {
        let name = &cable.name;
        let user = format!("cable `{name}`");
        let [first, second] = &cable.ends;
        let ends = [self.point(first, &user)?, self.point(second, &user)?];
        if ends[0] == ends[1] {
            refuse!("cable `{name}` connects `{first}` to itself: choose two different ends");
        }
        let turned = [ends[1], ends[0]];
        match cable.duplex {
            Duplex::Half => {
                let edge = self.add_link(name.clone(), cable, ends)?;
                self.join(ends, edge)?;
                self.join(turned, edge)
            }
            Duplex::Split => {
                let up = self.add_link(format!("{name}.up"), cable, ends)?;
                let down = self.add_link(format!("{name}.down"), cable, turned)?;
                self.join(ends, up)?;
                self.join(turned, down)
            }
        }
    }

    fn add_link(&mut self, name: String, cable: &Cable, ends: [u32; 2]) -> Result<u32, Problem> {
        let link = self.builder.link(Link {
            name: name.clone(),
            bytes_per_s: cable.wire.bytes_per_s,
            latency_s: cable.wire.latency_s,
            sharing: cable.sharing,
            background: cable.background,
        })?;
        let both_ways = cable.duplex == Duplex::Half;
        if self.links.contains_key(&name) {
            refuse!("two links are named `{name}`: choose different names for the cables");
        }
        self.links.insert(
            name,
            Edge {
                link,
                ends,
                both_ways,
            },
        );
        Ok(link)
    }

    /// Adds a link to the graph for finding routes, unless it contains a parallel link.
    fn join(&mut self, [from, to]: [u32; 2], link: u32) -> Result<(), Problem> {
        let id = |point: u32| self.builder.platform.points[point as usize].id;
        let (from, to) = (id(from), id(to));
        if !self.routing.has(from, to) {
            let links = self.builder.list(&[link])?;
            self.routing.add(from, to, Hop::inside(links));
        }
        Ok(())
    }

    fn add_route(&mut self, route: &GivenRoute) -> Result<(), Problem> {
        let GivenRoute { from, to, links } = route;
        let user = format!("the route from `{from}` to `{to}`");
        let (src, dst) = (self.point(from, &user)?, self.point(to, &user)?);
        let mut visited = vec![src];
        let mut list = Vec::new();
        let mut at = src;
        for name in links {
            let Some(edge) = self.links.get(name) else {
                refuse!("{user} names the link `{name}`, which no cable has");
            };
            let Some(next) = edge.leads_to(at) else {
                let place = self.builder.platform.point_name(at);
                refuse!("{user} takes the link `{name}`, which does not start at `{place}`");
            };
            if visited.contains(&next) {
                let place = self.builder.platform.point_name(next);
                refuse!("{user} loops: it reaches `{place}` twice");
            }
            visited.push(next);
            list.push(edge.link);
            at = next;
        }
        if at != dst {
            let place = self.builder.platform.point_name(at);
            refuse!("{user} ends at `{place}`: add the missing links");
        }
        let links = self.builder.list(&list)?;
        let zone = &mut self.builder.platform.zones[self.zone as usize];
        if zone
            .bypasses
            .insert((src, dst), Hop::inside(links))
            .is_some()
        {
            refuse!("{user} exists twice");
        }
        Ok(())
    }
}
