//! Defines the steps of a rank in a collective's algorithm.
//!
//! A step is a pure function of the call, the rank and the step's number. Any engine can therefore
//! execute a step when it is due, and a rank has to store only the step's number.

use super::{Algorithm, Operation};

/// A call of a collective, with the data that its algorithm needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) algorithm: Algorithm,
    pub(crate) ranks: u32,
    /// Root of a rooted collective; 0 for other collectives.
    pub(crate) root: u32,
    /// Size of one block or of the vector, in bytes.
    pub(crate) bytes: u64,
}

/// An action of a rank in a collective's algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Send { to: u32, part: Part },
    Receive { from: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// Consecutive blocks; the last block is followed by the first.
    ///
    /// If the data are a vector, the blocks are its `of` parts: each is as long as the vector's
    /// size divided by `of`, rounded down, and the first ones are a byte longer. Otherwise, each
    /// block has the collective's size.
    Blocks {
        first: u32,
        count: u32,
        /// Number of parts into which the vector is cut.
        of: u32,
    },
    /// Blocks whose numbers have this bit set.
    Bit(u32),
}

impl Plan {
    #[inline]
    pub(crate) fn bytes_of(&self, part: Part) -> u64 {
        match part {
            Part::Whole => self.bytes,
            Part::Blocks { count, .. } if self.operation.has_blocks() => {
                self.bytes.saturating_mul(u64::from(count))
            }
            Part::Blocks { first, count, of } => {
                let end = cut(self.bytes, of, first + count);
                end - cut(self.bytes, of, first)
            }
            Part::Bit(bit) => {
                let blocks = u64::from(with_bit(self.ranks, bit));
                self.bytes.saturating_mul(blocks)
            }
        }
    }

    /// Returns a block of data that has one block per rank.
    pub(crate) const fn block(&self, index: u32) -> Part {
        self.blocks(index, 1)
    }

    pub(crate) const fn blocks(&self, first: u32, count: u32) -> Part {
        Part::Blocks {
            first,
            count,
            of: self.ranks,
        }
    }

    /// Returns the rank `distance` places after another, wrapping at the end.
    pub(crate) const fn behind(&self, rank: u32, distance: u32) -> u32 {
        if rank < self.ranks - distance {
            rank + distance
        } else {
            rank - (self.ranks - distance)
        }
    }

    /// Returns the rank `distance` places before another, wrapping at the start.
    pub(crate) const fn before(&self, rank: u32, distance: u32) -> u32 {
        if rank >= distance {
            rank - distance
        } else {
            rank + (self.ranks - distance)
        }
    }
}

/// Returns where part `index` starts if `bytes` bytes are cut into `of` parts, of which the first
/// ones may be a byte longer.
fn cut(bytes: u64, of: u32, index: u32) -> u64 {
    let (of, index) = (u64::from(of), u64::from(index));
    index * (bytes / of) + index.min(bytes % of)
}

/// Returns how many integers below `count` have this bit set.
pub(crate) const fn with_bit(count: u32, bit: u32) -> u32 {
    let period = 2 << bit;
    let rest = (count % period).saturating_sub(period / 2);
    count / period * (period / 2) + rest
}

/// Returns a step in a series of exchanges, each of which sends in an even step and receives in the
/// odd step after it.
#[inline]
pub(crate) fn exchange(number: u32, to: u32, from: u32, part: Part) -> Step {
    if number.is_multiple_of(2) {
        Step::Send { to, part }
    } else {
        Step::Receive { from }
    }
}
