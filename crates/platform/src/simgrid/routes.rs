//! Reads routes in zones, routes between zones, and bypass routes, which take precedence over both.

use prophet_text::Problem;

use super::reader::{Kind, OpenRoute, Reader, Wires};
use super::tag::Tag;
use crate::lists::Hop;
use crate::platform::Platform;

use crate::refuse::refuse;
use crate::zone::What;

impl Reader<'_> {
    pub(super) fn open_route(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let (between_zones, bypass) = match tag.name.as_str() {
            "route" => (false, false),
            "zoneRoute" | "ASroute" => (true, false),
            "bypassRoute" => (false, true),
            "bypassZoneRoute" | "bypassASroute" => (true, true),
            name => refuse!("`{name}` is not a SimGrid element: correct or remove it"),
        };
        if let Some(open) = &self.route {
            refuse!(
                "`{}` is inside `{}`: close the outer element first",
                tag.name,
                open.element
            );
        }
        let (src, dst) = (self.end_of(tag, "src")?, self.end_of(tag, "dst")?);
        let mut gateways = None;
        if between_zones {
            let leaves = self.gateway(tag, "gw_src", src)?;
            let enters = self.gateway(tag, "gw_dst", dst)?;
            gateways = Some((leaves, enters));
        }
        self.check_ends(&tag.name, [src, dst], between_zones, bypass)?;
        let symmetrical = match tag.optional("symmetrical").as_deref() {
            None | Some("YES" | "yes") => !bypass,
            Some("NO" | "no") => false,
            Some(other) => refuse!("unknown value `{other}` of `symmetrical`; use YES or NO"),
        };
        self.route = Some(OpenRoute {
            element: tag.name.clone(),
            src,
            dst,
            gateways,
            bypass,
            symmetrical,
            there: Vec::new(),
            back: Vec::new(),
        });
        Ok(())
    }

    /// Finds the point that an attribute of a route refers to.
    fn end_of(&self, tag: &mut Tag, attribute: &str) -> Result<u32, Problem> {
        let name = tag.required(attribute)?;
        match self.points.get(&name) {
            Some(point) => Ok(*point),
            None => refuse!(
                "`{}` has the {attribute} `{name}`, which is not above it: add it, or correct \
                 the name",
                tag.name
            ),
        }
    }

    fn gateway(&self, tag: &mut Tag, attribute: &str, zone: u32) -> Result<u32, Problem> {
        let point = self.end_of(tag, attribute)?;
        let platform = &self.builder.platform;
        let name = platform.point_name(point);
        match (
            platform.points[zone as usize].what,
            platform.points[point as usize].what,
        ) {
            (_, What::Zone(_)) => {
                refuse!("the gateway `{name}` is a zone: name a host or router in it")
            }
            (What::Zone(zone), _) if platform.zones_around(point).contains(&zone) => Ok(point),
            (What::Zone(zone), _) => refuse!(
                "the gateway `{name}` is not in zone `{}`: name a gateway in that zone",
                platform.zones[zone as usize].name
            ),
            _ => refuse!(
                "`{}` connects zones, but `{}` is not a zone: use `route`",
                tag.name,
                platform.point_name(zone)
            ),
        }
    }

    /// Checks that the ends of a route are in the open zone.
    fn check_ends(
        &mut self,
        element: &str,
        ends: [u32; 2],
        between_zones: bool,
        bypass: bool,
    ) -> Result<(), Problem> {
        let zone = self.zone(element)?;
        let (zone, kind) = (zone.zone, zone.kind);
        let platform = &self.builder.platform;
        for point in ends {
            let at = platform.points[point as usize];
            let name = platform.point_name(point);
            if between_zones != matches!(at.what, What::Zone(_)) {
                refuse!(
                    "`{element}` names `{name}`: use `zoneRoute` for zones, and `route` for \
                     everything else"
                );
            }
            let deeper = bypass && between_zones;
            if at.zone != zone && !(deeper && platform.zones_around(point).contains(&zone)) {
                let zone = &platform.zones[zone as usize].name;
                refuse!("`{name}` is not in zone `{zone}`, which contains the route: move it");
            }
        }
        if between_zones && ends[0] == ends[1] {
            let name = platform.point_name(ends[0]);
            refuse!(
                "`{element}` connects zone `{name}` to itself: describe the route inside the zone"
            );
        }
        let loopback = ends[0] == ends[1] && kind == Kind::Cluster;
        if !bypass && !loopback && matches!(kind, Kind::None | Kind::Cluster | Kind::Vivaldi) {
            refuse!(
                "the routing of this zone does not support `{element}`: use Full, Floyd or \
                 Dijkstra"
            );
        }
        Ok(())
    }

    pub(super) fn link_of_route(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let name = tag.required("id")?;
        let direction = tag.optional("direction");
        let wires = self.links.get(&name).copied();
        let Some(route) = &mut self.route else {
            refuse!("`link_ctn` of `{name}` is not in a route: move it");
        };
        let (there, back) = match (wires, direction.as_deref().unwrap_or("NONE")) {
            (None, _) => {
                refuse!("link `{name}` is not described before this line: describe it first")
            }
            (Some(Wires::One(link)), "NONE") => (link, link),
            (Some(Wires::Split { up, down }), "UP") => (up, down),
            (Some(Wires::Split { up, down }), "DOWN") => (down, up),
            (Some(Wires::Split { .. }), "NONE") => {
                refuse!("link `{name}` has one link per direction: add a `direction` to `link_ctn`")
            }
            (Some(Wires::One(_)), direction @ ("UP" | "DOWN")) => refuse!(
                "link `{name}` has no direction {direction}: make it SPLITDUPLEX, or remove the \
                 direction"
            ),
            (_, other) => refuse!("unknown direction `{other}`; use UP or DOWN"),
        };
        if route.there.contains(&there) {
            refuse!("the route loops: it takes the link `{name}` twice");
        }
        route.there.push(there);
        route.back.push(back);
        Ok(())
    }

    pub(super) fn close_route(&mut self) -> Result<(), Problem> {
        let Some(mut route) = self.route.take() else {
            return Ok(());
        };
        let name = |platform: &Platform, point| platform.point_name(point).to_owned();
        if route.there.is_empty() {
            refuse!(
                "the route from `{}` to `{}` has no links: add a `link_ctn`",
                name(&self.builder.platform, route.src),
                name(&self.builder.platform, route.dst)
            );
        }
        let links = self.builder.list(&route.there)?;
        let hop = Hop {
            links,
            gateways: route.gateways,
        };
        if route.bypass {
            let zone = self.zone("bypassRoute")?.zone;
            let zone = &mut self.builder.platform.zones[zone as usize];
            if zone.bypasses.insert((route.src, route.dst), hop).is_some() {
                refuse!("there is already a bypass between these points: remove one");
            }
            return Ok(());
        }
        self.add_route(route.src, route.dst, hop)?;
        if route.symmetrical && route.src != route.dst {
            route.back.reverse();
            let links = self.builder.list(&route.back)?;
            let gateways = route.gateways.map(|(leaves, enters)| (enters, leaves));
            self.add_route(route.dst, route.src, Hop { links, gateways })?;
        }
        Ok(())
    }

    fn add_route(&mut self, src: u32, dst: u32, hop: Hop) -> Result<(), Problem> {
        let (from, to) = (self.id(src), self.id(dst));
        let zone = self.zone("route")?;
        let is_new = match zone.kind {
            Kind::Full | Kind::Floyd => zone.table.insert((from, to), hop).is_none(),
            Kind::Dijkstra => zone.graph.add(from, to, hop),
            Kind::Cluster => {
                let mut spoke = zone
                    .star
                    .spokes
                    .get(from as usize)
                    .copied()
                    .unwrap_or_default();
                spoke.loopback = hop.links;
                zone.star.set(from, spoke);
                true
            }
            Kind::None | Kind::Vivaldi => false,
        };
        if !is_new {
            let platform = &self.builder.platform;
            refuse!(
                "there is already a route from `{}` to `{}`, or the zone has too many points: \
                 routes go both ways unless `symmetrical` is NO",
                platform.point_name(src),
                platform.point_name(dst)
            );
        }
        Ok(())
    }
}
