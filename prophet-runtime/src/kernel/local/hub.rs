//! Implements the hub through which the threads of a run exchange mail and find out that the run is
//! over.
//!
//! A thread is *parked* while it has nothing to do and no mail. Only threads that aren't parked
//! send mail, and mail for a parked thread wakes it, all under the lock of that thread's inbox. So
//! when the last thread is about to park, no mail is in transit. The run is then over, unless ranks
//! have stepped aside. These continue.
//!
//! `tests/hub.rs` explores all interleavings of a few threads.

use std::mem;
use std::sync::PoisonError;

use super::sync::{AtomicBool, AtomicU8, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// Why a parked thread wakes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Woken {
    Mail,
    /// Ranks of the thread that had stepped aside can continue.
    Aside,
    /// It is the first thread, and must report the progress of the run.
    Look,
    End(End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// No thread has anything left to do.
    Idle,
    /// The observer has ended the run.
    Early,
    /// A thread had to give up.
    Abandoned,
}

/// The value of [`Hub::end`] before the run has ended.
const RUNNING: u8 = 0;

impl End {
    const fn number(self) -> u8 {
        match self {
            Self::Idle => 1,
            Self::Early => 2,
            Self::Abandoned => 3,
        }
    }

    const fn of_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Idle),
            2 => Some(Self::Early),
            3 => Some(Self::Abandoned),
            _ => None,
        }
    }
}

/// Where threads exchange mail and wait for each other. They are numbered from 0.
#[derive(Debug)]
pub(crate) struct Hub<M> {
    desks: Box<[Desk<M>]>,
    /// Number of threads that aren't parked.
    active: AtomicUsize,
    /// The number of the [`End`], or [`RUNNING`].
    end: AtomicU8,
}

/// The state of a thread. Each has its own cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Desk<M> {
    inbox: Mutex<Inbox<M>>,
    bell: Condvar,
    /// Whether there is mail. This is only a hint, which can be read without the lock.
    has_mail: AtomicBool,
    /// Whether too many messages are waiting for a rank of the thread.
    is_flooded: AtomicBool,
}

#[derive(Debug)]
struct Inbox<M> {
    mail: Vec<M>,
    owner: Owner,
    /// Whether ranks that have stepped aside can continue.
    resumed: bool,
    looks: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Active,
    Parked,
    /// Parked, and some of its ranks have stepped aside.
    Aside,
}

impl<M> Desk<M> {
    fn new() -> Self {
        Self {
            inbox: Mutex::new(Inbox {
                mail: Vec::new(),
                owner: Owner::Active,
                resumed: false,
                looks: false,
            }),
            bell: Condvar::new(),
            has_mail: AtomicBool::new(false),
            is_flooded: AtomicBool::new(false),
        }
    }

