//! The event list: what is to happen later, earliest first.

/// Bits of a key that name the unit: at most [`UNITS_MAX`] of them.
const UNIT_BITS: u32 = 27;
/// Bits of a key that count the events scheduled, so that the first scheduled comes first.
const SEQUENCE_BITS: u32 = 29;
/// The most units a key can name.
pub(crate) const UNITS_MAX: u32 = 1 << UNIT_BITS;
const SEQUENCE_END: u64 = 1 << SEQUENCE_BITS;
/// Children of a heap node: four keys of 16 bytes are one cache line.
const ARITY: usize = 4;
/// Canceled events are swept out when there are this many and they are half of the list.
const SWEEP_MIN: usize = 64;

/// An event in 16 bytes, ordered by time, then priority, then sequence.
///
/// From the top: 64 bits of time (the bits of a non-negative `f64` are in the order of their
/// values), 8 of priority, 29 of sequence, 27 of unit. The sequence starts anew, in order, when
/// it is used up ([`EventList::renumber`]); since a unit has one live event at most and there are
/// fewer units than numbers, there is always room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u128);

impl Key {
    fn new(time_s: f64, ticket: u64) -> Self {
        Self((u128::from(time_s.to_bits()) << 64) | u128::from(ticket))
    }

    /// The time, as the bits of an `f64`.
    #[inline]
    pub(crate) fn time_bits(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// All but the time: unique among the events of the list and never 0.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    #[inline]
    pub(crate) fn ticket(self) -> u64 {
        self.0 as u64
    }

    /// The unit that the event resumes.
    #[expect(clippy::cast_possible_truncation, reason = "masked to 27 bits")]
    #[inline]
    pub(crate) fn unit(self) -> u32 {
        (self.0 as u32) & (UNITS_MAX - 1)
    }
}

/// A heap of four children a node, whose first place may be vacant while its event is running:
/// a process that holds again takes that place, which saves the heap one of two ways down.
#[derive(Debug)]
pub(crate) struct EventList {
    heap: Vec<Key>,
    /// Whether `heap[0]` is taken out and not replaced.
    vacant: bool,
    sequence: u64,
    canceled: usize,
}

impl EventList {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            heap: Vec::with_capacity(capacity),
            vacant: false,
            sequence: 1,
            canceled: 0,
        }
    }

    /// Schedules `unit` at `time_s` and returns the event's ticket.
    ///
    /// The time is finite and not negative, and [`Self::must_renumber`] is false.
    #[inline]
    pub(crate) fn push(&mut self, time_s: f64, priority: u8, unit: u32) -> u64 {
        let ticket = (u64::from(priority) << (SEQUENCE_BITS + UNIT_BITS))
            | (self.sequence << UNIT_BITS)
            | u64::from(unit);
        self.sequence += 1;
        let key = Key::new(time_s, ticket);
        if self.vacant {
            self.vacant = false;
            self.sift_down(0, key);
        } else {
            self.heap.push(key);
            self.sift_up(self.heap.len() - 1, key);
        }
        ticket
    }

    /// The earliest event. No place is vacant.
    #[inline]
    pub(crate) fn first(&self) -> Option<Key> {
        self.heap.first().copied()
    }

    /// Takes the first event out; the next [`Self::push`] may have its place.
    #[inline]
    pub(crate) fn vacate(&mut self) {
        self.vacant = true;
    }

    /// Closes the gap that [`Self::vacate`] made, unless a push did.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if std::mem::take(&mut self.vacant)
            && let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sift_down(0, last);
        }
    }

    /// Takes a canceled first event out.
    pub(crate) fn skip(&mut self) {
        self.canceled = self.canceled.saturating_sub(1);
        self.vacate();
        self.settle();
    }

    /// Counts an event that is canceled; returns whether it is time to [`Self::sweep`].
    pub(crate) fn cancel(&mut self) -> bool {
        self.canceled += 1;
        self.canceled >= SWEEP_MIN && self.canceled * 2 > self.heap.len()
    }

    /// Removes all but the events that `live` accepts.
    pub(crate) fn sweep(&mut self, mut live: impl FnMut(Key) -> bool) {
        self.settle();
        self.heap.retain(|key| live(*key));
        self.heap.sort_unstable();
        self.canceled = 0;
    }

    /// Whether the sequence is used up.
    #[inline]
    pub(crate) fn must_renumber(&self) -> bool {
        self.sequence >= SEQUENCE_END
    }

    /// Gives the events the lowest numbers, in their order. `renamed` gets each event's old key
    /// and new ticket. Canceled events must have been swept out.
    pub(crate) fn renumber(&mut self, mut renamed: impl FnMut(Key, u64)) {
        let below = SEQUENCE_END - 1;
        self.settle();
        self.heap.sort_unstable();
        self.sequence = 1;
        for key in &mut self.heap {
            let ticket = (key.ticket() & !(below << UNIT_BITS)) | (self.sequence << UNIT_BITS);
            self.sequence += 1;
            renamed(*key, ticket);
            *key = Key((key.0 >> 64 << 64) | u128::from(ticket));
        }
    }

    #[inline]
    fn sift_up(&mut self, mut place: usize, key: Key) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.heap[parent] <= key {
                break;
            }
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = key;
    }

    #[inline]
    fn sift_down(&mut self, mut place: usize, key: Key) {
        let len = self.heap.len();
        loop {
            let first = place * ARITY + 1;
            if first >= len {
                break;
            }
            let least = first + least(&self.heap[first..]);
            if key <= self.heap[least] {
                break;
            }
            self.heap[place] = self.heap[least];
            place = least;
        }
        self.heap[place] = key;
    }

    #[cfg(test)]
    pub(crate) fn use_up_sequence(&mut self) {
        self.sequence = SEQUENCE_END;
    }
}

