//! Numbers the requests of a rank, always using the lowest free number.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Number shared by all requests without their own wait. A wait for all requests completes them.
pub(crate) const SHARED: u32 = u32::MAX - 3;
/// Numbers of the receive and the send in an exchange with different partners.
pub(crate) const EXCHANGED: [u32; 2] = [u32::MAX - 1, u32::MAX - 2];

#[derive(Debug)]
pub(crate) struct Requests<K> {
    open: BTreeMap<K, VecDeque<OpenRequest>>,
    free: BTreeSet<u32>,
    next: u32,
    count: usize,
    begun: u64,
}

#[derive(Debug)]
pub(crate) struct OpenRequest {
    number: u32,
    /// Number of requests that were started before this one.
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

    /// Ends the oldest request with this key. Frees the request's number and returns it.
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

    /// Returns the number of requests in flight with this key.
    pub(crate) fn open(&self, key: &K) -> usize {
        self.open.get(key).map_or(0, VecDeque::len)
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn all(&self) -> &BTreeMap<K, VecDeque<OpenRequest>> {
        &self.open
    }

    /// Returns how many requests were started before the oldest one with this key.
    pub(crate) fn began(&self, key: &K) -> Option<u64> {
        let oldest = self.open.get(key)?.front()?;
        Some(oldest.before)
    }

    /// Ends all requests. Returns `true` if there were any.
    pub(crate) fn end_all(&mut self) -> bool {
        let were_any = !self.open.is_empty();
        *self = Self::default();
        were_any
    }
}
