//! Reads zones, and sets up their routing once their content is known.

use std::collections::BTreeMap;

use prophet_text::Problem;

use super::reader::{Kind, OpenZone, Reader};
use super::tag::Tag;
use crate::dijkstra::Dijkstra;
use crate::floyd::{self, Floyd};
use crate::lists::{Hop, NONE, index};
use crate::platform::Sharing;

use crate::refuse::refuse;
use crate::site::plain;
use crate::star::{Spoke, Star};
use crate::vivaldi::Vivaldi;
use crate::zone::{Routing, What};

impl Reader<'_> {
    pub(super) fn open_zone(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let routing = tag.required("routing")?;
        let kind = match routing.to_lowercase().as_str() {
            "none" | "empty" => Kind::None,
            "full" => Kind::Full,
            "floyd" => Kind::Floyd,
            "dijkstra" | "dijkstracache" => Kind::Dijkstra,
            "cluster" => Kind::Cluster,
            "vivaldi" => Kind::Vivaldi,
            "wifi" => refuse!(
                "zone `{id}` is a WIFI zone, which is not supported: replace it by links with \
                 fixed bandwidths"
            ),
            _ => refuse!(
                "unknown routing `{routing}`; use Full, Floyd, Dijkstra, Cluster, Vivaldi or None"
            ),
        };
        let zone = self.add_zone(&id)?;
        self.zones.push(OpenZone {
            zone,
            kind,
            table: BTreeMap::new(),
            graph: Dijkstra::default(),
            star: Star::default(),
            cabinets: Vec::new(),
            host_links: Vec::new(),
            backbone: None,
        });
        Ok(())
    }

    /// Adds a zone inside the open zone. If no zone is open, adds the outermost zone.
    pub(super) fn add_zone(&mut self, id: &str) -> Result<u32, Problem> {
        let parent = self.zones.last().map_or(NONE, |it| it.zone);
        if parent == NONE {
            if !self.builder.platform.zones.is_empty() {
                refuse!("`{id}` is a second outermost zone: put both zones into one");
            }
            id.clone_into(&mut self.builder.platform.name);
        }
        if self.zones.last().is_some_and(|it| it.kind == Kind::Cluster) {
            refuse!("`{id}` is in a zone with Cluster routing, which can only contain hosts");
        }
        let zone = self.builder.zone(id, parent, Routing::Empty);
        let point = self.builder.platform.zones[zone as usize].point;
        self.name_point(id, point)?;
        Ok(zone)
    }

    pub(super) fn zone(&mut self, element: &str) -> Result<&mut OpenZone, Problem> {
        match self.zones.last_mut() {
            Some(zone) => Ok(zone),
            None => refuse!("`{element}` is not in a zone: put it into one"),
        }
    }

    pub(super) fn name_point(&mut self, name: &str, point: u32) -> Result<(), Problem> {
        if self.points.insert(name.to_owned(), point).is_some() {
            refuse!("two hosts, routers or zones are named `{name}`: choose different names");
        }
        Ok(())
    }

    pub(super) fn id(&self, point: u32) -> u32 {
        self.builder.platform.points[point as usize].id
    }

    pub(super) fn close_zone(&mut self) -> Result<(), Problem> {
        let Some(mut open) = self.zones.pop() else {
            return Ok(());
        };
        let routing = match open.kind {
            Kind::None => Routing::Empty,
            Kind::Full => {
                self.add_loopbacks(&mut open)?;
                Routing::Full(open.table)
            }
            Kind::Floyd => {
                self.add_loopbacks(&mut open)?;
                Routing::Floyd(self.floyd(open.zone, open.table)?)
            }
            Kind::Dijkstra => {
                self.add_loopbacks(&mut open)?;
                Routing::Dijkstra(open.graph)
            }
            Kind::Cluster => {
                let end = self.line;
                self.populate(&mut open)?;
                self.line = end;
                Routing::Star(open.star)
            }
            Kind::Vivaldi => Routing::Vivaldi(self.vivaldi(open.zone, open.star)),
        };
        self.builder.platform.zones[open.zone as usize].routing = routing;
        Ok(())
    }

    /// Adds loopbacks to the points of a zone, unless it contains other zones.
    fn add_loopbacks(&mut self, open: &mut OpenZone) -> Result<(), Problem> {
        let zone = &self.builder.platform.zones[open.zone as usize];
        if zone.holds_zones {
            return Ok(());
        }
        let points = match open.kind {
            Kind::Dijkstra => open.graph.points().collect::<Vec<u32>>(),
            _ => (0..index(zone.points.len())).collect(),
        };
        if points.is_empty() {
            return Ok(());
        }
        let link = match self.loopback {
            (_, Some(link)) => link,
            (wire, None) => {
                let name = "__loopback__".to_owned();
                self.builder.link(plain(name, wire, Sharing::Fatpipe))?
            }
        };
        self.loopback.1 = Some(link);
        let links = self.builder.list(&[link])?;
        let hop = Hop::inside(links);
        for point in points {
            match open.kind {
                Kind::Dijkstra if open.graph.has(point, point) => {}
                Kind::Dijkstra => drop(open.graph.add(point, point, hop)),
                _ => drop(open.table.entry((point, point)).or_insert(hop)),
            }
        }
        Ok(())
    }

    fn floyd(&self, zone: u32, table: BTreeMap<(u32, u32), Hop>) -> Result<Floyd, Problem> {
        let zone = &self.builder.platform.zones[zone as usize];
        if zone.points.len() > floyd::POINTS_MAX {
            refuse!(
                "zone `{}` has {} points, but Floyd routing supports at most {}: use Dijkstra",
                zone.name,
                zone.points.len(),
                floyd::POINTS_MAX
            );
        }
        Ok(Floyd::new(table, zone.points.len()))
    }

    /// Adds the content of a zone with Cluster routing: the backbone, the links of hosts, and
    /// cabinets.
    fn populate(&mut self, open: &mut OpenZone) -> Result<(), Problem> {
        let mut center = None;
        if let Some((line, backbone)) = open.backbone.take() {
            self.line = line;
            center = Some(self.add_link(backbone)?);
        }
        for it in std::mem::take(&mut open.host_links) {
            self.line = it.line;
            let point = self.points.get(&it.host).copied();
            let inside = |point: &u32| {
                let point = self.builder.platform.points[*point as usize];
                point.zone == open.zone && matches!(point.what, What::Host(_))
            };
            let Some(point) = point.filter(inside) else {
                refuse!(
                    "`host_link` names `{}`, which is not a host of this zone",
                    it.host
                );
            };
            let ways = (self.one_link(&it.up)?, self.one_link(&it.down)?);
            let id = self.id(point);
            let spoke = self.spoke(ways, center)?;
            open.star.set(id, spoke);
        }
        for cabinet in std::mem::take(&mut open.cabinets) {
            self.line = cabinet.line;
            self.populate_cabinet(open, &cabinet, center)?;
        }
        Ok(())
    }

    /// Returns the spoke of a host, which consists of its own links and the backbone.
    pub(super) fn spoke(
        &mut self,
        (up, down): (u32, u32),
        center: Option<u32>,
    ) -> Result<Spoke, Problem> {
        let rising: Vec<u32> = [Some(up), center].into_iter().flatten().collect();
        let falling: Vec<u32> = [center, Some(down)].into_iter().flatten().collect();
        Ok(Spoke {
            up: self.builder.list(&rising)?,
            down: self.builder.list(&falling)?,
            ..Spoke::default()
        })
    }

    /// Creates routing by coordinates. A nested zone has the coordinates of the router with its
    /// name.
    fn vivaldi(&self, zone: u32, star: Star) -> Vivaldi {
        let mut vivaldi = Vivaldi {
            star,
            ..Vivaldi::default()
        };
        let platform = &self.builder.platform;
        for point in &platform.zones[zone as usize].points {
            let at = &platform.points[*point as usize];
            let mut placed = *point;
            if let What::Zone(inner) = at.what {
                let name = format!("router_{}", platform.zones[inner as usize].name);
                if let Some(router) = self.points.get(&name) {
                    vivaldi.routers.insert(at.id, *router);
                    placed = *router;
                }
            }
            if let Some(place) = self.coordinates.get(&placed) {
                vivaldi.places.insert(at.id, *place);
            }
        }
        vivaldi
    }
}
