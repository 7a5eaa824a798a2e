//! Represents the ranks that other threads simulate, and sends mail to them in batches.

use std::cell::{Cell, RefCell};

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prophet_map::Map;

use super::division::Division;
use super::hub::{End, Hub, Woken};
use crate::kernel::Progress;
use crate::messages::letter::{Letter, Post};

/// Number of messages that are sent to a thread in one batch.
const BATCH: usize = 256;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Mail {
    Letter {
        dest: u32,
        letter: Letter,
    },
    /// The receive for a waiting message has been posted: the sender must now send the message.
    Fetch(Fetch),
    Fetched {
        dest: u32,
        letter: Letter,
    },
    /// All ranks have arrived at a collective with a cost, the last one at this simulated time.
    Gathered {
        communicator: u32,
        call: u64,
        latest_s: f64,
    },
}

/// A request for a message that waits for its receive; times are in simulated seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fetch {
    pub(crate) source: u32,
    pub(crate) dest: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// Time at which the sender began to wait.
    pub(crate) sent_s: f64,
    /// Time at which both sides are ready.
    pub(crate) start_s: f64,
}

#[derive(Debug)]
pub(crate) struct Shared {
    hub: Hub<Mail>,
    /// Number of events and messages of all threads, as far as they have been counted.
    events: AtomicU64,
    messages: AtomicU64,
}

impl Shared {
    pub(crate) fn new(division: Division) -> Self {
        Self {
            hub: Hub::new(division.threads() as usize),
            events: AtomicU64::new(0),
            messages: AtomicU64::new(0),
        }
    }

    /// Ends the run, unless it has already ended.
    pub(crate) fn stop(&self, end: End) {
        self.hub.stop(end);
    }
}

#[derive(Debug)]
pub(crate) struct Abroad {
    shared: Arc<Shared>,
    division: Division,
    me: u32,
    out: Box<[RefCell<Vec<Mail>>]>,
    /// Number of threads with unsent mail.
    full: Cell<usize>,
    /// Posted receives whose message is being fetched, by receiver and sender.
    fetched: RefCell<Map<(u32, u32), Post>>,
    /// A list that was emptied and is kept for reuse.
    spare: RefCell<Vec<Mail>>,
    /// Number of events and messages of this thread that have been counted.
    counted: Cell<(u64, u64)>,
}

impl Abroad {
    pub(crate) fn new(shared: Arc<Shared>, division: Division, me: u32) -> Self {
        Self {
            out: (0..division.threads())
                .map(|_| RefCell::default())
                .collect(),
            shared,
            division,
            me,
            full: Cell::new(0),
            fetched: RefCell::default(),
            spare: RefCell::default(),
            counted: Cell::default(),
        }
    }

    pub(crate) fn block(&self) -> Range<u32> {
        self.division.block(self.me)
    }

    /// Returns the number of threads that run the given ranks, which are in ascending order.
    pub(crate) fn threads_of(&self, ranks: &[u32]) -> usize {
        self.division.threads_of(ranks)
    }

    /// Sends mail to the thread of a rank, now or later; returns `true` if too many messages are
    /// waiting in that thread.
    pub(crate) fn send(&self, rank: u32, mail: Mail) -> bool {
        let thread = self.division.thread(rank);
        self.send_to(thread, mail);
        self.shared.hub.is_flooded(thread)
    }

    fn send_to(&self, thread: usize, mail: Mail) {
        let mut out = self.out[thread].borrow_mut();
        if out.is_empty() {
            self.full.set(self.full.get() + 1);
        }
        out.push(mail);
        if out.len() >= BATCH {
            self.full.set(self.full.get() - 1);
            self.shared.hub.send(thread, &mut out);
        }
    }

    /// Sends mail to the other threads that run the given ranks, which are in ascending order. An
    /// empty list means all ranks.
    pub(crate) fn send_to_threads_of(&self, ranks: &[u32], mail: Mail) {
        let mut threads: Vec<usize> = match ranks {
            [] => (0..self.division.threads() as usize).collect(),
            ranks => ranks
                .iter()
                .map(|rank| self.division.thread(*rank))
                .collect(),
        };
        threads.dedup();
        for thread in threads.into_iter().filter(|it| *it != self.me as usize) {
            self.send_to(thread, mail);
        }
    }

    pub(crate) fn flush(&self) {
        if self.full.replace(0) == 0 {
            return;
        }
        for (thread, out) in self.out.iter().enumerate() {
            let mut out = out.borrow_mut();
            if !out.is_empty() {
                self.shared.hub.send(thread, &mut out);
            }
        }
    }

    /// Takes the mail that has arrived; each sender's mail is in order.
    pub(crate) fn take_mail(&self) -> Option<Vec<Mail>> {
        if !self.shared.hub.has_mail(self.me as usize) {
            return None;
        }
        let mut mail = self.spare.take();
        self.shared.hub.take(self.me as usize, &mut mail);
        Some(mail)
    }

    /// Keeps a list, whose mail has been read, for reuse.
    pub(crate) fn give_back(&self, mut mail: Vec<Mail>) {
        mail.clear();
        self.spare.replace(mail);
    }

    /// Waits until there is something to do; `aside` says whether ranks have stepped aside.
    pub(crate) fn park(&self, aside: bool) -> Woken {
        self.shared.hub.park(self.me as usize, aside)
    }

    /// Notes whether too many messages are waiting for a rank of this thread.
    pub(crate) fn set_flooded(&self, flooded: bool) {
        if self.shared.hub.is_flooded(self.me as usize) != flooded {
            self.shared.hub.set_flooded(self.me as usize, flooded);
        }
    }

    /// Returns `true` for the thread that shows the run to its observer.
    pub(crate) fn is_first(&self) -> bool {
        self.me == 0
    }

    /// Lets the first thread look at the run.
    pub(crate) fn show(&self) {
        self.shared.hub.show();
    }

    pub(crate) fn stop(&self, end: End) {
        self.shared.hub.stop(end);
    }

    pub(crate) fn has_mail(&self) -> bool {
        self.shared.hub.has_mail(self.me as usize)
    }

    /// Adds this thread's counts to the run's.
    pub(crate) fn count(&self, progress: Progress) {
        let (events, messages) = self.counted.replace((progress.events, progress.messages));
        let Shared {
            events: all_events,
            messages: all_messages,
            ..
        } = &*self.shared;
        all_events.fetch_add(progress.events - events, Ordering::Relaxed);
        all_messages.fetch_add(progress.messages - messages, Ordering::Relaxed);
    }

    /// Returns the number of events and messages of all threads counted so far.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let count = |all: &AtomicU64| all.load(Ordering::Relaxed);
        (count(&self.shared.events), count(&self.shared.messages))
    }

    pub(crate) fn ended(&self) -> Option<End> {
        self.shared.hub.ended()
    }

    /// Stores a posted receive whose message is being fetched.
    pub(crate) fn keep_fetched(&self, dest: u32, post: Post) {
        let key = (dest, post.envelope.source);
        self.fetched.borrow_mut().insert(key, post);
    }

    /// Takes a receive stored by [`Self::keep_fetched`], unless its rank waits for it.
    pub(crate) fn take_fetched(&self, dest: u32, source: u32) -> Option<Post> {
        self.fetched.borrow_mut().remove(&(dest, source))
    }
}

/// Guard of a thread: when the thread ends for any reason, no other thread waits for it any longer.
#[derive(Debug)]
pub(crate) struct Leaving<'a>(pub(crate) &'a Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.stop(End::Abandoned);
    }
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Mail>();
};
