//! Finds routes through nested zones, in the same way as `SimGrid`.

use std::fmt;

use crate::lists::{Hop, NONE};
use crate::platform::{Platform, Route};
use crate::zone::{Routing, What};

const ROUTE_LINKS_MAX: usize = 1 << 16;

/// Maximum nesting of routes. They nest because a route can need routes to its gateways.
const NESTED_MAX: u32 = 512;

/// Error for two hosts that aren't connected, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRoute {
    pub from: String,
    pub to: String,
    why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    NoHost,
    /// A zone has no route between two of its points.
    Missing {
        zone: String,
        from: String,
        to: String,
    },
    /// A route between zones doesn't name its gateways.
    NoGateway {
        zone: String,
    },
    TooLong,
}

impl fmt::Display for NoRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRoute { from, to, why } = self;
        write!(f, "there is no route from `{from}` to `{to}`: ")?;
        match why {
            Why::NoHost => f.write_str("the machine has fewer hosts"),
            Why::Missing { zone, from, to } => write!(
                f,
                "zone `{zone}` has no route from `{from}` to `{to}`; describe it"
            ),
            Why::NoGateway { zone } => write!(
                f,
                "zone `{zone}` does not say which points the route goes through; describe gateways"
            ),
            Why::TooLong => write!(
                f,
                "it has more than {ROUTE_LINKS_MAX} links, or goes through its own gateways"
            ),
        }
    }
}

impl std::error::Error for NoRoute {}

impl Platform {
    /// Finds the route from one host to another, and stores it in `into`, reusing its memory.
    ///
    /// A host's route to itself is its loopback link, if it has one. Otherwise, the route depends
    /// on the topology: for example, it can lead to the switch and back.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no route between the hosts. In that case, don't use the content
    /// of `into`.
    pub fn route(&self, from: u32, to: u32, into: &mut Route) -> Result<(), NoRoute> {
        into.links.clear();
        into.latency_s = 0.0;
        let refused = |why| NoRoute {
            from: self.host_name(from),
            to: self.host_name(to),
            why,
        };
        let point = |host: u32| self.host_points.get(host as usize).copied();
        let (Some(src), Some(dst)) = (point(from), point(to)) else {
            return Err(refused(Why::NoHost));
        };
        let mut walk = Walk {
            platform: self,
            into,
        };
        walk.between(src, dst, 0).map_err(refused)
    }

    fn host_name(&self, host: u32) -> String {
        let host = host as usize;
        let name = self.hosts.get(host).map(|it| it.name.clone());
        name.unwrap_or_else(|| format!("host {host}"))
    }

    /// Returns the zones around a point, innermost first.
    pub(crate) fn zones_around(&self, point: u32) -> Vec<u32> {
        let mut zones = Vec::new();
        let mut zone = self.points[point as usize].zone;
        while zone != NONE {
            zones.push(zone);
            zone = self.zones[zone as usize].parent;
        }
        zones
    }
}

/// The points where a route leaves one zone and enters another.
pub(crate) type Gateways = Option<(u32, u32)>;

pub(crate) struct Walk<'a> {
    pub(crate) platform: &'a Platform,
    pub(crate) into: &'a mut Route,
}

