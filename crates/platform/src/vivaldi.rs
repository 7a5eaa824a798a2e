//! Computes Internet latencies from coordinates.
//!
//! F. Dabek and others: Vivaldi: a decentralized network coordinate system, SIGCOMM 2004.

use std::collections::BTreeMap;

use crate::star::Star;

/// Routing in a zone whose points have coordinates: a star, plus the distance as a latency in
/// milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Vivaldi {
    pub(crate) star: Star,
    /// For each point, by its index in the zone, its position in the plane and its height above the
    /// plane.
    pub(crate) places: BTreeMap<u32, [f64; 3]>,
    /// Routers that represent nested zones, by the index of the zone's point.
    pub(crate) routers: BTreeMap<u32, u32>,
}

impl Vivaldi {
    /// Returns the latency between two points in seconds, if both have coordinates.
    pub(crate) fn distance_s(&self, src: u32, dst: u32) -> Option<f64> {
        let [x1, y1, height1] = *self.places.get(&src)?;
        let [x2, y2, height2] = *self.places.get(&dst)?;
        let plane = ((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2)).sqrt();
        Some((plane + height1.abs() + height2.abs()) / 1e3)
    }

    /// Returns the routers through which a route leaves one zone and enters another.
    pub(crate) fn gateways(&self, src: u32, dst: u32) -> Option<(u32, u32)> {
        Some((*self.routers.get(&src)?, *self.routers.get(&dst)?))
    }
}
