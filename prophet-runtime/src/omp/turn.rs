//! Turns: threads that want the same thing at one instant get it in the order of their numbers.
//!
//! Who takes a lock, the next chunk of a loop, or a single first, is settled at the end of the
//! instant, when all that can ask has asked: each is then resumed in turn and takes what it finds,
//! so that the order in which the engine runs the threads does not show. Locks come last, as who
//! gets a chunk or a single may ask for one.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::World;
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Wanted;
use crate::language::stopped::Stopped;

/// A thread that waits for its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Since when, in simulated seconds: who has waited longest comes first.
    pub(super) since_s: f64,
    /// Process and thread, whose order decides among those of one instant.
    pub(super) order: (u32, u32),
    pub(super) unit: u32,
    pub(super) generation: u32,
}

impl Candidate {
    /// The thread whose wait this is, which began at this instant.
    pub(super) fn new(wait: &Wait<'_>) -> Self {
        let ctx = wait.ctx();
        Self {
            since_s: ctx.now_s(),
            order: ctx.place(),
            unit: ctx.unit(),
            generation: wait.generation(),
        }
    }

    /// Whether it comes before or with another one.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        (self.since_s, self.order) <= (other.since_s, other.order)
    }
}

/// The threads whose turn comes at the end of this instant.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// Those that want a part of what their team shares.
    shares: RefCell<Vec<Candidate>>,
    locks: RefCell<Vec<Candidate>>,
    any: Cell<bool>,
    /// How often turns have been given.
    rounds: Cell<u64>,
}

impl Turns {
    /// Gives a waiting thread a turn at what its team shares.
    fn ask(&self, world: &World<'_>, candidate: Candidate) {
        self.shares.borrow_mut().push(candidate);
        self.any.set(true);
        world.set_busy();
    }

    /// Gives a waiting thread a turn at a lock.
    pub(super) fn ask_lock(&self, world: &World<'_>, candidate: Candidate) {
        self.locks.borrow_mut().push(candidate);
        self.any.set(true);
        world.set_busy();
    }

    /// How often turns have been given.
    pub(super) fn rounds(&self) -> u64 {
        self.rounds.get()
    }

    /// Makes those ready in their order whose turns come next; returns whether there were any.
    #[inline]
    pub(crate) fn give(&self, world: &World<'_>) -> bool {
        self.any.get() && self.give_next(world)
    }

    fn give_next(&self, world: &World<'_>) -> bool {
        let mut candidates = self.shares.take();
        if candidates.is_empty() {
            candidates = self.locks.take();
        }
        self.any.set(!self.locks.borrow().is_empty());
        self.rounds.set(self.rounds.get() + 1);
        candidates.sort_by(|a, b| {
            let by_time = a.since_s.total_cmp(&b.since_s);
            by_time.then_with(|| a.order.cmp(&b.order))
        });
        for candidate in candidates {
            world.wake(candidate.unit, candidate.generation);
        }
        // Locks may be left to give, also when nobody was woken.
        world.set_busy();
        true
    }
}

/// Waits for this thread's turn.
pub(super) fn turn<'a>(ctx: &'a ProcessCtx<'_>) -> Turn<'a> {
    Turn {
        wait: Wait::unordered(ctx),
    }
}

/// The future of [`turn`].
pub(super) struct Turn<'a> {
    wait: Wait<'a>,
}

impl Turn<'_> {
    pub(super) fn poll_turn(&mut self) -> Poll<Result<(), Stopped>> {
        if self.wait.generation() == 0 {
            self.wait.register()?;
            let world = self.wait.ctx().world();
            world.turns.ask(world, Candidate::new(&self.wait));
        } else if self.wait.granted() {
            return Poll::Ready(Ok(()));
        } else {
            self.wait.explain(|| Wanted {
                text: "its turn".to_owned(),
                process: None,
            });
        }
        Poll::Pending
    }
}

impl Future for Turn<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_turn()
    }
}
