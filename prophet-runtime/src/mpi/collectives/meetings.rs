//! Coordinates collectives between processes on several threads: assigns their numbers and matches
//! their calls.

use prophet_machine::operation::Signature;
use prophet_map::Map;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Communicators of a run whose ranks are divided among threads.
#[derive(Debug)]
pub(crate) struct Meetings {
    pub(crate) all: Arc<Meeting>,
    /// Communicators of some processes, by their members.
    others: Mutex<Map<Box<[u32]>, Numbered>>,
}

/// Number of a communicator, and its calls.
type Numbered = (u32, Arc<Meeting>);

impl Meetings {
    /// Creates the communicators for a number of threads; each of the threads has processes.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            all: Arc::new(Meeting::new(threads)),
            others: Mutex::default(),
        }
    }

    /// Finds or creates the communicator of these members, which are on `threads` threads. All
    /// threads get the same number, whichever asks first.
    pub(crate) fn of(&self, members: &[u32], threads: usize) -> Numbered {
        let mut known = lock(&self.others);
        if let Some(found) = known.get(members) {
            return found.clone();
        }
        // The communicator of all processes has number 0.
        let number = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
        let made = (number, Arc::new(Meeting::new(threads)));
        known.insert(members.into(), made.clone());
        made
    }
}

/// Calls of a communicator's collectives that some threads haven't made yet.
#[derive(Debug)]
pub(crate) struct Meeting {
    threads: usize,
    calls: Mutex<Map<u64, Call>>,
}

#[derive(Debug)]
struct Call {
    signature: Signature,
    /// Number of threads where at least one process has made the call.
    begun: usize,
    /// Number of threads where all processes have made the call.
    gathered: usize,
    /// Simulated time at which the latest process arrived, in seconds.
    latest_s: f64,
}

impl Meeting {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            calls: Mutex::default(),
        }
    }

    /// Begins a call for a thread; `gathers` says whether its processes wait for each other.
    /// Returns `false` if the call differs from another thread's.
    pub(crate) fn begin(&self, number: u64, signature: Signature, gathers: bool) -> bool {
        let mut calls = lock(&self.calls);
        let call = calls.get_or_insert(
            number,
            Call {
                signature,
                begun: 0,
                gathered: 0,
                latest_s: 0.0,
            },
        );
        if call.signature != signature {
            return false;
        }
        call.begun += 1;
        if call.begun == self.threads && !gathers {
            calls.remove(&number);
        }
        true
    }

    /// Notes that all processes of a thread have made a call, the last one at `latest_s`. Once this
    /// is true for all threads, returns the time of the last process.
    pub(crate) fn gather(&self, number: u64, latest_s: f64) -> Option<f64> {
        let mut calls = lock(&self.calls);
        let call = calls.get_mut(&number)?;
        call.latest_s = call.latest_s.max(latest_s);
        call.gathered += 1;
        if call.gathered < self.threads {
            return None;
        }
        calls.remove(&number).map(|call| call.latest_s)
    }
}

/// Locks a mutex. No thread panics while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
