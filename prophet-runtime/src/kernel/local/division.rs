//! Divides the ranks of a run among threads, as blocks of consecutive ranks.

use std::ops::Range;

/// Blocks of ranks, one for each thread. Their sizes differ by at most one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Division {
    ranks: u32,
    threads: u32,
}

impl Division {
    /// Divides ranks among at most `threads` threads, with at least one rank each.
    pub(crate) fn new(ranks: u32, threads: u32) -> Self {
        let threads = threads.clamp(1, ranks.max(1));
        Self { ranks, threads }
    }

    pub(crate) const fn threads(self) -> u32 {
        self.threads
    }

    pub(crate) fn block(self, thread: u32) -> Range<u32> {
        self.first(thread)..self.first(thread + 1)
    }

    /// Returns the first rank of a thread. The first blocks can be larger by one rank.
    fn first(self, thread: u32) -> u32 {
        let (size, larger) = (self.ranks / self.threads, self.ranks % self.threads);
        thread * size + thread.min(larger)
    }

    pub(crate) fn thread(self, rank: u32) -> usize {
        let (size, larger) = (self.ranks / self.threads, self.ranks % self.threads);
        let in_larger = larger * (size + 1);
        let thread = if rank < in_larger {
            rank / (size + 1)
        } else {
            larger + (rank - in_larger) / size
        };
        thread as usize
    }

    /// Returns the number of threads that simulate these ranks, which must be in ascending order.
    pub(crate) fn threads_of(self, ranks: &[u32]) -> usize {
        let of = |pair: &&[u32]| self.thread(pair[0]) != self.thread(pair[1]);
        usize::from(!ranks.is_empty()) + ranks.windows(2).filter(of).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_is_in_the_block_of_its_thread() {
        for ranks in 1..200 {
            for threads in 1..20 {
                let division = Division::new(ranks, threads);
                let mut next = 0;
                for thread in 0..division.threads() {
                    let block = division.block(thread);
                    assert_eq!(block.start, next);
                    assert!(!block.is_empty());
                    let of = |rank| division.thread(rank) == thread as usize;
                    assert!(block.clone().all(of), "{division:?} {thread}");
                    next = block.end;
                }
                assert_eq!(next, ranks);
            }
        }
    }

    #[test]
    fn threads_of_a_list_are_counted_once() {
        let division = Division::new(8, 4);
        for (ranks, threads) in [(&[][..], 0), (&[3], 1), (&[2, 3], 1), (&[0, 3, 4, 5, 7], 4)] {
            assert_eq!(division.threads_of(ranks), threads);
        }
    }
}
