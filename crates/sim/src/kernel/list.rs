//! Implements the event list, which stores future events and returns the earliest first.
//!
//! The list adapts to the number of events. A few events are kept in order. Up to a few hundred
//! events are all in a heap, which is fastest at that size. With more events, the heap contains
//! only the next ones, and all later events are in unsorted buckets by time: a *ladder queue*
//! (Tang, Goh and Thng 2005) with a heap at the bottom. Events beyond the last bucket are in `far`.
//! When the buckets are used up, the events in `far` are distributed over the buckets of a new
//! rung. If a bucket has too many events for the heap, they are distributed over a finer rung
//! below. Each event moves only a few times, at a cost that doesn't depend on the number of events,
//! and the heap limits the cost of unfavorable distributions of times.

mod few;
mod heap;
mod key;
mod pool;
mod rung;
#[cfg(test)]
mod tests;

use few::Few;
use heap::Heap;
pub(crate) use key::Key;
use key::SEQUENCE_END;
pub use key::UNITS_MAX;
use pool::{Bucket, Pool};
use rung::Rung;

/// Maximum number of events that move to the heap together if they could be spread over buckets
/// instead.
const CROWD: usize = 48;
/// A heap with more events than this is spread over a rung.
const HEAP_MAX: usize = 256;
/// If there are at most this many events, all go into the heap.
const FEW: usize = 128;
/// Maximum number of rungs. Then a heap is no longer spread, however large it is, because more
/// rungs wouldn't help.
const RUNGS_MAX: usize = 8;
/// Minimum number of canceled events to sweep. They must also make up half of the list.
const SWEEP_MIN: usize = 64;

#[derive(Debug)]
pub(crate) struct EventList {
    /// All events as long as there are only a few; otherwise empty.
    few: Few,
    /// The events of the latest bucket, sorted so that the earliest is last.
    soon: Vec<Key>,
    /// Whether `soon` has just been refilled.
    refilled: bool,
    /// Events that are earlier than those in all buckets.
    heap: Heap,
    /// A heap with more events than this should be spread.
    heap_max: usize,
    /// Rungs, from coarse to fine. Each rung covers the time span of one bucket in the rung before
    /// it, and the heap covers one bucket of the last rung. The first `depth` rungs are in use.
    rungs: Vec<Rung>,
    depth: usize,
    /// Events that are later than `reach`.
    far: Bucket,
    /// The latest time covered by the rungs and the heap, as bits.
    reach: u64,
    pool: Pool,
    /// Number of events in `rungs` and `far` together.
    later: usize,
    sequence: u64,
    canceled: usize,
}

impl EventList {
    pub(crate) const fn new() -> Self {
        Self {
            few: Few::new(),
            soon: Vec::new(),
            refilled: false,
            heap: Heap::new(),
            heap_max: HEAP_MAX,
            rungs: Vec::new(),
            depth: 0,
            far: Bucket::EMPTY,
            reach: u64::MAX,
            pool: Pool::new(),
            later: 0,
            sequence: 1,
            canceled: 0,
        }
    }

