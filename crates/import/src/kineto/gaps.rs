//! Finds gaps in which one thread waits for another. For example, the main thread asks autograd's
//! thread to start, and waits while that thread works.

use super::profile::{Ns, Profile};

/// Minimum length of a gap in which a thread may be waiting.
const GAP_MIN: Ns = 10_000;

#[derive(Debug)]
pub(super) struct Busy(Vec<Thread>);

/// A thread's busy intervals in order, each with the total busy time before it.
#[derive(Debug, Default)]
struct Thread(Vec<(Ns, Ns, Ns)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) thread: usize,
    /// Start of the gap; `None` if it precedes the thread's first operation.
    pub(super) start: Option<Ns>,
    pub(super) end: Ns,
    /// The thread that ended the gap, and the end of its operation.
    pub(super) cause: Option<(usize, Ns)>,
}

impl Thread {
    fn add(&mut self, start: Ns, end: Ns) {
        match self.0.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            last => {
                let before = last.map_or(0, |it| it.2 + it.1 - it.0);
                self.0.push((start, end, before));
            }
        }
    }

    /// Returns the total busy time before `time`.
    fn until(&self, time: Ns) -> Ns {
        let count = self.0.partition_point(|it| it.0 < time);
        let Some((start, end, before)) = count.checked_sub(1).map(|it| self.0[it]) else {
            return 0;
        };
        before + end.min(time) - start
    }

    /// Returns the end of the last interval that ended by `time`.
    fn last_end(&self, time: Ns) -> Option<Ns> {
        let count = self.0.partition_point(|it| it.1 <= time);
        Some(self.0[count.checked_sub(1)?].1)
    }
}

impl Busy {
    /// Collects the operations and calls of each thread.
    pub(super) fn of(profile: &Profile) -> Self {
        let mut threads = Vec::new();
        threads.resize_with(profile.threads, Thread::default);
        for span in &profile.spans {
            threads[span.thread].add(span.start, span.end);
        }
        Self(threads)
    }

    /// Returns the start of a thread's first operation and the end of its last one.
    pub(super) fn range(&self, thread: usize) -> Option<(Ns, Ns)> {
        let all = &self.0[thread].0;
        Some((all.first()?.0, all.last()?.1))
    }

    /// Returns the gaps that other threads ended, and the gaps before each thread's first
    /// operation.
    pub(super) fn gaps(&self, is_kept: &[bool]) -> Vec<Gap> {
        let kept = (0..self.0.len()).filter(|it| is_kept[*it]);
        let mut gaps = Vec::new();
        for thread in kept.clone() {
            let others: Vec<usize> = kept.clone().filter(|it| *it != thread).collect();
            let all = &self.0[thread].0;
            if let Some((end, _, _)) = all.first() {
                let ends = others
                    .iter()
                    .filter_map(|it| Some((*it, self.0[*it].last_end(*end)?)));
                gaps.push(Gap {
                    thread,
                    start: None,
                    end: *end,
                    cause: ends.max_by_key(|it| it.1),
                });
            }
            for pair in all.windows(2) {
                let (start, end) = (pair[0].1, pair[1].0);
                if end - start < GAP_MIN {
                    continue;
                }
                let ends = others.iter().filter_map(|it| {
                    let other = &self.0[*it];
                    let is_busy = other.until(end) - other.until(start) >= (end - start) / 2;
                    let last = other.last_end(end).filter(|last| is_busy && *last > start);
                    Some((*it, last?))
                });
                if let Some(cause) = ends.max_by_key(|it| it.1) {
                    gaps.push(Gap {
                        thread,
                        start: Some(start),
                        end,
                        cause: Some(cause),
                    });
                }
            }
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_waits_for_the_one_that_works_in_its_gap() {
        let thread = |all: &[(Ns, Ns)]| {
            let mut thread = Thread::default();
            for (start, end) in all {
                thread.add(*start, *end);
            }
            thread
        };
        let main = thread(&[(0, 100_000), (50_000, 60_000), (400_000, 500_000)]);
        let autograd = thread(&[(120_000, 390_000)]);
        assert_eq!(autograd.until(220_000), 100_000);
        let busy = Busy(vec![main, autograd]);
        let gap = |thread, start, end, cause| Gap {
            thread,
            start,
            end,
            cause,
        };
        let expected = [
            gap(0, None, 0, None),
            gap(0, Some(100_000), 400_000, Some((1, 390_000))),
            gap(1, None, 120_000, Some((0, 100_000))),
        ];
        assert_eq!(busy.gaps(&[true, true]), expected);
    }
}
