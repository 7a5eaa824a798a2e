//! Zones: parts of a platform, each with its own way to find routes.

use std::collections::BTreeMap;

use crate::dijkstra::Dijkstra;
use crate::dragonfly::DragonflyZone;
use crate::fat_tree::FatTreeZone;
use crate::floyd::Floyd;
use crate::lists::Hop;
use crate::star::Star;
use crate::torus::TorusZone;
use crate::vivaldi::Vivaldi;

/// End of routes inside a zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) zone: u32,
    /// Index among the points of that zone.
    pub(crate) id: u32,
    pub(crate) what: What,
}

/// Kind of a point, with its index among all points of the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Host(u32),
    Router(u32),
    Zone(u32),
}

#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) name: String,
    /// Zone around it, or `NONE`.
    pub(crate) parent: u32,
    /// Number of zones around it.
    pub(crate) depth: u32,
    /// Point that stands for it in its parent.
    pub(crate) point: u32,
    /// Points in it, by index.
    pub(crate) points: Vec<u32>,
    pub(crate) holds_zones: bool,
    pub(crate) routing: Routing,
    /// Routes that take precedence over the routing's own, by the points that they join.
    pub(crate) bypasses: BTreeMap<(u32, u32), Hop>,
}

/// Way to find a route between two points of a zone.
#[derive(Debug)]
pub(crate) enum Routing {
    Empty,
    /// A table of all routes, by the indices of points in the zone.
    Full(BTreeMap<(u32, u32), Hop>),
    Floyd(Floyd),
    Dijkstra(Dijkstra),
    Star(Star),
    Vivaldi(Vivaldi),
    FatTree(FatTreeZone),
    Torus(TorusZone),
    Dragonfly(DragonflyZone),
}