    /// Schedules `unit` at `time_s`, and returns the event's ticket. Returns `None` if [`Few`] has
    /// no room, or if the events must be renumbered.
    ///
    /// The time must be finite and non-negative.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn push_few(&mut self, time_s: f64, priority: u8, unit: u32) -> Option<u64> {
        if !self.few.has_room() || self.must_renumber() {
            return None;
        }
        let key = self.key(time_s, priority, unit);
        self.few.push(key);
        Some(key.ticket())
    }

    /// Schedules `unit` at `time_s`, and returns the event's ticket.
    ///
    /// The time must be finite and non-negative, and [`Self::must_renumber`] must be `false`.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn push(&mut self, time_s: f64, priority: u8, unit: u32) -> u64 {
        let key = self.key(time_s, priority, unit);
        self.insert(key);
        key.ticket()
    }

    #[inline]
    fn key(&mut self, time_s: f64, priority: u8, unit: u32) -> Key {
        let key = Key::new(time_s, priority, self.sequence, unit);
        self.sequence += 1;
        key
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn insert(&mut self, key: Key) {
        if self.later == 0 && self.are_few() {
            return self.few.push(key);
        }
        if key.time_bits() > self.reach {
            self.later += 1;
            return self.pool.push(&mut self.far, key);
        }
        let time_s = key.time_s();
        for rung in &mut self.rungs[..self.depth] {
            if let Some(bucket) = rung.bucket_mut(time_s) {
                self.later += 1;
                return self.pool.push(bucket, key);
            }
        }
        if !self.heap.push(key) && self.heap.len() > self.heap_max {
            self.relieve();
        }
    }

    /// Returns `true` if `few` has room. If it is full, its events move to the heap. It accepts
    /// events again once there are none left elsewhere.
    #[inline(never)]
    fn are_few(&mut self) -> bool {
        if self.few.len() > 0 && !self.few.has_room() {
            for key in self.few.close() {
                self.heap.push(key);
            }
        } else if self.soon.is_empty() && self.heap.is_empty() {
            self.heap.settle();
            (self.depth, self.reach) = (0, u64::MAX);
            self.few.open();
        }
        self.few.has_room()
    }

    #[inline]
    pub(crate) fn first(&mut self) -> Option<Key> {
        self.few.first().or_else(|| self.first_of_many())
    }

    #[inline]
    fn first_of_many(&mut self) -> Option<Key> {
        if self.soon.is_empty() && self.heap.is_empty() && self.later > 0 {
            self.refill();
        }
        match (self.soon.last(), self.heap.first()) {
            (Some(soon), Some(heap)) => Some(heap.min(*soon)),
            (soon, heap) => soon.copied().or(heap),
        }
    }

    /// Removes `first`, the earliest event. If it is the first of its bucket, `fetch` is called
    /// with the units of the next bucket, so that their memory can be prefetched. Each event known
    /// by then is reported once.
    #[inline]
    pub(crate) fn take(&mut self, first: Key, fetch: impl Fn(u32)) {
        if self.few.pop() {
            return;
        }
        self.vacate(first);
        if std::mem::take(&mut self.refilled) {
            let rung = self.rungs[..self.depth].last();
            let bucket = rung.and_then(Rung::peek_next).unwrap_or(Bucket::EMPTY);
            for key in self.pool.iter(bucket).take(CROWD) {
                fetch(key.unit());
            }
        }
    }

    /// Removes `first`, the earliest event. If [`Self::push`] follows soon, the new event can take
    /// its place.
    #[inline]
    fn vacate(&mut self, first: Key) {
        if self.soon.last() == Some(&first) {
            self.soon.pop();
        } else {
            self.heap.vacate();
        }
    }

    pub(crate) fn skip(&mut self, first: Key) {
        self.canceled = self.canceled.saturating_sub(1);
        self.take(first, |_| ());
    }

    /// Counts a canceled event; returns `true` if it is time to [`Self::sweep`].
    pub(crate) fn cancel(&mut self) -> bool {
        self.canceled += 1;
        self.canceled >= SWEEP_MIN
            && self.canceled * 2 > self.soon.len() + self.heap.len() + self.later
    }

    /// Removes all events that `live` rejects.
    pub(crate) fn sweep(&mut self, mut live: impl FnMut(Key) -> bool) {
        let mut keys = self.take_all();
        keys.retain(|key| live(*key));
        self.canceled = 0;
        self.put_all(keys);
    }

    /// Returns `true` if no sequence numbers are left.
    #[inline]
    pub(crate) fn must_renumber(&self) -> bool {
        self.sequence >= SEQUENCE_END
    }

    /// Assigns the lowest sequence numbers to the events, keeping their order. Calls `renamed` with
    /// each event's old key and new ticket. Canceled events must already have been removed.
    pub(crate) fn renumber(&mut self, mut renamed: impl FnMut(Key, u64)) {
        let mut keys = self.take_all();
        keys.sort_unstable();
        self.sequence = 1;
        for key in &mut keys {
            let new = key.renumbered(self.sequence);
            self.sequence += 1;
            renamed(*key, new.ticket());
            *key = new;
        }
        self.put_all(keys);
    }

    /// Makes the next events available. All events must be in buckets.
    #[inline(never)]
    fn refill(&mut self) {
        self.heap.settle();
        self.heap_max = HEAP_MAX;
        while self.soon.is_empty() && self.heap.is_empty() {
            let bucket = match self.depth.checked_sub(1) {
                Some(last) => {
                    let Some(bucket) = self.rungs[last].take_next() else {
                        self.depth -= 1;
                        continue;
                    };
                    bucket
                }
                None => std::mem::replace(&mut self.far, Bucket::EMPTY),
            };
            let crowd = if self.depth == 0 { FEW } else { CROWD };
            if self.depth == 0 {
                let latest = self.pool.iter(bucket).map(Key::time_bits).max();
                let crowded = bucket.len() > crowd;
                self.reach = latest.filter(|_| crowded).unwrap_or(u64::MAX);
            }
            if bucket.len() <= crowd || !self.spread(bucket) {
                self.later -= bucket.len();
                if self.reach == u64::MAX {
                    self.heap.fill(self.pool.drain(bucket));
                } else {
                    let mut bucket = bucket;
                    while let Some((keys, len)) = self.pool.take_part(&mut bucket) {
                        self.soon.extend_from_slice(&keys[..len]);
                    }
                    sort(&mut self.soon);
                    self.refilled = true;
                }
            }
        }
    }

    /// Spreads a bucket over a new, finest rung; returns `false` if that isn't possible.
    fn spread(&mut self, mut bucket: Bucket) -> bool {
        if self.depth == RUNGS_MAX {
            return false;
        }
        if self.depth == self.rungs.len() {
            self.rungs.push(Rung::new());
        }
        let rung = &mut self.rungs[self.depth];
        let times = self.pool.iter(bucket).map(Key::time_s);
        let (min_s, max_s) = times.fold((f64::MAX, 0.0_f64), |(min_s, max_s), time_s| {
            (min_s.min(time_s), max_s.max(time_s))
        });
        if !rung.cover(min_s, max_s, bucket.len()) {
            return false;
        }
        while let Some((keys, len)) = self.pool.take_part(&mut bucket) {
            for key in &keys[..len] {
                if let Some(bucket) = rung.bucket_mut(key.time_s()) {
                    self.pool.push(bucket, *key);
                }
            }
        }
        self.depth += 1;
        true
    }

    /// Spreads the heap over a rung, because it is too large.
    #[cold]
    fn relieve(&mut self) {
        let mut bucket = Bucket::EMPTY;
        let mut latest = 0;
        for key in self.heap.drain() {
            latest = latest.max(key.time_bits());
            self.pool.push(&mut bucket, key);
        }
        if self.depth == 0 && self.reach == u64::MAX {
            self.reach = latest;
        }
        if self.spread(bucket) {
            self.later += bucket.len();
        } else {
            self.heap_max = 2 * bucket.len();
            self.heap.fill(self.pool.drain(bucket));
        }
    }

    fn take_all(&mut self) -> Vec<Key> {
        let mut keys = std::mem::take(&mut self.soon);
        keys.extend(self.few.close());
        keys.extend(self.heap.drain());
        while self.later > 0 {
            self.refill();
            keys.append(&mut self.soon);
            keys.extend(self.heap.drain());
        }
        keys
    }

    fn put_all(&mut self, keys: Vec<Key>) {
        for key in keys {
            self.insert(key);
        }
    }

    #[cfg(test)]
    pub(crate) fn use_up_sequence(&mut self) {
        self.sequence = SEQUENCE_END;
    }
}

/// Sorts keys, which are all different, so that the earliest is last.
fn sort(keys: &mut [Key]) {
    /// Up to this many keys are sorted by counting, for each key, how many are later. With so few
    /// keys this is the fastest way, because it takes no branches.
    const RANKED_MAX: usize = 16;
    if keys.len() > RANKED_MAX {
        keys.sort_unstable_by(|a, b| b.cmp(a));
        return;
    }
    let mut unsorted = [Key::LAST; RANKED_MAX];
    let unsorted = &mut unsorted[..keys.len()];
    unsorted.copy_from_slice(keys);
    for key in &*unsorted {
        let later = unsorted.iter().filter(|other| *other > key).count();
        keys[later] = *key;
    }
}