    /// Locks the inbox. Threads never panic while they have the lock.
    fn open(&self) -> MutexGuard<'_, Inbox<M>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Hub<M> {
    /// Creates the hub for a number of threads. None of them is parked.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            desks: (0..threads).map(|_| Desk::new()).collect(),
            active: AtomicUsize::new(threads),
            end: AtomicU8::new(RUNNING),
        }
    }

    /// Sends a batch to a thread, and empties the batch. The calling thread must not be parked.
    pub(crate) fn send(&self, to: usize, batch: &mut Vec<M>) {
        let desk = &self.desks[to];
        let mut inbox = desk.open();
        if inbox.mail.is_empty() {
            mem::swap(&mut inbox.mail, batch);
        } else {
            inbox.mail.append(batch);
        }
        desk.has_mail.store(true, Ordering::Relaxed);
        self.wake(desk, &mut inbox);
    }

    /// Wakes a thread if it is parked. The run can't end meanwhile, because the calling thread
    /// isn't parked.
    fn wake(&self, desk: &Desk<M>, inbox: &mut Inbox<M>) {
        if mem::replace(&mut inbox.owner, Owner::Active) != Owner::Active {
            self.active.fetch_add(1, Ordering::AcqRel);
            desk.bell.notify_one();
        }
    }

    pub(crate) fn has_mail(&self, me: usize) -> bool {
        self.desks[me].has_mail.load(Ordering::Relaxed)
    }

    /// Moves a thread's mail to an empty list. The mail of each sender is in order.
    pub(crate) fn take(&self, me: usize, mail: &mut Vec<M>) {
        let desk = &self.desks[me];
        let mut inbox = desk.open();
        mem::swap(&mut inbox.mail, mail);
        desk.has_mail.store(false, Ordering::Relaxed);
    }

    /// Parks a thread that has nothing to do. `aside` says whether some of its ranks have stepped
    /// aside. They continue when no thread has too many waiting messages, or when no thread has
    /// anything else to do.
    pub(crate) fn park(&self, me: usize, aside: bool) -> Woken {
        let desk = &self.desks[me];
        let mut inbox = desk.open();
        loop {
            if let Some(end) = self.ended() {
                return Woken::End(end);
            }
            if !inbox.mail.is_empty() {
                return Woken::Mail;
            }
            if mem::take(&mut inbox.looks) {
                return Woken::Look;
            }
            if mem::take(&mut inbox.resumed) || aside && !self.any_flooded() {
                return Woken::Aside;
            }
            inbox.owner = if aside { Owner::Aside } else { Owner::Parked };
            if self.active.fetch_sub(1, Ordering::AcqRel) == 1 {
                // All others are parked without mail, so only this thread could wake them.
                inbox.owner = Owner::Active;
                self.active.fetch_add(1, Ordering::AcqRel);
                drop(inbox);
                let others = self.resume_others(me);
                if aside {
                    return Woken::Aside;
                }
                if !others {
                    self.stop(End::Idle);
                }
                inbox = desk.open();
                continue;
            }
            while inbox.owner != Owner::Active && self.ended().is_none() {
                let waited = desk.bell.wait(inbox);
                inbox = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Lets ranks that have stepped aside continue in parked threads. Returns `true` if there are
    /// any.
    fn resume_others(&self, me: usize) -> bool {
        let mut any = false;
        for (_, desk) in self.desks.iter().enumerate().filter(|(it, _)| *it != me) {
            let mut inbox = desk.open();
            if inbox.owner == Owner::Aside {
                inbox.resumed = true;
                self.wake(desk, &mut inbox);
                any = true;
            }
        }
        any
    }

    /// Lets the first thread report the progress of the run, even if it is parked.
    pub(crate) fn show(&self) {
        let desk = &self.desks[0];
        let mut inbox = desk.open();
        if inbox.owner != Owner::Active {
            inbox.looks = true;
            self.wake(desk, &mut inbox);
        }
    }

    /// Records whether too many messages are waiting for a rank of a thread. Once that is no longer
    /// the case in any thread, ranks of other threads that have stepped aside continue.
    pub(crate) fn set_flooded(&self, me: usize, flooded: bool) {
        let was = self.desks[me].is_flooded.swap(flooded, Ordering::Relaxed);
        if was && !flooded {
            self.resume_others(me);
        }
    }

    fn any_flooded(&self) -> bool {
        (0..self.desks.len()).any(|thread| self.is_flooded(thread))
    }

    pub(crate) fn is_flooded(&self, thread: usize) -> bool {
        self.desks[thread].is_flooded.load(Ordering::Relaxed)
    }

    /// Ends the run, unless it has already ended.
    pub(crate) fn stop(&self, end: End) {
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self
            .end
            .compare_exchange(RUNNING, end.number(), success, failure);
        for desk in &self.desks {
            // With the lock, no thread can be between checking for the end and waiting.
            let _inbox = desk.open();
            desk.bell.notify_one();
        }
    }

    pub(crate) fn ended(&self) -> Option<End> {
        End::of_number(self.end.load(Ordering::Acquire))
    }
}
