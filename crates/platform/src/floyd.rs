//! Combines given routes into routes with the fewest links, for all pairs of points together.

use std::collections::BTreeMap;

use crate::lists::{Hop, NONE};

/// Maximum number of points in a zone. The time to find routes grows with the cube of this number.
pub(crate) const POINTS_MAX: usize = 1 << 10;

/// Table of shortest routes, by the indices of points in the zone.
///
/// If several routes have the same number of links, the order of their points decides, as in
/// `SimGrid`.
#[derive(Debug, Default)]
pub(crate) struct Floyd {
    given: BTreeMap<(u32, u32), Hop>,
    points: usize,
    /// For each pair of points, the last point before the destination.
    before: Vec<u32>,
}

impl Floyd {
    /// Finds the shortest routes between `points` points, as combinations of given routes.
    pub(crate) fn new(given: BTreeMap<(u32, u32), Hop>, points: usize) -> Self {
        let mut before = vec![NONE; points * points];
        let mut costs = vec![u64::MAX; points * points];
        for ((src, dst), hop) in &given {
            let pair = *src as usize * points + *dst as usize;
            before[pair] = *src;
            costs[pair] = u64::from(hop.links.len());
        }
        for middle in 0..points {
            // The row and column of the middle don't change, because a route through the middle
            // can't be shorter.
            let row = costs[middle * points..][..points].to_vec();
            let tails = before[middle * points..][..points].to_vec();
            for src in 0..points {
                let head = costs[src * points + middle];
                if head == u64::MAX {
                    continue;
                }
                let costs = &mut costs[src * points..][..points];
                let before = &mut before[src * points..][..points];
                for dst in 0..points {
                    let through = head.saturating_add(row[dst]);
                    if through < costs[dst] {
                        costs[dst] = through;
                        before[dst] = tails[dst];
                    }
                }
            }
        }
        Floyd {
            given,
            points,
            before,
        }
    }

    pub(crate) fn given(&self) -> &BTreeMap<(u32, u32), Hop> {
        &self.given
    }

    /// Returns the given routes that form the shortest route between two points; `None` if there is
    /// no route.
    pub(crate) fn hops(&self, src: u32, dst: u32) -> Option<Vec<Hop>> {
        let mut hops = Vec::new();
        let mut at = dst;
        loop {
            let before = *self.before.get(src as usize * self.points + at as usize)?;
            hops.push(*self.given.get(&(before, at))?);
            if before == src {
                hops.reverse();
                return Some(hops);
            }
            if hops.len() > self.points {
                return None;
            }
            at = before;
        }
    }
}
