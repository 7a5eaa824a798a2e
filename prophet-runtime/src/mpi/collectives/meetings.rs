//! Coordinates collectives of processes in different threads: numbers communicators, and matches
//! calls.

use prophet_machine::operation::Signature;
use prophet_map::Map;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The communicators of a run whose ranks are divided among threads.
#[derive(Debug)]
pub(crate) struct Meetings {
    pub(crate) all: Arc<Meeting>,
    /// The communicators of some processes, by their members.
    others: Mutex<Map<Box<[u32]>, Numbered>>,
}

/// The number of a communicator, and its calls.
type Numbered = (u32, Arc<Meeting>);

impl Meetings {
    /// Creates the communicators for a number of threads, which all have processes.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            all: Arc::new(Meeting::new(threads)),
            others: Mutex::default(),
        }
    }

    /// Finds or creates the communicator of these members, which are in `threads` different
    /// threads. All threads get the same number, no matter which one asks first.
    pub(crate) fn of(&self, members: &[u32], threads: usize) -> Numbered {
        let mut known = lock(&self.others);
        if let Some(found) = known.get(members) {
            return found.clone();
        }
        // Number 0 is the communicator of all processes.
        let number = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
        let made = (number, Arc::new(Meeting::new(threads)));
        known.insert(members.into(), made.clone());
        made
    }
}

/// The calls of a communicator's collectives that some threads haven't made yet.
#[derive(Debug)]
pub(crate) struct Meeting {
    threads: usize,
    calls: Mutex<Map<u64, Call>>,
}

#[derive(Debug)]
struct Call {
    signature: Signature,
    /// Number of threads in which at least one process has made the call.
    begun: usize,
    /// Number of threads in which all processes have made the call.
    gathered: usize,
    /// When the last process arrived so far, in simulated seconds.
    latest_s: f64,
}

impl Meeting {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            calls: Mutex::default(),
        }
    }

    /// Begins a call in a thread. `gathers` says whether the processes wait for each other. Returns
    /// `false` if another thread's call is different.
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

    /// Records that all processes of a thread have made a call, the last one at `latest_s`. Once
    /// that is the case in all threads, returns when the very last process arrived, in seconds.
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

/// Locks a mutex. Threads never panic while they have the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
