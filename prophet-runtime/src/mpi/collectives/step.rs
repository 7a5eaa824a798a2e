//! Defines the steps of a rank in a collective's algorithm.
//!
//! A step is a pure function of the call, the rank, and the step's number. So any engine can
//! execute a step when it is due, and a rank only has to store the number.

use super::{Algorithm, Operation};

/// A call of a collective, with all that its algorithm needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) algorithm: Algorithm,
    pub(crate) ranks: u32,
    /// The root, or 0 if the collective has none.
    pub(crate) root: u32,
    /// The size of a block or of the whole vector, in bytes.
    pub(crate) bytes: u64,
}

/// What a rank does in a step of a collective's algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Send { to: u32, part: Part },
    Receive { from: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// Consecutive blocks. The first block comes after the last one.
    ///
    /// If the data are a vector, the blocks are its `of` parts. Their size is the vector's size
    /// divided by `of`, rounded down, and the first ones are a byte larger. Otherwise, each block
    /// has the size of the collective.
    Blocks {
        first: u32,
        count: u32,
        /// Number of parts that the vector is cut into.
        of: u32,
    },
    /// The blocks whose numbers have this bit set.
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

    /// Returns a block, where each rank has one.
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

    /// Returns the rank that is `distance` places after another, wrapping around at the end.
    pub(crate) const fn behind(&self, rank: u32, distance: u32) -> u32 {
        if rank < self.ranks - distance {
            rank + distance
        } else {
            rank - (self.ranks - distance)
        }
    }

    /// Returns the rank that is `distance` places before another, wrapping around at the start.
    pub(crate) const fn before(&self, rank: u32, distance: u32) -> u32 {
        if rank >= distance {
            rank - distance
        } else {
            rank + (self.ranks - distance)
        }
    }
}

/// Returns where part `index` starts if `bytes` bytes are cut into `of` parts. The first parts can
/// be a byte larger.
fn cut(bytes: u64, of: u32, index: u32) -> u64 {
    let (of, index) = (u64::from(of), u64::from(index));
    index * (bytes / of) + index.min(bytes % of)
}

/// Returns how many of the integers below `count` have this bit set.
pub(crate) const fn with_bit(count: u32, bit: u32) -> u32 {
    let period = 2 << bit;
    let rest = (count % period).saturating_sub(period / 2);
    count / period * (period / 2) + rest
}

/// Returns a step in a series of exchanges. Even steps send, and the odd steps after them receive.
#[inline]
pub(crate) fn exchange(number: u32, to: u32, from: u32, part: Part) -> Step {
    if number.is_multiple_of(2) {
        Step::Send { to, part }
    } else {
        Step::Receive { from }
    }
}
