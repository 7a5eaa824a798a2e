//! Defines event keys: the time, the order among events at the same time, and the unit to resume.

/// Number of bits in a key for the unit, because there are at most [`UNITS_MAX`] units.
pub(super) const UNIT_BITS: u32 = 27;
/// Number of bits in a key for the sequence number. Events that were scheduled first come first.
pub(super) const SEQUENCE_BITS: u32 = 29;
/// The maximum number of units that a key can distinguish.
pub const UNITS_MAX: u32 = 1 << UNIT_BITS;
/// The lowest sequence number that doesn't fit in a key.
pub(super) const SEQUENCE_END: u64 = 1 << SEQUENCE_BITS;

/// An event in 16 bytes, ordered by time, then priority, then sequence number.
///
/// From the top: 64 bits for the time (the bits of non-negative `f64`s sort like their values), 8
/// for the priority, 29 for the sequence number, 27 for the unit. When the sequence numbers are
/// used up, the events are renumbered in order ([`super::EventList::renumber`]). That always works,
/// because a unit has at most one live event, and there are fewer units than sequence numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u128);

impl Key {
    /// Sorts after every event. Fills empty places.
    pub(super) const LAST: Self = Self(u128::MAX);

    #[inline]
    pub(super) fn new(time_s: f64, priority: u8, sequence: u64, unit: u32) -> Self {
        let ticket = (u64::from(priority) << (SEQUENCE_BITS + UNIT_BITS))
            | (sequence << UNIT_BITS)
            | u64::from(unit);
        Self((u128::from(time_s.to_bits()) << 64) | u128::from(ticket))
    }

    pub(super) fn renumbered(self, sequence: u64) -> Self {
        let below = u128::from(SEQUENCE_END - 1) << UNIT_BITS;
        Self((self.0 & !below) | (u128::from(sequence) << UNIT_BITS))
    }

    #[inline]
    pub(crate) fn time_bits(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub(crate) fn time_s(self) -> f64 {
        f64::from_bits(self.time_bits())
    }

    /// Returns the key without the time, which is never 0 and unique in the list.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    #[inline]
    pub(crate) fn ticket(self) -> u64 {
        self.0 as u64
    }

    #[expect(clippy::cast_possible_truncation, reason = "masked to 27 bits")]
    #[inline]
    pub(crate) fn unit(self) -> u32 {
        (self.0 as u32) & (UNITS_MAX - 1)
    }
}