/// The place of the least of the first four keys; in rounds, which compiles to no branches.
#[inline]
fn least(keys: &[Key]) -> usize {
    if let Some([a, b, c, d]) = keys.first_chunk() {
        let (left, low) = if b < a { (1, b) } else { (0, a) };
        let (right, high) = if d < c { (3, d) } else { (2, c) };
        return if high < low { right } else { left };
    }
    (1..keys.len()).fold(0, |least, place| {
        if keys[place] < keys[least] {
            place
        } else {
            least
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(list: &mut EventList) -> Vec<(f64, u32)> {
        let mut events = Vec::new();
        while let Some(key) = list.first() {
            events.push((f64::from_bits(key.time_bits()), key.unit()));
            list.vacate();
            list.settle();
        }
        events
    }

    #[test]
    fn events_come_by_time_then_priority_then_order_of_scheduling() {
        let mut list = EventList::with_capacity(0);
        list.push(2.0, 0, 1);
        list.push(1.0, 1, 2);
        list.push(1.0, 0, 9);
        list.push(1.0, 0, 3);
        list.push(0.0, 7, UNITS_MAX - 1);
        let expected = [(0.0, UNITS_MAX - 1), (1.0, 9), (1.0, 3), (1.0, 2), (2.0, 1)];
        assert_eq!(drain(&mut list), expected);
    }

    #[test]
    fn a_push_takes_the_vacant_place() {
        let mut list = EventList::with_capacity(0);
        for unit in 0..50 {
            list.push(f64::from(unit % 7), 0, unit);
        }
        let mut before = (0.0, 0);
        for _ in 0..500 {
            let key = list.first().expect("the list never runs empty here");
            let time_s = f64::from_bits(key.time_bits());
            assert!((time_s, key.ticket()) > before, "out of order");
            before = (time_s, key.ticket());
            list.vacate();
            list.push(time_s + f64::from(key.unit() % 5 + 1), 0, key.unit());
            list.settle();
        }
        assert_eq!(drain(&mut list).len(), 50);
    }

    #[test]
    fn renumbering_keeps_the_order() {
        let mut list = EventList::with_capacity(0);
        list.push(1.0, 3, 5);
        list.push(1.0, 0, 6);
        list.push(0.5, 0, 7);
        list.use_up_sequence();
        assert!(list.must_renumber());
        let mut renamed = Vec::new();
        list.renumber(|key, ticket| renamed.push((key.unit(), ticket)));
        assert_eq!(
            renamed.iter().map(|(unit, _)| *unit).collect::<Vec<_>>(),
            [7, 6, 5]
        );
        list.push(1.0, 0, 8);
        assert_eq!(drain(&mut list), [(0.5, 7), (1.0, 6), (1.0, 8), (1.0, 5)]);
    }

    #[test]
    fn a_sweep_keeps_what_is_live_and_the_running_event_out() {
        let mut list = EventList::with_capacity(0);
        for unit in 0..200 {
            list.push(f64::from(200 - unit), 0, unit);
        }
        list.vacate();
        list.sweep(|key| key.unit() % 2 == 0);
        list.settle();
        let events = drain(&mut list);
        assert_eq!(events.len(), 100);
        assert!(events.is_sorted_by(|a, b| a.0 < b.0));
    }
}
