//! Stores the ranks that can continue if there are many ranks. It sweeps through them in increasing
//! order, block by block.

use std::cell::Cell;

const WORD: u32 = u64::BITS;
/// Number of ranks in a block. With their messages and futures, they fit in the second-level cache
/// of a core.
pub(super) const BLOCK: u32 = 1 << 10;
/// Maximum number of sweeps through a block before the next one has its turn, because other threads
/// may be waiting for ranks there. The algorithms of collectives need fewer sweeps within a block.
const SWEEPS: u32 = 32;

/// A set of ranks. There is a bit for each rank, a bit for each word of these bits, and so on, up
/// to a single word.
///
/// Ranks with neighboring numbers mostly do related things. In recursive doubling over a million
/// ranks, 94% of the ranks that continue one after another have consecutive numbers, and so do the
/// ranks that they send to. Caches prefetch such sequences automatically, whereas a queue would
/// jump all over the memory. Ranks of a block can also exchange messages while the block is in the
/// caches.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// The bits of the ranks are first, and the single word is last.
    levels: Vec<Box<[Cell<u64>]>>,
    /// The first rank that the current sweep hasn't reached yet.
    from: Cell<u32>,
    /// Number of sweeps through the current block, apart from the first one.
    again: Cell<u32>,
}

impl Sweep {
    pub(super) fn full(ranks: u32) -> Self {
        let mut levels: Vec<Box<[Cell<u64>]>> = Vec::new();
        let mut bits = ranks;
        loop {
            let words = bits.div_ceil(WORD).max(1);
            let word = |word: u32| match bits - (word * WORD).min(bits) {
                left if left < WORD => !(u64::MAX << left),
                _ => u64::MAX,
            };
            levels.push((0..words).map(|index| Cell::new(word(index))).collect());
            if words == 1 {
                break;
            }
            bits = words;
        }
        Self {
            levels,
            from: Cell::new(0),
            again: Cell::new(0),
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.levels.last().is_none_or(|level| level[0].get() == 0)
    }

    #[inline(never)]
    pub(super) fn push(&self, rank: u32) {
        let mut place = rank;
        for level in &self.levels {
            let word = &level[(place / WORD) as usize];
            let before = word.get();
            word.set(before | 1 << (place % WORD));
            if before != 0 {
                return;
            }
            place /= WORD;
        }
    }

    /// Takes the next rank. A sweep through all ranks consists of sweeps through blocks.
    #[inline]
    pub(super) fn pop(&self) -> Option<u32> {
        let from = self.from.get();
        let start = from.saturating_sub(1) / BLOCK * BLOCK;
        let rank = match self.next(from) {
            Some(rank) if rank < start + BLOCK => rank,
            ahead => self.first_again(start).or(ahead).or_else(|| self.next(0))?,
        };
        self.from.set(rank + 1);
        let mut place = rank;
        for level in &self.levels {
            let word = &level[(place / WORD) as usize];
            word.set(word.get() & !(1 << (place % WORD)));
            if word.get() != 0 {
                break;
            }
            place /= WORD;
        }
        Some(rank)
    }

    /// If the block gets another sweep now, returns its first rank from `start` on.
    fn first_again(&self, start: u32) -> Option<u32> {
        let again = self.again.replace(0) + 1;
        let rank = self.next(start).filter(|rank| *rank < start + BLOCK)?;
        (again < SWEEPS).then(|| {
            self.again.set(again);
            rank
        })
    }

    /// Returns the first rank in the set from `from` on.
    #[inline]
    fn next(&self, from: u32) -> Option<u32> {
        let mut from = from;
        for (height, level) in self.levels.iter().enumerate() {
            let word = level.get((from / WORD) as usize)?.get() & (u64::MAX << (from % WORD));
            if word != 0 {
                return Some(self.lowest(height, from / WORD * WORD + word.trailing_zeros()));
            }
            from = from / WORD + 1;
        }
        None
    }

    /// Returns the lowest rank below the bit at `place` in a level.
    #[inline]
    fn lowest(&self, height: usize, place: u32) -> u32 {
        let below = self.levels[..height].iter().rev();
        below.fold(place, |place, level| {
            place * WORD + level[place as usize].get().trailing_zeros()
        })
    }

    /// Returns a rank whose turn is probably after `ahead` others.
    #[inline]
    pub(super) fn ahead(&self, ahead: u32) -> u32 {
        self.from.get().saturating_add(ahead)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_come_in_order() {
        for ranks in [1, 63, 64, 65, 4096, 4097, 300_000] {
            let sweep = Sweep::full(ranks);
            for rank in 0..ranks {
                assert_eq!(sweep.pop(), Some(rank));
            }
            assert_eq!(sweep.pop(), None);
        }
    }

    #[test]
    fn no_block_keeps_the_others_waiting() {
        let sweep = Sweep::full(2 * BLOCK);
        while sweep.pop().is_some() {}
        sweep.push(0);
        assert_eq!(sweep.pop(), Some(0));
        sweep.push(BLOCK);
        for _ in 1..SWEEPS {
            sweep.push(0);
            assert_eq!(sweep.pop(), Some(0));
        }
        sweep.push(0);
        assert_eq!(sweep.pop(), Some(BLOCK));
        assert_eq!(sweep.pop(), Some(0));
    }

    proptest! {
        #[test]
        fn it_is_a_set_in_sweeps(
            ranks in 1..10_000_u32,
            steps in prop::collection::vec(prop::option::of(any::<u32>()), 0..500),
        ) {
            let sweep = Sweep::full(ranks);
            while sweep.pop().is_some() {}
            let (mut set, mut from, mut sweeps) = (BTreeSet::new(), ranks, 1);
            for step in steps {
                if let Some(rank) = step {
                    sweep.push(rank % ranks);
                    set.insert(rank % ranks);
                    continue;
                }
                let start = from.saturating_sub(1) / BLOCK * BLOCK;
                let ahead = set.range(from..).next();
                let again = set.range(start..start + BLOCK).next();
                let next = match (ahead, again) {
                    (Some(ahead), _) if *ahead < start + BLOCK => Some(*ahead),
                    (_, Some(again)) if sweeps < SWEEPS => {
                        sweeps += 1;
                        Some(*again)
                    }
                    _ => {
                        sweeps = 1;
                        ahead.or(set.first()).copied()
                    }
                };
                prop_assert_eq!(sweep.pop(), next);
                if let Some(rank) = next {
                    set.remove(&rank);
                    from = rank + 1;
                }
            }
        }
    }
}
