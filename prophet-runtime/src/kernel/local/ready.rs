//! Stores the ranks that can continue, in the order that is fastest for their number.

use std::cell::Cell;

use super::ring::Ring;
use super::sweep::{BLOCK, Sweep};

/// The ranks that can continue, each at most once. Their order doesn't change the result of a run.
#[derive(Debug)]
pub(crate) enum Ready {
    /// First in, first out, which costs least. For ranks whose memory fits in the caches.
    Ring(Ring),
    /// In the order of memory, for ranks whose memory doesn't fit in the caches. If only one rank
    /// can continue, it bypasses the sweep, which costs more.
    Sweep(Sweep, Cell<Option<u32>>),
}

const RING_MAX: u32 = BLOCK;

impl Ready {
    pub(crate) fn full(ranks: u32) -> Self {
        if ranks <= RING_MAX {
            Self::Ring(Ring::full(ranks))
        } else {
            Self::Sweep(Sweep::full(ranks), Cell::new(None))
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn push(&self, rank: u32) {
        match self {
            Self::Ring(ring) => ring.push(rank),
            Self::Sweep(sweep, alone) => match alone.get() {
                None if sweep.is_empty() => alone.set(Some(rank)),
                Some(other) if other == rank => {}
                _ => sweep.push(rank),
            },
        }
    }

    #[inline]
    pub(crate) fn pop(&self) -> Option<u32> {
        match self {
            Self::Ring(ring) => ring.pop(),
            Self::Sweep(sweep, alone) => alone.take().or_else(|| sweep.pop()),
        }
    }

    /// Returns a rank whose turn is probably after `ahead` others, if it is worth prefetching its
    /// memory.
    #[inline]
    pub(crate) fn ahead(&self, ahead: u32) -> Option<u32> {
        match self {
            Self::Ring(_) => None,
            Self::Sweep(sweep, _) => Some(sweep.ahead(ahead)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_rank_comes_once_alone_or_beside_others() {
        let ready = Ready::full(RING_MAX + 1);
        while ready.pop().is_some() {}
        for pushed in [vec![3, 3], vec![3, 5, 3, 5], vec![9, 2, 4, 9]] {
            for rank in &pushed {
                ready.push(*rank);
            }
            let came: BTreeSet<u32> = pushed.into_iter().collect();
            let count = came.len();
            let popped: Vec<u32> = std::iter::from_fn(|| ready.pop()).collect();
            assert_eq!(popped.len(), count, "{popped:?}");
            assert_eq!(popped.into_iter().collect::<BTreeSet<u32>>(), came);
        }
    }
}
