//! Stores the entries of all ranks' queues in one vector.

use std::collections::BTreeMap;

use crate::messages::letter::Envelope;

const NONE: u32 = u32::MAX;
/// Maximum length of a rank's list, which is searched from its start. More entries go into a map.
const LIST_MAX: u32 = 8;

/// An entry that can be found by its envelope.
pub(super) trait Addressed: Copy {
    fn envelope(&self) -> &Envelope;
}

#[derive(Debug)]
pub(super) struct Slab<T> {
    slots: Vec<Slot<T>>,
    free: u32,
    /// Number of entries added so far. It wraps.
    count: u32,
}

#[derive(Debug)]
struct Slot<T> {
    value: T,
    /// The next slot in the queue, or the next free slot.
    next: u32,
    /// Number of entries added before this one. It wraps. It takes no space, because alignment
    /// leaves a gap here.
    order: u32,
}

impl<T: Copy> Slab<T> {
    pub(super) const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: NONE,
            count: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "4 G entries do not fit in memory"
    )]
    pub(super) fn insert(&mut self, value: T) -> u32 {
        let new = Slot {
            value,
            next: NONE,
            order: self.count,
        };
        self.count = self.count.wrapping_add(1);
        if self.free == NONE {
            self.slots.push(new);
            return (self.slots.len() - 1) as u32;
        }
        let slot = self.free;
        self.free = self.next(slot);
        self.slots[slot as usize] = new;
        slot
    }

    pub(super) fn get(&self, slot: u32) -> T {
        self.slots[slot as usize].value
    }

    pub(super) fn remove(&mut self, slot: u32) -> T {
        let value = self.get(slot);
        self.slots[slot as usize].next = self.free;
        self.free = slot;
        value
    }

    fn next(&self, slot: u32) -> u32 {
        self.slots[slot as usize].next
    }

    fn append(&mut self, list: &mut List, value: T) {
        let slot = self.insert(value);
        if list.head == NONE {
            list.head = slot;
        } else {
            self.slots[list.tail as usize].next = slot;
        }
        list.tail = slot;
        list.len += 1;
    }

    fn find(&self, list: &List, wanted: impl Fn(&T) -> bool) -> Option<&T> {
        let mut slot = list.head;
        while slot != NONE {
            let Slot { value, next, .. } = &self.slots[slot as usize];
            if wanted(value) {
                return Some(value);
            }
            slot = *next;
        }
        None
    }

    /// Removes and returns the first entry of `list` that `wanted` accepts.
    fn take(&mut self, list: &mut List, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let mut before = NONE;
        let mut slot = list.head;
        while slot != NONE {
            let next = self.next(slot);
            if wanted(&self.slots[slot as usize].value) {
                if before == NONE {
                    list.head = next;
                } else {
                    self.slots[before as usize].next = next;
                }
                if next == NONE {
                    list.tail = before;
                }
                list.len -= 1;
                return Some(self.remove(slot));
            }
            before = slot;
            slot = next;
        }
        None
    }
}

#[derive(Debug, Clone, Copy)]
struct List {
    head: u32,
    tail: u32,
    len: u32,
}

impl List {
    const EMPTY: Self = Self {
        head: NONE,
        tail: NONE,
        len: 0,
    };
}

