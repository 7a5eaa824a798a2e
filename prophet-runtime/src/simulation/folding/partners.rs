//! Represents the partners of ranks in a form that is the same for all ranks with the same way.

use crate::kernel::local::Met;
use crate::language::symmetry::Symmetry;
use crate::messages::letter::Context;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Partner {
    /// A partner in the program's own messages, at this distance.
    At(i64),
    /// A partner in a collective's algorithm, this many ranks farther around a ring.
    Further(u32),
    /// A partner in a collective's algorithm on a hypercube, where the rank differs in these bits.
    Across(u32),
}

impl Partner {
    pub(super) fn new(rank: u32, (partner, symmetry): Met, ranks: u32) -> Self {
        match symmetry {
            None => Self::At(i64::from(partner) - i64::from(rank)),
            Some(Symmetry::Cube) => Self::Across(partner ^ rank),
            // No algorithm uses another grid.
            Some(Symmetry::Ring | Symmetry::Torus(_)) if partner < rank => {
                Self::Further(ranks - (rank - partner))
            }
            Some(Symmetry::Ring | Symmetry::Torus(_)) => Self::Further(partner - rank),
        }
    }

    /// Returns the rank that is this kind of partner of `rank`.
    #[inline]
    pub(super) fn of(self, rank: u32, ranks: u32) -> u32 {
        match self {
            // Partners are ranks, according to the region of the way.
            Self::At(distance) => u32::try_from(i64::from(rank) + distance).unwrap_or(0),
            Self::Further(by) if rank >= ranks - by => rank - (ranks - by),
            Self::Further(by) => rank + by,
            Self::Across(bits) => rank ^ bits,
        }
    }

    /// Returns which kind of partner a rank is for its partner.
    pub(super) fn opposite(self, ranks: u32) -> Self {
        match self {
            Self::At(distance) => Self::At(-distance),
            Self::Further(0) | Self::Across(_) => self,
            Self::Further(by) => Self::Further(ranks - by),
        }
    }

    /// Returns `true` if the partner belongs to a collective's algorithm.
    #[inline]
    pub(super) const fn is_of_collective(self) -> bool {
        !matches!(self, Self::At(_))
    }

    pub(super) const fn context(self) -> Context {
        if self.is_of_collective() {
            Context::Collective
        } else {
            Context::Program
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_the_opposite_of_its_partner() {
        for symmetry in [None, Some(Symmetry::Ring), Some(Symmetry::Cube)] {
            for (rank, other) in (0..8).flat_map(|rank| (0..8).map(move |other| (rank, other))) {
                let partner = Partner::new(rank, (other, symmetry), 8);
                assert_eq!(partner.of(rank, 8), other, "{partner:?} of {rank}");
                assert_eq!(
                    partner.opposite(8).of(other, 8),
                    rank,
                    "{partner:?} of {rank}"
                );
            }
        }
    }
}
