//! The key of an event: its time, its order among the events of that time, and the unit it resumes.

/// Bits of a key that name the unit: at most [`UNITS_MAX`] of them.
pub(super) const UNIT_BITS: u32 = 27;
/// Bits of a key that count the events scheduled, so that the first scheduled comes first.
pub(super) const SEQUENCE_BITS: u32 = 29;
/// The most units a key can name.
pub const UNITS_MAX: u32 = 1 << UNIT_BITS;
/// The first sequence number that a key has no room for.
pub(super) const SEQUENCE_END: u64 = 1 << SEQUENCE_BITS;

/// An event in 16 bytes, ordered by time, then priority, then sequence.
///
/// From the top: 64 bits of time (the bits of a non-negative `f64` are in the order of their
/// values), 8 of priority, 29 of sequence, 27 of unit. The sequence starts again, in order, when
/// it is used up ([`super::EventList::renumber`]); since a unit has one live event at most and
/// there are fewer units than numbers, there is always room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u128);

impl Key {
    /// Sorts after every event; fills empty places.
    pub(super) const LAST: Self = Self(u128::MAX);

    #[inline]
    pub(super) fn new(time_s: f64, priority: u8, sequence: u64, unit: u32) -> Self {
        let ticket = (u64::from(priority) << (SEQUENCE_BITS + UNIT_BITS))
            | (sequence << UNIT_BITS)
            | u64::from(unit);
        Self((u128::from(time_s.to_bits()) << 64) | u128::from(ticket))
    }

    /// Key of the event under another sequence number.
    pub(super) fn renumbered(self, sequence: u64) -> Self {
        let below = u128::from(SEQUENCE_END - 1) << UNIT_BITS;
        Self((self.0 & !below) | (u128::from(sequence) << UNIT_BITS))
    }

    /// The time, as the bits of an `f64`.
    #[inline]
    pub(crate) fn time_bits(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub(crate) fn time_s(self) -> f64 {
        f64::from_bits(self.time_bits())
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
