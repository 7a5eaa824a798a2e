//! Numbers of the requests of a rank: the lowest that is free.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Requests that are under way, by what a trace calls them.
#[derive(Debug)]
pub(crate) struct Requests<K> {
    open: BTreeMap<K, VecDeque<u32>>,
    free: BTreeSet<u32>,
    next: u32,
}

impl<K> Default for Requests<K> {
    fn default() -> Self {
        Self {
            open: BTreeMap::new(),
            free: BTreeSet::new(),
            next: 0,
        }
    }
}

impl<K: Ord> Requests<K> {
    /// Begins a request; gives its number.
    pub(crate) fn begin(&mut self, key: K) -> u32 {
        let number = self.free.pop_first().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.open.entry(key).or_default().push_back(number);
        number
    }

    /// Ends the oldest request of that key; gives its number, which is free again.
    pub(crate) fn end(&mut self, key: &K) -> Option<u32> {
        let numbers = self.open.get_mut(key)?;
        let number = numbers.pop_front()?;
        if numbers.is_empty() {
            self.open.remove(key);
        }
        self.free.insert(number);
        Some(number)
    }

    /// Ends all requests; true if there were any.
    pub(crate) fn end_all(&mut self) -> bool {
        let were_any = !self.open.is_empty();
        *self = Self::default();
        were_any
    }
}
