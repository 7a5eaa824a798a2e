//! Defines zones: parts of a platform with their own routing.

use std::collections::BTreeMap;

use crate::dijkstra::Dijkstra;
use crate::dragonfly::DragonflyZone;
use crate::fat_tree::FatTreeZone;
use crate::floyd::Floyd;
use crate::lists::Hop;
use crate::star::Star;
use crate::torus::TorusZone;
use crate::vivaldi::Vivaldi;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) zone: u32,
    /// Index of the point within its zone.
    pub(crate) id: u32,
    pub(crate) what: What,
}

/// Kind of a point, with its index among the points of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Host(u32),
    Router(u32),
    Zone(u32),
}

#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) name: String,
    /// The zone around this zone; `NONE` for the outermost zone.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    pub(crate) point: u32,
    pub(crate) points: Vec<u32>,
    pub(crate) holds_zones: bool,
    pub(crate) routing: Routing,
    /// Routes that take precedence over the routing, by the points that they connect.
    pub(crate) bypasses: BTreeMap<(u32, u32), Hop>,
}

/// How to find the routes between the points of a zone.
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
