//! Numbers of the requests of a rank: the lowest that is free.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Number of all requests for which nothing waits alone: a wait for all ends them.
pub(crate) const SHARED: u32 = u32::MAX - 3;
/// Numbers of the requests of an exchange whose ends differ: its receive and its send.
pub(crate) const EXCHANGED: [u32; 2] = [u32::MAX - 1, u32::MAX - 2];

/// Requests that are under way, by their names in a trace.
#[derive(Debug)]
pub(crate) struct Requests<K> {
    open: BTreeMap<K, VecDeque<OpenRequest>>,
    free: BTreeSet<u32>,
    next: u32,
    /// Number of requests under way.
    count: usize,
    /// Number of requests that began so far.
    begun: u64,
}

/// A request under way.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    number: u32,
    /// Number of requests that began before.
    before: u64,
}

impl<K> Default for Requests<K> {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            free: BTreeSet::new(),
            next: 0,
            count: 0,
            begun: 0,
        }
    }
}

impl<K: Ord> Requests<K> {
    /// Begins a request; returns its number.
    pub(crate) fn begin(&mut self, key: K) -> u32 {
        let number = self.free.pop_first().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        let before = self.begun;
        self.begun += 1;
        self.count += 1;
        let open = OpenRequest { number, before };
        self.open.entry(key).or_default().push_back(open);
        number
    }

    /// Ends the oldest request of that key; returns its number, which is free again.
    pub(crate) fn end(&mut self, key: &K) -> Option<u32> {
        let numbers = self.open.get_mut(key)?;
        let OpenRequest { number, .. } = numbers.pop_front()?;
        if numbers.is_empty() {
            self.open.remove(key);
        }
        self.free.insert(number);
        self.count -= 1;
        Some(number)
    }

    pub(crate) fn is_open(&self, key: &K) -> bool {
        self.open.contains_key(key)
    }

    /// Number of requests of that key under way.
    pub(crate) fn open(&self, key: &K) -> usize {
        self.open.get(key).map_or(0, VecDeque::len)
    }

    /// Number of requests under way.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// All requests under way.
    pub(crate) fn all(&self) -> &BTreeMap<K, VecDeque<OpenRequest>> {
        &self.open
    }

    /// Number of requests that began before the oldest of that key.
    pub(crate) fn began(&self, key: &K) -> Option<u64> {
        let oldest = self.open.get(key)?.front()?;
        Some(oldest.before)
    }

    /// Ends all requests; true if there were any.
    pub(crate) fn end_all(&mut self) -> bool {
        let were_any = !self.open.is_empty();
        *self = Self::default();
        were_any
    }
}
