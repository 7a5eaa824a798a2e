//! Implements schedules, which divide the iterations of a loop among the threads of a team.

use std::ops::Range;

use crate::kernel::Kernel;
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::threads::Schedule;
use crate::results::failure::{Cause, Misuse};

/// Maximum number of iterations of a loop. They are simulated one by one, so more would take days.
const ITERATIONS_MAX: u64 = 1 << 40;

/// What threads share: the iterations of a loop, or the sections of a construct, with a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) count: u64,
    pub(crate) schedule: Schedule,
    chunk: u64,
}

impl Work {
    /// Creates the work of a loop that a unit has reached.
    pub(crate) fn iterations(
        kernel: &Kernel<'_>,
        unit: u32,
        iterations: i64,
        schedule: Schedule,
    ) -> Result<Self, Stopped> {
        let fail = |misuse| kernel.fail(Some(unit), Cause::Threads(misuse));
        let (Schedule::Static(chunk) | Schedule::Dynamic(chunk) | Schedule::Guided(chunk)) =
            schedule;
        let chunk = match chunk {
            None => 1,
            Some(Int(chunk)) if chunk >= 1 => chunk.unsigned_abs(),
            Some(Int(chunk)) => return Err(fail(Misuse::ChunkSize { chunk })),
        };
        let count =
            u64::try_from(iterations).map_err(|_| fail(Misuse::Iterations { iterations }))?;
        if count > ITERATIONS_MAX {
            return Err(fail(Misuse::TooManyIterations { iterations }));
        }
        Ok(Self {
            count,
            schedule,
            chunk,
        })
    }

    /// Creates the work of sections, which go to free threads.
    pub(crate) fn sections(count: u32) -> Self {
        Self {
            count: u64::from(count),
            schedule: Schedule::Dynamic(None),
            chunk: 1,
        }
    }

    /// Creates the work of a `single`, which goes to the first thread to arrive.
    pub(crate) fn single() -> Self {
        Self::sections(1)
    }

    pub(crate) fn is_settled(&self) -> bool {
        matches!(self.schedule, Schedule::Static(_))
    }

    /// Returns what a free thread takes when `taken` iterations or sections have already been
    /// taken.
    pub(crate) fn take(&self, threads: u64, taken: u64) -> Range<u64> {
        let rest = self.count - taken;
        let part = match self.schedule {
            Schedule::Guided(_) => rest.div_ceil(threads).max(self.chunk),
            Schedule::Static(_) | Schedule::Dynamic(_) => self.chunk,
        };
        taken..taken + part.min(rest)
    }

    /// Returns all chunks of a thread, which are known in advance.
    pub(crate) fn chunks(self, threads: u64, tid: u64) -> impl Iterator<Item = Range<u64>> {
        let (first, size, round) = match self.schedule {
            Schedule::Static(Some(_)) => {
                let round = threads.saturating_mul(self.chunk);
                (tid.saturating_mul(self.chunk), self.chunk, round)
            }
            Schedule::Static(None) | Schedule::Dynamic(_) | Schedule::Guided(_) => {
                let (even, more) = (self.count / threads, self.count % threads);
                let size = even + u64::from(tid < more);
                // There is only one block.
                (tid * even + tid.min(more), size, u64::MAX)
            }
        };
        let follow = move |start: &u64| Some(start.saturating_add(round));
        std::iter::successors(Some(first), follow)
            .take_while(move |start| *start < self.count)
            .map(move |start| start..start.saturating_add(size).min(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(count: u64, schedule: Schedule) -> Work {
        let (Schedule::Static(chunk) | Schedule::Dynamic(chunk) | Schedule::Guided(chunk)) =
            schedule;
        Work {
            count,
            schedule,
            chunk: chunk.map_or(1, |chunk| chunk.0.unsigned_abs()),
        }
    }

    fn parts(work: Work, threads: u64) -> String {
        let parts = (0..threads).map(|tid| {
            let chunks: Vec<_> = work
                .chunks(threads, tid)
                .map(|chunk| format!("{chunk:?}"))
                .collect();
            chunks.join(" ")
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_static_loop_is_divided_evenly_and_the_first_have_one_more() {
        let even = Schedule::Static(None);
        assert_eq!(parts(work(10, even), 4), "0..3, 3..6, 6..8, 8..10");
        assert_eq!(parts(work(2, even), 3), "0..1, 1..2, ");
        assert_eq!(parts(work(0, even), 2), ", ");
        let most = i64::MAX.unsigned_abs();
        let last = work(most, even).chunks(3, 2).last();
        assert_eq!(last.map(|chunk| chunk.end), Some(most));
    }

    #[test]
    fn static_chunks_go_round() {
        let by_two = Schedule::Static(Some(Int(2)));
        assert_eq!(parts(work(9, by_two), 2), "0..2 4..6 8..9, 2..4 6..8");
        let by_all = Schedule::Static(Some(Int(i64::MAX)));
        assert_eq!(parts(work(9, by_all), 3), "0..9, , ");
    }

    #[test]
    fn a_guided_loop_gives_less_and_less() {
        let work = work(16, Schedule::Guided(Some(Int(2))));
        let mut taken = 0;
        let mut sizes = Vec::new();
        while taken < 16 {
            let part = work.take(4, taken);
            assert_eq!(part.start, taken);
            sizes.push(part.end - part.start);
            taken = part.end;
        }
        assert_eq!(sizes, [4, 3, 3, 2, 2, 2]);
    }
}
