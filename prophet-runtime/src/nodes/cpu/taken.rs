//! Stores which CPUs were taken at the current instant without a queue.

use crate::kernel::Waiter;

/// Requests that must be repeated if others follow at the same instant: a list for each node, all
/// of them in one vector.
#[derive(Debug)]
pub(super) struct Taken {
    at_s: f64,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    nid: u32,
    /// Index of the previous entry of the same node at this instant, if there is one.
    previous: u32,
    pub(super) waiter: Waiter,
    pub(super) cost_s: f64,
}

impl Taken {
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) const fn new() -> Self {
        Self {
            at_s: f64::NAN,
            entries: Vec::new(),
        }
    }

    /// Adds an entry at the instant `now_s` and returns its index. Removes entries of an earlier
    /// instant. `latest` is the index that the node stored last.
    #[inline]
    pub(super) fn push(
        &mut self,
        now_s: f64,
        (nid, latest): (u32, u32),
        (waiter, cost_s): (Waiter, f64),
    ) -> u32 {
        if self.at_s.to_bits() != now_s.to_bits() {
            self.at_s = now_s;
            self.entries.clear();
        }
        // An index that a node stored at an earlier instant now belongs to no entry or to another
        // node's. So the entries of a node at this instant are those that it stored itself.
        let previous = match self.entries.get(latest as usize) {
            Some(entry) if entry.nid == nid => latest,
            Some(_) | None => Self::NONE,
        };
        self.entries.push(Entry {
            nid,
            previous,
            waiter,
            cost_s,
        });
        // There are fewer than 2^27 units, and each has at most one entry per instant.
        u32::try_from(self.entries.len() - 1).unwrap_or(Self::NONE)
    }

    /// Returns a node's entries at the instant `now_s`, oldest first. `latest` is the index that
    /// the node stored last.
    pub(super) fn of_node(&self, now_s: f64, nid: u32, latest: u32) -> Vec<Entry> {
        let is_now = self.at_s.to_bits() == now_s.to_bits();
        let first = is_now.then_some(latest);
        let entry = |place: u32| {
            let entry = self.entries.get(place as usize);
            entry.filter(|entry| entry.nid == nid)
        };
        let places = std::iter::successors(first, |place| Some(entry(*place)?.previous));
        let mut entries: Vec<_> = places.map_while(entry).copied().collect();
        entries.reverse();
        entries
    }
}
