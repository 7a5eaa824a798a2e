//! What a rank does in a collective's algorithm, step by step.
//!
//! A step is a pure function of the call, the rank and the step's number, so that any engine can
//! take it when it is due, and no rank keeps more than a number.

use super::{
    Algorithm, Operation, binomial, bruck, dissemination, linear, pairwise, rabenseifner,
    recursive_doubling, recursive_halving, ring,
};

/// A call of a collective, as its algorithm has to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) algorithm: Algorithm,
    /// The number of ranks.
    pub(crate) ranks: u32,
    /// The root of a rooted collective, else 0.
    pub(crate) root: u32,
    /// The size: of one block or of the vector.
    pub(crate) bytes: u64,
}

/// One thing that a rank does in a collective's algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It sends to a rank.
    Send {
        /// The rank.
        to: u32,
        /// What the message carries.
        part: Part,
    },
    /// It receives from a rank.
    Receive {
        /// The rank.
        from: u32,
    },
}

/// What a message carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The whole vector.
    Whole,
    /// Blocks in a row, the first behind the last.
    ///
    /// Of a vector they are its parts, where it is cut in `of`: each as long as its size divided
    /// by `of`, rounded down, the first ones a byte longer. Else each has the collective's size.
    Blocks {
        /// The first of them.
        first: u32,
        /// How many.
        count: u32,
        /// How many there are.
        of: u32,
    },
    /// The blocks in whose place this bit is set.
    Bit(u32),
}

impl Plan {
    /// The size of a message.
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

    /// One of as many blocks as there are ranks.
    pub(crate) const fn block(&self, index: u32) -> Part {
        self.blocks(index, 1)
    }

    /// Some of as many blocks as there are ranks.
    pub(crate) const fn blocks(&self, first: u32, count: u32) -> Part {
        Part::Blocks {
            first,
            count,
            of: self.ranks,
        }
    }

    /// The rank `distance` places behind another, round the end.
    pub(crate) const fn behind(&self, rank: u32, distance: u32) -> u32 {
        if rank < self.ranks - distance {
            rank + distance
        } else {
            rank - (self.ranks - distance)
        }
    }

    /// The rank `distance` places before another, round the start.
    pub(crate) const fn before(&self, rank: u32, distance: u32) -> u32 {
        if rank >= distance {
            rank - distance
        } else {
            rank + (self.ranks - distance)
        }
    }
}

/// Where part `index` begins of `bytes` that are cut in `of` parts, the first ones a byte longer.
fn cut(bytes: u64, of: u32, index: u32) -> u64 {
    let (of, index) = (u64::from(of), u64::from(index));
    index * (bytes / of) + index.min(bytes % of)
}

/// How many of the numbers below `count` have a bit set.
pub(crate) const fn with_bit(count: u32, bit: u32) -> u32 {
    let period = 2 << bit;
    let rest = (count % period).saturating_sub(period / 2);
    count / period * (period / 2) + rest
}

/// The step with this number, from 0, of a rank; none when it has done its part.
#[inline]
pub(crate) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    // What simulations of very many ranks do most often is inlined on its own.
    if plan.algorithm == Algorithm::RecursiveDoubling && plan.operation == Operation::AllReduce {
        return recursive_doubling::reduce(plan.ranks, rank, number);
    }
    any_step(plan, rank, number)
}

#[inline(never)]
fn any_step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    if plan.ranks == 1 {
        return None;
    }
    match plan.algorithm {
        Algorithm::Linear => linear::step(plan, rank, number),
        Algorithm::Binomial => binomial::step(plan, rank, number),
        Algorithm::RecursiveDoubling => recursive_doubling::step(plan, rank, number),
        Algorithm::RecursiveHalving => recursive_halving::step(plan, rank, number),
        Algorithm::Ring => ring::step(plan, rank, number),
        Algorithm::Rabenseifner => rabenseifner::step(plan, rank, number),
        Algorithm::Dissemination => dissemination::step(plan, rank, number),
        Algorithm::Pairwise => pairwise::step(plan, rank, number),
        Algorithm::Bruck => bruck::step(plan, rank, number),
        Algorithm::Analytic => None,
    }
}

/// Exchanges one after the other, each a send and a receive: even steps send, odd ones receive.
#[inline]
pub(crate) fn exchange(number: u32, to: u32, from: u32, part: Part) -> Step {
    if number.is_multiple_of(2) {
        Step::Send { to, part }
    } else {
        Step::Receive { from }
    }
}