/// The waiting entries of a rank. The oldest entry with an envelope is found in constant time if
/// there are few entries, and in logarithmic time if there are many.
#[derive(Debug)]
pub(super) struct Queue {
    list: List,
    /// Entries that didn't fit in the list, by envelope. They are newer than those in the list. As
    /// long as there are any, new entries join them.
    #[expect(
        clippy::box_collection,
        reason = "most queues have none, and it is one word in each of them"
    )]
    many: Option<Box<BTreeMap<Envelope, List>>>,
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self {
            list: List::EMPTY,
            many: None,
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.list.head == NONE && self.many.is_none()
    }

    #[inline]
    pub(super) fn put<T: Addressed>(&mut self, slab: &mut Slab<T>, entry: T) {
        if self.list.len < LIST_MAX && self.many.is_none() {
            return slab.append(&mut self.list, entry);
        }
        let many = self.many.get_or_insert_default();
        let list = many.entry(*entry.envelope()).or_insert(List::EMPTY);
        slab.append(list, entry);
    }

    /// Takes the oldest entry with this envelope that `wanted` accepts.
    #[inline]
    pub(super) fn take_if<T: Addressed>(
        &mut self,
        slab: &mut Slab<T>,
        envelope: &Envelope,
        wanted: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let accepted = |entry: &T| entry.envelope() == envelope && wanted(entry);
        let taken = slab.take(&mut self.list, accepted);
        if taken.is_some() || self.many.is_none() {
            return taken;
        }
        self.take_of_many(slab, envelope, wanted)
    }

    #[inline(never)]
    fn take_of_many<T: Addressed>(
        &mut self,
        slab: &mut Slab<T>,
        envelope: &Envelope,
        wanted: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let many = self.many.as_mut()?;
        let list = many.get_mut(envelope)?;
        let taken = slab.take(list, wanted);
        if list.len == 0 {
            many.remove(envelope);
        }
        if many.is_empty() {
            self.many = None;
        }
        taken
    }

    #[inline]
    pub(super) fn take<T: Addressed>(
        &mut self,
        slab: &mut Slab<T>,
        envelope: &Envelope,
    ) -> Option<T> {
        self.take_if(slab, envelope, |_| true)
    }

    /// Removes the entry that `mine` accepts, whatever its envelope. Returns `true` if there was
    /// one.
    pub(super) fn withdraw<T: Addressed>(
        &mut self,
        slab: &mut Slab<T>,
        mine: impl Fn(&T) -> bool,
    ) -> bool {
        if slab.take(&mut self.list, &mine).is_some() {
            return true;
        }
        let many = self.many.iter().flat_map(|many| many.iter());
        let mut places = many.filter(|(_, list)| slab.find(list, &mine).is_some());
        let Some(envelope) = places.next().map(|(envelope, _)| *envelope) else {
            return false;
        };
        self.take_of_many(slab, &envelope, mine).is_some()
    }

    pub(super) fn oldest<'s, T: Addressed>(
        &self,
        slab: &'s Slab<T>,
        envelope: &Envelope,
    ) -> Option<&'s T> {
        let wanted = |entry: &T| entry.envelope() == envelope;
        slab.find(&self.list, wanted).or_else(|| {
            let list = self.many.as_ref()?.get(envelope)?;
            slab.find(list, |_| true)
        })
    }

    /// Returns the envelopes of all entries, possibly with duplicates.
    pub(super) fn envelopes<T: Addressed>(&self, slab: &Slab<T>) -> Vec<Envelope> {
        let mut found = Vec::new();
        let mut slot = self.list.head;
        while slot != NONE {
            let Slot { value, next, .. } = &slab.slots[slot as usize];
            found.push(*value.envelope());
            slot = *next;
        }
        found.extend(self.many.iter().flat_map(|many| many.keys()));
        found
    }

    /// Returns all entries in the order of arrival.
    ///
    /// If four billion others arrive while an entry waits, it is wrongly sorted after later ones.
    pub(super) fn in_order<T: Addressed>(&self, slab: &Slab<T>) -> Vec<T> {
        let mut found: Vec<(u32, T)> = Vec::new();
        let others = self.many.iter().flat_map(|many| many.values());
        for list in std::iter::once(&self.list).chain(others) {
            let mut slot = list.head;
            while slot != NONE {
                let Slot { value, next, order } = &slab.slots[slot as usize];
                found.push((slab.count.wrapping_sub(*order), *value));
                slot = *next;
            }
        }
        found.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
        found.into_iter().map(|(_, value)| value).collect()
    }
}
