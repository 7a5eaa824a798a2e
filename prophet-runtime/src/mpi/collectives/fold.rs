//! Folds the ranks in excess of a power of two, as in MPICH. In each of the first pairs of ranks,
//! one rank sends its data to the other, which takes part for both and then sends back the result.

use super::step::{Part, Step};

/// How some ranks take part on behalf of others, so that the number of those that take part is a
/// power of two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fold {
    /// The binary logarithm of the number of ranks that take part.
    pub(super) rounds: u32,
    pub(super) pairs: u32,
    /// Whether the odd rank of a pair takes part, rather than the even one.
    odd: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The rank sends its data to this rank, and doesn't take part itself.
    Out(u32),
    /// The rank takes part for itself and another rank. Contains the other rank, and the place at
    /// which the first one takes part.
    Both(u32, u32),
    /// The rank takes part only for itself, at this place.
    Own(u32),
}

impl Fold {
    /// Creates a fold in which odd ranks take part for even ranks.
    #[inline]
    pub(super) const fn to_odd(ranks: u32) -> Self {
        let rounds = ranks.ilog2();
        Self {
            rounds,
            pairs: ranks - (1 << rounds),
            odd: true,
        }
    }

    /// Creates a fold in which even ranks take part for odd ranks.
    pub(super) const fn to_even(ranks: u32) -> Self {
        Self {
            odd: false,
            ..Self::to_odd(ranks)
        }
    }

    pub(super) const fn places(self) -> u32 {
        1 << self.rounds
    }

    #[inline]
    pub(super) const fn role(self, rank: u32) -> Role {
        if rank >= 2 * self.pairs {
            return Role::Own(rank - self.pairs);
        }
        if rank.is_multiple_of(2) == self.odd {
            Role::Out(rank ^ 1)
        } else {
            Role::Both(rank ^ 1, rank / 2)
        }
    }

    #[inline]
    pub(super) const fn rank(self, place: u32) -> u32 {
        if place >= self.pairs {
            place + self.pairs
        } else if self.odd {
            2 * place + 1
        } else {
            2 * place
        }
    }

    /// Returns a step of a rank. A rank that takes part executes the `steps` steps of `core`.
    /// Before these, its partner sends it the vector, and after these, it sends `back` to the
    /// partner.
    #[inline]
    pub(super) fn steps(
        self,
        rank: u32,
        number: u32,
        (steps, back): (u32, Part),
        core: impl FnOnce(u32, u32) -> Option<Step>,
    ) -> Option<Step> {
        let part = Part::Whole;
        match (self.role(rank), number) {
            (Role::Own(place), _) => core(place, number),
            (Role::Out(to), 0) => Some(Step::Send { to, part }),
            (Role::Out(from), 1) | (Role::Both(from, _), 0) => Some(Step::Receive { from }),
            (Role::Out(_), _) => None,
            (Role::Both(_, place), _) if number <= steps => core(place, number - 1),
            (Role::Both(to, _), _) => {
                (number == steps + 1).then_some(Step::Send { to, part: back })
            }
        }
    }
}
