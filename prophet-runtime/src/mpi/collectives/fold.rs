//! Ranks beyond a power of two, as MPICH deals with them: of the first pairs of ranks, one hands
//! its part to the other, which takes part for both, and hands the result back.

use super::step::{Part, Step};

/// Who takes part for whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fold {
    /// The ranks that take part are two to the power of this.
    pub(super) rounds: u32,
    /// How many pairs there are.
    pub(super) pairs: u32,
    /// Whether the odd rank of a pair takes part; else the even one.
    odd: bool,
}

/// What a rank is in a [`Fold`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It hands its part to that rank and takes no part itself.
    Out(u32),
    /// It takes part for that rank, too, at that place.
    Both(u32, u32),
    /// It takes part at that place.
    Own(u32),
}

impl Fold {
    /// Odd ranks take part for even ones.
    #[inline]
    pub(super) const fn to_odd(ranks: u32) -> Self {
        let rounds = ranks.ilog2();
        Self {
            rounds,
            pairs: ranks - (1 << rounds),
            odd: true,
        }
    }

    /// Even ranks take part for odd ones.
    pub(super) const fn to_even(ranks: u32) -> Self {
        Self {
            odd: false,
            ..Self::to_odd(ranks)
        }
    }

    /// How many ranks take part.
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

    /// The rank at a place.
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

    /// The steps of a rank: those of the ones that take part, of which `core` has `steps`, with
    /// the vector handed over before and `back` of it handed back behind them.
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
