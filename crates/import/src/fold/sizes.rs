//! Detects message sizes that depend on the program's data. If almost every call at a call site has
//! a different size, a model can only use the mean.

use std::collections::{BTreeMap, BTreeSet};

use crate::RankEvent;
use crate::event::Message;

/// Stands for a message size if only the mean is known.
pub(super) const MEAN: u64 = u64::MAX;
/// Number of a rank's sizes after which a call site is decided.
const ENOUGH: u32 = 48;
/// Minimum number of sizes for a decision.
const FEWEST: u32 = 8;

/// Finds call sites where message sizes depend on data.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    places: BTreeSet<u32>,
    /// The sizes of one rank at each call site.
    seen: BTreeMap<u32, SeenSizes>,
    /// Whether messages to one partner with two sizes suffice.
    is_relaxed: bool,
}

#[derive(Debug, Default)]
struct SeenSizes {
    count: u32,
    distinct: BTreeSet<u64>,
    /// The last size for each partner.
    of_peers: BTreeMap<Option<u32>, u64>,
}

impl SeenSizes {
    /// Returns `true` if enough sizes were seen and more than two thirds of them are different.
    fn vary(&self) -> bool {
        self.count >= FEWEST && 3 * self.distinct.len() > 2 * self.count as usize
    }
}

impl Sizes {
    pub(super) fn new(is_relaxed: bool) -> Self {
        Self {
            is_relaxed,
            ..Self::default()
        }
    }

    /// Returns the number of call sites where sizes depend on data.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Removes an event's size if it depends on data, and returns the event and the size.
    pub(super) fn without(&mut self, mut event: RankEvent, site: u32) -> (RankEvent, Option<u64>) {
        let mut messages = messages(&mut event);
        if self.is_relaxed {
            let seen = self.seen.entry(site).or_default();
            for message in messages.iter().flatten() {
                let before = message
                    .bytes
                    .and_then(|it| seen.of_peers.insert(message.peer, it));
                if before.is_some_and(|it| Some(it) != message.bytes) {
                    self.places.insert(site);
                }
            }
        }
        let mut sizes = messages.iter().flatten().filter_map(|it| it.bytes);
        let Some(first) = sizes.next() else {
            return (event, None);
        };
        let second = sizes.next();
        if !self.vary_at(site, first, second) {
            return (event, None);
        }
        for message in messages.iter_mut().flatten() {
            message.bytes = Some(MEAN);
        }
        (event, Some(first))
    }

    /// Records sizes at a call site. Returns `true` if sizes there depend on data.
    fn vary_at(&mut self, site: u32, first: u64, second: Option<u64>) -> bool {
        let seen = self.seen.entry(site).or_default();
        if seen.count < ENOUGH {
            for size in std::iter::once(first).chain(second) {
                seen.count += 1;
                seen.distinct.insert(size);
            }
            if seen.count >= ENOUGH && seen.vary() {
                self.places.insert(site);
            }
        }
        self.places.contains(&site)
    }

    pub(super) fn end_rank(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        let vary = seen.into_iter().filter(|it| it.1.vary());
        self.places.extend(vary.map(|it| it.0));
    }
}

pub(super) fn messages(event: &mut RankEvent) -> [Option<&mut Message>; 2] {
    match event {
        RankEvent::Send(it)
        | RankEvent::Receive(it)
        | RankEvent::BeginSend(it, _)
        | RankEvent::BeginReceive(it, _) => [Some(it), None],
        RankEvent::Exchange { to, from } => [Some(to), Some(from)],
        RankEvent::Compute(_)
        | RankEvent::Wait(_)
        | RankEvent::WaitAll
        | RankEvent::Collective(_) => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if these sizes, one per call, seem to depend on data.
    fn vary(sizes: impl Iterator<Item = u64>) -> bool {
        let mut all = Sizes::default();
        for bytes in sizes {
            let message = Message {
                peer: Some(1),
                tag: Some(0),
                bytes: Some(bytes),
            };
            all.without(RankEvent::Send(message), 7);
        }
        all.end_rank();
        all.len() == 1
    }

    #[test]
    fn sizes_that_rarely_come_again_depend_on_data() {
        assert!(vary((0..10).map(|it| it * it)));
        assert!(vary(0..100));
        // Levels of multigrid, twice; too few sizes; few distinct sizes.
        assert!(!vary((0..20).map(|it| 1 << (it % 10))));
        assert!(!vary(0..5));
        assert!(!vary((0..100).map(|it| it % 9)));
    }
}
