//! CPUs that were taken at one instant without a queue.

use crate::waiters::Waiter;

/// What may have to be asked for again, if others come at the same instant: a list for each node,
/// in one vector.
#[derive(Debug)]
pub(super) struct Taken {
    at_s: f64,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) nid: u32,
    /// The place of the node's entry before, if there is one.
    pub(super) previous: u32,
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

    /// Adds an entry of the instant `now_s`, after forgetting those of another one, and returns
    /// its place.
    #[inline]
    pub(super) fn push(&mut self, now_s: f64, entry: Entry) -> u32 {
        if self.at_s.to_bits() != now_s.to_bits() {
            self.at_s = now_s;
            self.entries.clear();
        }
        self.entries.push(entry);
        // There are fewer than 2^27 units, each with one entry an instant.
        u32::try_from(self.entries.len() - 1).unwrap_or(Self::NONE)
    }

    /// The entry of the instant `now_s` at a place that a node has noted; none when that is of an
    /// earlier instant, whose place nobody or another node has now.
    pub(super) fn get(&self, now_s: f64, nid: u32, place: u32) -> Option<&Entry> {
        let entry = self.entries.get(place as usize)?;
        (self.at_s.to_bits() == now_s.to_bits() && entry.nid == nid).then_some(entry)
    }
}
