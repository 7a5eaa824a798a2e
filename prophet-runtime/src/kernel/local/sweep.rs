//! The ranks that can continue when there are very many: taken in sweeps, upwards.

use std::cell::Cell;

const WORD: u32 = u64::BITS;

/// A set of ranks, as a bit for each, with a bit for each word of bits, and so on up to one word.
///
/// Neighbors in number are mostly neighbors in what they do, too: in recursive doubling over a
/// million ranks, 94 % of the ranks that continue one after the other have consecutive numbers, and
/// so have their receivers. The caches fetch such sequences by themselves, whereas the order first
/// in, first out jumps all over the memory.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// From the ranks' bits upwards.
    levels: Vec<Box<[Cell<u64>]>>,
    /// The first rank that the sweep under way has not passed.
    from: Cell<u32>,
}

impl Sweep {
    /// Creates the set of all `ranks` ranks.
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
        }
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

    #[inline]
    pub(super) fn pop(&self) -> Option<u32> {
        let rank = self.next(self.from.get()).or_else(|| self.next(0))?;
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

    /// The first rank of the set that is not below `from`.
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

    /// The first rank below the bit at `place` of a level.
    #[inline]
    fn lowest(&self, height: usize, place: u32) -> u32 {
        let below = self.levels[..height].iter().rev();
        below.fold(place, |place, level| {
            place * WORD + level[place as usize].get().trailing_zeros()
        })
    }

    /// A rank that may come `ahead` ranks from now.
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

    proptest! {
        #[test]
        fn it_is_a_set_in_sweeps(
            ranks in 1..10_000_u32,
            steps in prop::collection::vec(prop::option::of(any::<u32>()), 0..500),
        ) {
            let sweep = Sweep::full(ranks);
            while sweep.pop().is_some() {}
            let (mut set, mut from) = (BTreeSet::new(), ranks);
            for step in steps {
                if let Some(rank) = step {
                    sweep.push(rank % ranks);
                    set.insert(rank % ranks);
                    continue;
                }
                let next = set.range(from..).next().or_else(|| set.first()).copied();
                prop_assert_eq!(sweep.pop(), next);
                if let Some(rank) = next {
                    set.remove(&rank);
                    from = rank + 1;
                }
            }
        }
    }
}
