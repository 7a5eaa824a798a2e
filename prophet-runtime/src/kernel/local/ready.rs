//! The ranks that can continue, in an order that suits their number.

use super::ring::Ring;
use super::sweep::{BLOCK, Sweep};

/// Ranks that can continue, each once. The result of a run does not depend on their order.
#[derive(Debug)]
pub(crate) enum Ready {
    /// Order for ranks whose memory fits the caches: first in, first out, which takes least.
    Ring(Ring),
    /// Order for ranks whose memory does not fit the caches: the order of their memory.
    Sweep(Sweep),
}

/// The most ranks that make a ring.
const RING_MAX: u32 = BLOCK;

impl Ready {
    /// Creates the set of all `ranks` ranks.
    pub(crate) fn full(ranks: u32) -> Self {
        if ranks <= RING_MAX {
            Self::Ring(Ring::full(ranks))
        } else {
            Self::Sweep(Sweep::full(ranks))
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn push(&self, rank: u32) {
        match self {
            Self::Ring(ring) => ring.push(rank),
            Self::Sweep(sweep) => sweep.push(rank),
        }
    }

    #[inline]
    pub(crate) fn pop(&self) -> Option<u32> {
        match self {
            Self::Ring(ring) => ring.pop(),
            Self::Sweep(sweep) => sweep.pop(),
        }
    }

    /// A rank that may come `ahead` ranks from now, if its memory is worth fetching.
    #[inline]
    pub(crate) fn ahead(&self, ahead: u32) -> Option<u32> {
        match self {
            Self::Ring(_) => None,
            Self::Sweep(sweep) => Some(sweep.ahead(ahead)),
        }
    }
}
