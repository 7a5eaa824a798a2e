//! Which thread of a team runs which iterations of a loop.

use std::fmt;
use std::ops::Range;

use crate::failure::{Cause, Misuse};
use crate::number::Int;
use crate::process::ProcessCtx;
use crate::stopped::Stopped;

/// How the iterations of a loop are shared among the threads of a team, as in OpenMP; each with
/// its chunk, the least number of iterations that a thread takes at once.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, ParallelDo, Schedule, Simulation, System, Threads};
///
/// const LOOP: ParallelDo = ParallelDo::new(0, "Loop", 1);
/// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
/// let model = Model::new("Growing", &[], 2);
/// let time_s = |schedule| {
///     let simulation = Simulation::new(&model, System::new(1, 4, 1, 4));
///     let run = simulation.run(async |ctx| {
///         LOOP.execute(ctx, Threads::Default, 16, schedule, async |ctx, i| {
///             WORK.execute(ctx, 1.0 + i.real()).await
///         })
///         .await
///     });
///     run.map(|outcome| outcome.predicted_time_s)
/// };
/// assert_eq!(time_s(Schedule::Static(None))?, 13.0 + 14.0 + 15.0 + 16.0);
/// assert_eq!(time_s(Schedule::Dynamic(None))?, 4.0 + 8.0 + 12.0 + 16.0);
/// assert_eq!(time_s(Schedule::Guided(None))?, 39.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Settled beforehand: chunks go round in the order of the threads. Without a chunk, one
    /// block for each thread, as even as can be, and the first have one more.
    Static(Option<Int>),
    /// Who is free takes the next chunk, the lowest thread first; 1 without a chunk.
    Dynamic(Option<Int>),
    /// The same with the rest divided by the threads, rounded up, and at least a chunk; 1 without.
    Guided(Option<Int>),
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, chunk) = match self {
            Self::Static(chunk) => ("static", chunk),
            Self::Dynamic(chunk) => ("dynamic", chunk),
            Self::Guided(chunk) => ("guided", chunk),
        };
        f.write_str(name)?;
        chunk.iter().try_for_each(|chunk| write!(f, " by {chunk}"))
    }
}

/// The iterations of a loop, or the sections of a construct, and their schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    /// How many there are.
    pub(crate) count: u64,
    pub(crate) schedule: Schedule,
    chunk: u64,
}

impl Work {
    /// The iterations of a loop.
    pub(crate) fn iterations(
        ctx: &ProcessCtx<'_>,
        iterations: i64,
        schedule: Schedule,
    ) -> Result<Self, Stopped> {
        let (Schedule::Static(chunk) | Schedule::Dynamic(chunk) | Schedule::Guided(chunk)) =
            schedule;
        let chunk = match chunk {
            None => 1,
            Some(Int(chunk)) if chunk >= 1 => chunk.unsigned_abs(),
            Some(Int(chunk)) => return Err(ctx.fail(Cause::Threads(Misuse::ChunkSize { chunk }))),
        };
        let count = u64::try_from(iterations)
            .map_err(|_| ctx.fail(Cause::Threads(Misuse::Iterations { iterations })))?;
        Ok(Self {
            count,
            schedule,
            chunk,
        })
    }

    /// Sections, which go to who is free.
    pub(crate) fn sections(count: u32) -> Self {
        Self {
            count: u64::from(count),
            schedule: Schedule::Dynamic(None),
            chunk: 1,
        }
    }

    /// Whether it is settled beforehand who runs what.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.schedule, Schedule::Static(_))
    }

    /// What a thread that is free takes when `taken` are taken already.
    pub(super) fn take(&self, threads: u64, taken: u64) -> Range<u64> {
        let rest = self.count - taken;
        let part = match self.schedule {
            Schedule::Guided(_) => rest.div_ceil(threads).max(self.chunk),
            Schedule::Static(_) | Schedule::Dynamic(_) => self.chunk,
        };
        taken..taken + part.min(rest)
    }

    /// The chunks of a thread, settled beforehand.
    pub(super) fn chunks(self, threads: u64, tid: u64) -> impl Iterator<Item = Range<u64>> {
        let (first, size, round) = match self.schedule {
            Schedule::Static(Some(_)) => {
                let round = threads.saturating_mul(self.chunk);
                (tid.saturating_mul(self.chunk), self.chunk, round)
            }
            Schedule::Static(None) | Schedule::Dynamic(_) | Schedule::Guided(_) => {
                let (even, more) = (self.count / threads, self.count % threads);
                let size = even + u64::from(tid < more);
                // One block is all.
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

    /// The chunks of each thread.
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
