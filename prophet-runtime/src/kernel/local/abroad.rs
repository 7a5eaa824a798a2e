//! Represents the ranks in other threads, and sends mail to these threads in batches.

use std::cell::{Cell, RefCell};

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prophet_map::Map;

use super::division::Division;
use super::hub::{End, Hub, Woken};
use crate::kernel::Progress;
use crate::messages::letter::{Letter, Post};

/// Number of messages in a batch.
const BATCH: usize = 256;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Mail {
    Letter {
        dest: u32,
        letter: Letter,
    },
    /// A receive has been posted for a message that waits for one, so its sender must now send it.
    Fetch(Fetch),
    Fetched {
        dest: u32,
        letter: Letter,
    },
    /// All ranks have reached a collective with a cost, the last of them at this simulated time.
    Gathered {
        communicator: u32,
        call: u64,
        latest_s: f64,
    },
}

/// A request for a message that waits for its receive. Times are in simulated seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fetch {
    pub(crate) source: u32,
    pub(crate) dest: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// When the sender began to wait.
    pub(crate) sent_s: f64,
    /// When both sides were ready.
    pub(crate) start_s: f64,
}

#[derive(Debug)]
pub(crate) struct Shared {
    hub: Hub<Mail>,
    /// Numbers of events and messages of all threads, as far as these have counted them.
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
    /// Number of threads that have mail to be sent.
    full: Cell<usize>,
    /// Posted receives whose messages are being fetched, by receiver and sender.
    fetched: RefCell<Map<(u32, u32), Post>>,
    /// An emptied list, kept for reuse.
    spare: RefCell<Vec<Mail>>,
    /// Numbers of events and messages that this thread has already added to the totals.
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

    /// Returns the number of threads that simulate these ranks, which must be in ascending order.
    pub(crate) fn threads_of(&self, ranks: &[u32]) -> usize {
        self.division.threads_of(ranks)
    }

    /// Sends mail to the thread of a rank, now or later. Returns `true` if too many messages are
    /// waiting there.
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

    /// Sends mail to the other threads that simulate these ranks, which must be in ascending order.
    /// An empty list means all ranks.
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

    /// Takes the mail that has arrived. The mail of each sender is in order.
    pub(crate) fn take_mail(&self) -> Option<Vec<Mail>> {
        if !self.shared.hub.has_mail(self.me as usize) {
            return None;
        }
        let mut mail = self.spare.take();
        self.shared.hub.take(self.me as usize, &mut mail);
        Some(mail)
    }

    /// Keeps a list for reuse after its mail has been read.
    pub(crate) fn give_back(&self, mut mail: Vec<Mail>) {
        mail.clear();
        self.spare.replace(mail);
    }

    /// Waits until there is something to do. `aside` says whether ranks of this thread have stepped
    /// aside.
    pub(crate) fn park(&self, aside: bool) -> Woken {
        self.shared.hub.park(self.me as usize, aside)
    }

    /// Records whether too many messages are waiting for a rank of this thread.
    pub(crate) fn set_flooded(&self, flooded: bool) {
        if self.shared.hub.is_flooded(self.me as usize) != flooded {
            self.shared.hub.set_flooded(self.me as usize, flooded);
        }
    }

    /// Returns `true` in the thread that reports to the observer.
    pub(crate) fn is_first(&self) -> bool {
        self.me == 0
    }

    /// Lets the first thread report to the observer.
    pub(crate) fn show(&self) {
        self.shared.hub.show();
    }

    pub(crate) fn stop(&self, end: End) {
        self.shared.hub.stop(end);
    }

    pub(crate) fn has_mail(&self) -> bool {
        self.shared.hub.has_mail(self.me as usize)
    }

    /// Adds this thread's counts to the totals of the run.
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

    /// Returns the numbers of events and messages that all threads have counted so far.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let count = |all: &AtomicU64| all.load(Ordering::Relaxed);
        (count(&self.shared.events), count(&self.shared.messages))
    }

    pub(crate) fn ended(&self) -> Option<End> {
        self.shared.hub.ended()
    }

    /// Stores a posted receive while its message is being fetched.
    pub(crate) fn keep_fetched(&self, dest: u32, post: Post) {
        let key = (dest, post.envelope.source);
        self.fetched.borrow_mut().insert(key, post);
    }

    /// Takes a receive that [`Self::keep_fetched`] has stored. Returns `None` if there is none,
    /// because the rank itself waits for the message.
    pub(crate) fn take_fetched(&self, dest: u32, source: u32) -> Option<Post> {
        self.fetched.borrow_mut().remove(&(dest, source))
    }
}

/// Leaves the run when it is dropped, so that no other thread waits for one that has ended for any
/// reason.
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
