//! Meeting place of the threads of one run: the mail between them, and the end of the run.
//!
//! A thread is *parked* while it has nothing to do and no mail. Only a thread that is not parked
//! sends mail, and mail for a parked thread wakes it, all under the lock of that thread's inbox. So
//! when the last thread is about to park, nothing is under way: the run is over, unless threads
//! have ranks that stand aside, which then continue.
//!
//! `tests/hub.rs` explores all interleavings of a few threads.

use std::mem;
use std::sync::PoisonError;

use super::sync::{AtomicBool, AtomicU8, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// Why a thread continues that had nothing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Woken {
    Mail,
    /// Ranks that stand aside may continue.
    Aside,
    /// The first thread is to look at the progress of the run.
    Look,
    End(End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// No thread has anything left to do.
    Idle,
    /// The observer has ended the run.
    Early,
    /// A thread cannot continue.
    Abandoned,
}

/// [`Hub::end`] of a run that goes on.
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

/// Meeting place of threads that are numbered from 0.
#[derive(Debug)]
pub(crate) struct Hub<M> {
    desks: Box<[Desk<M>]>,
    /// Number of threads that are not parked.
    active: AtomicUsize,
    /// Number of the [`End`], or [`RUNNING`].
    end: AtomicU8,
}

/// State of one thread; on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Desk<M> {
    inbox: Mutex<Inbox<M>>,
    bell: Condvar,
    /// True if there is mail: a hint that needs no lock.
    has_mail: AtomicBool,
    /// True if a rank of the thread has too many messages waiting.
    is_flooded: AtomicBool,
}

#[derive(Debug)]
struct Inbox<M> {
    mail: Vec<M>,
    owner: Owner,
    /// True if ranks that stand aside continue.
    resumed: bool,
    /// True if the thread is to look at the run.
    looks: bool,
}

/// State of the thread that has an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Active,
    Parked,
    /// Parked, with ranks that stand aside.
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

    /// The inbox. No thread panics while it has the lock.
    fn open(&self) -> MutexGuard<'_, Inbox<M>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Hub<M> {
    /// Creates the hub of a number of threads, none of which is parked.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            desks: (0..threads).map(|_| Desk::new()).collect(),
            active: AtomicUsize::new(threads),
            end: AtomicU8::new(RUNNING),
        }
    }

    /// Sends a batch, which is empty afterwards, to a thread. Only a thread that is not parked may.
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

    /// Wakes a thread if it is parked. The caller is not, so that the run is not over meanwhile.
    fn wake(&self, desk: &Desk<M>, inbox: &mut Inbox<M>) {
        if mem::replace(&mut inbox.owner, Owner::Active) != Owner::Active {
            self.active.fetch_add(1, Ordering::AcqRel);
            desk.bell.notify_one();
        }
    }

    /// True if a thread has mail that it has not taken.
    pub(crate) fn has_mail(&self, me: usize) -> bool {
        self.desks[me].has_mail.load(Ordering::Relaxed)
    }

    /// Takes the mail of a thread, in the order of each sender, for an empty list.
    pub(crate) fn take(&self, me: usize, mail: &mut Vec<M>) {
        let desk = &self.desks[me];
        let mut inbox = desk.open();
        mem::swap(&mut inbox.mail, mail);
        desk.has_mail.store(false, Ordering::Relaxed);
    }

    /// Lets a thread that has nothing to do wait; `aside` if ranks of it stand aside, which
    /// continue when no thread has too many messages waiting, or none anything else to do.
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
                // All others are parked without mail, and nobody can wake them but this thread.
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

    /// Lets ranks continue that stand aside in threads that are parked; returns whether there are
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

    /// Lets the first thread look at the run, should it be parked.
    pub(crate) fn show(&self) {
        let desk = &self.desks[0];
        let mut inbox = desk.open();
        if inbox.owner != Owner::Active {
            inbox.looks = true;
            self.wake(desk, &mut inbox);
        }
    }

    /// Notes whether a rank of a thread has too many messages waiting. Once no rank has too many
    /// messages, the ranks of other threads that stand aside continue.
    pub(crate) fn set_flooded(&self, me: usize, flooded: bool) {
        let was = self.desks[me].is_flooded.swap(flooded, Ordering::Relaxed);
        if was && !flooded {
            self.resume_others(me);
        }
    }

    fn any_flooded(&self) -> bool {
        (0..self.desks.len()).any(|thread| self.is_flooded(thread))
    }

    /// True if a rank of a thread has too many messages waiting.
    pub(crate) fn is_flooded(&self, thread: usize) -> bool {
        self.desks[thread].is_flooded.load(Ordering::Relaxed)
    }

    /// Ends the run, unless it has ended.
    pub(crate) fn stop(&self, end: End) {
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self
            .end
            .compare_exchange(RUNNING, end.number(), success, failure);
        for desk in &self.desks {
            // With the lock, no thread is between its look at the end and its wait.
            let _inbox = desk.open();
            desk.bell.notify_one();
        }
    }

    /// The end of the run, if it has come.
    pub(crate) fn ended(&self) -> Option<End> {
        End::of_number(self.end.load(Ordering::Acquire))
    }
}
