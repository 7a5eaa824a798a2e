//! Computes Internet latencies from coordinates.
//!
//! F. Dabek and others: Vivaldi: a decentralized network coordinate system, SIGCOMM 2004.

use std::collections::BTreeMap;

use crate::star::Star;

/// Routing in a zone of points with coordinates: a star, with the distance of the points as an
/// additional latency in milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Vivaldi {
    pub(crate) star: Star,
    /// Coordinates of points by index in the zone: two in the plane, and the height above it.
    pub(crate) places: BTreeMap<u32, [f64; 3]>,
    /// Routers of nested zones, by the index of the zone's point.
    pub(crate) routers: BTreeMap<u32, u32>,
}

impl Vivaldi {
    /// Returns the latency between two points in seconds; `None` if one of them has no coordinates.
    pub(crate) fn distance_s(&self, src: u32, dst: u32) -> Option<f64> {
        let [x1, y1, height1] = *self.places.get(&src)?;
        let [x2, y2, height2] = *self.places.get(&dst)?;
        let plane = ((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2)).sqrt();
        Some((plane + height1.abs() + height2.abs()) / 1e3)
    }

    /// Returns the routers where a route leaves one zone and enters another.
    pub(crate) fn gateways(&self, src: u32, dst: u32) -> Option<(u32, u32)> {
        Some((*self.routers.get(&src)?, *self.routers.get(&dst)?))
    }
}
