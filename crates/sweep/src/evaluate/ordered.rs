//! Runs work on many threads, and returns the results in order. A window limits how far threads can
//! get ahead.
//!
//! The standard library's threads are enough: there is only one kind of task, and a pool such as
//! `rayon` would leave the order to its user anyway.

#[cfg(feature = "command")]
use std::num::NonZero;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

#[cfg(feature = "command")]
use prophet_text::Problem;

/// Number of results per thread that can wait for an earlier one.
const WINDOW: u64 = 256;

/// Returns the number of threads to use: one per core, unless the user sets it.
#[cfg(feature = "command")]
pub(crate) fn threads(jobs: Option<NonZero<usize>>) -> usize {
    let cores = std::thread::available_parallelism();
    jobs.or(cores.ok()).map_or(1, NonZero::get)
}

/// Parses a number of threads.
#[cfg(feature = "command")]
pub(crate) fn read_threads(text: &str) -> Result<NonZero<usize>, Problem> {
    let threads = prophet_text::whole_number(text, 1..=u64::MAX)?;
    Ok(NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN))
}

/// Works on the numbers in `range` with `jobs` threads, and passes the results to `take` in order,
/// on the calling thread. Once `goes_on` returns `false`, no further number is started, but those
/// in progress are finished.
pub fn in_order<T: Send>(
    range: Range<u64>,
    jobs: usize,
    goes_on: impl Fn() -> bool + Sync,
    work: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T),
) {
    let jobs = jobs.max(1);
    let desk = Desk::new(range.clone(), WINDOW * jobs as u64);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (desk, goes_on, work) = (&desk, &goes_on, &work);
            scope.spawn(move || serve(desk, &sender, goes_on, work));
        }
        drop(sender);
        // However this thread ends, no other thread must wait for it forever.
        let _closing = Closing(&desk);
        sort(range.start, &results, &desk, &mut take);
    });
}

fn serve<T>(
    desk: &Desk,
    results: &Sender<(u64, T)>,
    goes_on: &impl Fn() -> bool,
    work: &impl Fn(u64) -> T,
) {
    while goes_on()
        && let Some(number) = desk.next()
    {
        if results.send((number, work(number))).is_err() {
            return;
        }
    }
}

fn sort<T>(first: u64, results: &Receiver<(u64, T)>, desk: &Desk, take: &mut impl FnMut(T)) {
    let mut early = std::collections::BTreeMap::new();
    let mut next = first;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            take(result);
            next += 1;
        }
        desk.took(next);
    }
}

/// The desk from which threads get the next numbers to evaluate.
struct Desk {
    state: Mutex<OrderState>,
    moved: Condvar,
    window: u64,
}

struct OrderState {
    next: u64,
    end: u64,
    /// The first number whose result hasn't been taken yet.
    taken: u64,
}

impl Desk {
    fn new(range: Range<u64>, window: u64) -> Self {
        let state = OrderState {
            next: range.start,
            end: range.end,
            taken: range.start,
        };
        Self {
            state: Mutex::new(state),
            moved: Condvar::new(),
            window,
        }
    }

    fn next(&self) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next < state.end && state.next - state.taken >= self.window {
            let woken = self.moved.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        let number = (state.next < state.end).then_some(state.next)?;
        state.next += 1;
        Some(number)
    }

    fn took(&self, taken: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken = taken;
        self.moved.notify_all();
    }
}

/// Closes the desk on drop, so that no thread keeps waiting.
struct Closing<'a>(&'a Desk);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.end = 0;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for jobs in [0, 1, 2, 7] {
            let mut taken = Vec::new();
            let uneven = |number: u64| {
                (0..number * 7919 % 1000).for_each(|it| assert!(std::hint::black_box(it) < 1000));
                number
            };
            in_order(5..3000, jobs, || true, uneven, |number| taken.push(number));
            assert!(taken.iter().copied().eq(5..3000), "{jobs} threads");
        }
    }

    #[test]
    fn what_was_begun_is_taken_and_nothing_else() {
        let begun = AtomicU64::new(0);
        let work = |number| begun.fetch_max(number + 1, Ordering::Relaxed).max(number);
        let mut taken = Vec::new();
        let goes_on = || begun.load(Ordering::Relaxed) < 100;
        in_order(0..u64::MAX, 3, goes_on, work, |number| taken.push(number));
        let begun = begun.into_inner();
        assert_eq!(taken.len() as u64, begun);
        assert!((100..110).contains(&begun), "{begun}");
    }

    #[test]
    fn a_slow_point_holds_back_the_others() {
        let ahead = AtomicU64::new(0);
        let work = |number: u64| {
            ahead.fetch_max(number, Ordering::Relaxed);
            while number == 0 && ahead.load(Ordering::Relaxed) < 2 * WINDOW - 1 {
                thread::yield_now();
            }
            ahead.load(Ordering::Relaxed)
        };
        let mut seen = Vec::new();
        in_order(0..10 * WINDOW, 2, || true, work, |most| seen.push(most));
        assert_eq!(seen.first(), Some(&(2 * WINDOW - 1)));
    }

    #[test]
    #[should_panic(expected = "of the reader")]
    fn a_panic_of_the_reader_ends_the_threads() {
        in_order(
            0..u64::MAX,
            2,
            || true,
            |number| number,
            |_| panic!("of the reader"),
        );
    }
}