impl Walk<'_> {
    /// Appends the route between two points.
    pub(crate) fn between(&mut self, src: u32, dst: u32, nested: u32) -> Result<(), Why> {
        if nested > NESTED_MAX {
            return Err(Why::TooLong);
        }
        let mut from = self.platform.zones_around(src);
        let mut to = self.platform.zones_around(dst);
        let common = leave_common(&mut from, &mut to);
        if self.bypass(common, (src, dst), (&from, &to), nested)? {
            return Ok(());
        }
        let zone_of = |zones: &[u32]| *zones.last().expect("a point lies in a zone");
        let (src_zone, dst_zone) = (zone_of(&from), zone_of(&to));
        if src_zone == dst_zone {
            self.inside(src_zone, src, dst, nested)?;
            return Ok(());
        }
        // This route comes after the route to its gateway, but the gateway isn't known before this
        // route.
        let mut middle = Route::default();
        let point = |zone: u32| self.platform.zones[zone as usize].point;
        let (src_point, dst_point) = (point(src_zone), point(dst_zone));
        let mut walk = Walk {
            platform: self.platform,
            into: &mut middle,
        };
        let gateways = walk.inside(common, src_point, dst_point, nested)?;
        let Some((leaves, enters)) = gateways else {
            let zone = self.platform.zones[common as usize].name.clone();
            return Err(Why::NoGateway { zone });
        };
        if src != leaves {
            self.between(src, leaves, nested + 1)?;
        }
        self.into.links.extend(&middle.links);
        self.into.latency_s += middle.latency_s;
        if enters != dst {
            self.between(enters, dst, nested + 1)?;
        }
        self.check_length()
    }

    /// Appends the route between two points of a zone, as the zone's routing determines it.
    fn inside(&mut self, zone: u32, src: u32, dst: u32, nested: u32) -> Result<Gateways, Why> {
        let platform = self.platform;
        let it = &platform.zones[zone as usize];
        let points = (
            &platform.points[src as usize],
            &platform.points[dst as usize],
        );
        let missing = || Why::Missing {
            zone: it.name.clone(),
            from: platform.point_name(src).to_owned(),
            to: platform.point_name(dst).to_owned(),
        };
        if points.0.zone != zone || points.1.zone != zone {
            return Err(missing());
        }
        let ids = (points.0.id, points.1.id);
        let forwards = |what| matches!(what, What::Router(_));
        let routers = forwards(points.0.what) || forwards(points.1.what);
        match &it.routing {
            Routing::Empty => Err(missing()),
            Routing::Full(table) => {
                let hop = table.get(&ids).ok_or_else(missing)?;
                self.hop(*hop);
                Ok(hop.gateways)
            }
            Routing::Floyd(floyd) => {
                let hops = floyd.hops(ids.0, ids.1).ok_or_else(missing)?;
                self.hops(&hops, nested)
            }
            Routing::Dijkstra(graph) => {
                let hops = graph.hops(ids.0, ids.1).ok_or_else(missing)?;
                self.hops(&hops, nested)
            }
            Routing::Star(star) => {
                self.append(|links| star.route(ids.0, ids.1, &platform.lists, links));
                Ok(None)
            }
            Routing::Vivaldi(vivaldi) => {
                let star = &vivaldi.star;
                self.append(|links| star.route(ids.0, ids.1, &platform.lists, links));
                let distance_s = vivaldi.distance_s(ids.0, ids.1).ok_or_else(missing)?;
                self.into.latency_s += distance_s;
                Ok(vivaldi.gateways(ids.0, ids.1))
            }
            Routing::FatTree(_) | Routing::Torus(_) | Routing::Dragonfly(_) if routers => {
                Err(missing())
            }
            Routing::FatTree(tree) => {
                self.append(|links| tree.route(ids.0, ids.1, links));
                Ok(None)
            }
            Routing::Torus(torus) => {
                self.append(|links| torus.route(ids.0, ids.1, links));
                Ok(None)
            }
            Routing::Dragonfly(dragonfly) => {
                self.append(|links| dragonfly.route(ids.0, ids.1, links));
                Ok(None)
            }
        }
    }

    /// Appends routes one after another, and connects the end of each to the start of the next.
    fn hops(&mut self, hops: &[Hop], nested: u32) -> Result<Gateways, Why> {
        let mut entered: Option<u32> = None;
        for hop in hops {
            if let (Some(entered), Some((leaves, _))) = (entered, hop.gateways)
                && entered != leaves
            {
                self.between(entered, leaves, nested + 1)?;
            }
            self.hop(*hop);
            self.check_length()?;
            entered = hop.gateways.map(|it| it.1);
        }
        let first = hops.first().and_then(|it| it.gateways);
        let last = hops.last().and_then(|it| it.gateways);
        Ok(first.zip(last).map(|(first, last)| (first.0, last.1)))
    }

    /// Appends a bypass route, which takes precedence over the routing. Returns `false` if there is
    /// none.
    fn bypass(
        &mut self,
        common: u32,
        (src, dst): (u32, u32),
        (from, to): (&[u32], &[u32]),
        nested: u32,
    ) -> Result<bool, Why> {
        let platform = self.platform;
        let zone = &platform.zones[common as usize];
        if zone.bypasses.is_empty() {
            return Ok(false);
        }
        let inside = |point: u32| platform.points[point as usize].zone == common;
        if inside(src) && inside(dst) {
            let Some(hop) = zone.bypasses.get(&(src, dst)) else {
                return Ok(false);
            };
            self.hop(*hop);
            return Ok(true);
        }
        let Some((key, hop)) = find_bypass(platform, common, from, to) else {
            return Ok(false);
        };
        let (leaves, enters) = hop.gateways.unwrap_or(key);
        if src != key.0 {
            self.between(src, leaves, nested + 1)?;
        }
        self.hop(hop);
        if dst != key.1 {
            self.between(enters, dst, nested + 1)?;
        }
        self.check_length()?;
        Ok(true)
    }

    fn hop(&mut self, hop: Hop) {
        let platform = self.platform;
        self.append(|links| links.extend(platform.list(hop.links)));
    }

    /// Appends the links that `search` finds, and adds their latencies.
    fn append(&mut self, search: impl FnOnce(&mut Vec<u32>)) {
        let begin = self.into.links.len();
        search(&mut self.into.links);
        for link in &self.into.links[begin..] {
            self.into.latency_s += self.platform.links[*link as usize].latency_s;
        }
    }

    fn check_length(&self) -> Result<(), Why> {
        let fits = self.into.links.len() <= ROUTE_LINKS_MAX;
        fits.then_some(()).ok_or(Why::TooLong)
    }
}

/// Removes common zones from the ends of both lists, and returns the innermost one.
///
/// Each list keeps at least one zone. If both lists keep the same zone, it is the result.
fn leave_common(from: &mut Vec<u32>, to: &mut Vec<u32>) -> u32 {
    let mut common = NONE;
    while from.len() > 1 && to.len() > 1 && from.last() == to.last() {
        common = *from.last().expect("it has two");
        from.pop();
        to.pop();
    }
    match (from.last(), to.last()) {
        (Some(from), Some(to)) if from == to => *from,
        _ => common,
    }
}

/// Finds the bypass route between the innermost zones possible around two points.
fn find_bypass(
    platform: &Platform,
    common: u32,
    from: &[u32],
    to: &[u32],
) -> Option<((u32, u32), Hop)> {
    let bypasses = &platform.zones[common as usize].bypasses;
    let lookup = |i: usize, j: usize| {
        let point = |zone: &u32| platform.zones[*zone as usize].point;
        let key = (point(from.get(i)?), point(to.get(j)?));
        bypasses.get(&key).map(|hop| (key, *hop))
    };
    (0..from.len().max(to.len())).find_map(|most| {
        let uneven = (0..most).find_map(|i| lookup(i, most).or_else(|| lookup(most, i)));
        uneven.or_else(|| lookup(most, most))
    })
}
