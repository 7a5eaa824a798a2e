//! Keeps events in order while there are only a few.

use super::key::Key;

/// Maximum number of events here. When more are added, all of them move to the heap.
const FEW: usize = 4;

/// Events, sorted so that the earliest is last.
#[derive(Debug)]
pub(super) struct Few {
    keys: [Key; FEW],
    len: usize,
    /// [`FEW`], or 0 while the events are elsewhere.
    room: usize,
}

impl Few {
    pub(super) const fn new() -> Self {
        Self {
            keys: [Key::LAST; FEW],
            len: 0,
            room: FEW,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.len < self.room
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Key> {
        self.keys.get(self.len.wrapping_sub(1)).copied()
    }

    /// Removes the earliest event; returns `true` if there was one.
    #[inline]
    pub(super) fn pop(&mut self) -> bool {
        let has_one = self.len > 0;
        self.len -= usize::from(has_one);
        has_one
    }

    /// Adds an event if there is room. No branch depends on the times.
    #[inline]
    pub(super) fn push(&mut self, key: Key) {
        let len = self.len;
        let Some(last) = self.keys.get_mut(len) else {
            return;
        };
        *last = key;
        self.len = len + 1;
        if len > 0 {
            self.order(len);
        }
        if len > 1 {
            self.order(len - 1);
        }
        if len > 2 {
            self.order(len - 2);
        }
    }

    /// Swaps the event at `place` with the one before it if they are in the wrong order.
    #[inline]
    fn order(&mut self, place: usize) {
        let (later, earlier) = (self.keys[place - 1], self.keys[place]);
        let (later, earlier) = if later < earlier {
            (earlier, later)
        } else {
            (later, earlier)
        };
        (self.keys[place - 1], self.keys[place]) = (later, earlier);
    }

    /// Accepts events from now on. There must be no events elsewhere.
    pub(super) fn open(&mut self) {
        self.room = FEW;
    }

    /// Removes and returns all events, and accepts no more.
    pub(super) fn close(&mut self) -> impl Iterator<Item = Key> + use<> {
        self.room = 0;
        self.keys.into_iter().take(std::mem::take(&mut self.len))
    }
}
