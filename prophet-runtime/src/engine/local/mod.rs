//! The local engine: each rank has its own clock and runs until a message that it wants is not
//! there.
//!
//! For programs whose processes affect each other by messages and collectives alone, each with a
//! CPU of its own: what a rank computes then depends on what it receives, not on the order in
//! which the ranks run, and nothing has to be ordered by time. Whatever else a program does is
//! noticed ([`World::needs_order`]) and ends the run, which the event engine then repeats.

mod lane;
mod line;
mod overflow;
mod ready;
mod ring;
mod sweep;

use std::cell::{Cell, OnceCell, RefCell};
use std::task::Poll;

use super::World;
use crate::kernel::{Arena, Ended, LOOK_EVERY, Observer, Phase, Progress, Unit, prefetch};
use crate::language::stopped::Stopped;
use crate::messages::matching::{Envelope, Letter, Matching};
pub(crate) use lane::Lane;
pub(crate) use line::Found;
use line::{HELD_MAX, Line};
use overflow::Overflow;
use ready::Ready;

/// Elements that a rank begins before others have their turn.
const TURN: u32 = 64;
/// A rank that sends to one with so many messages waiting stands aside until nobody else can go
/// on, which bounds the memory that messages take.
const BACKLOG_MAX: u32 = 256;
/// Steps of a rank at one instant that need no account: the event engine allows as many for each,
/// and counts one more at most, the one that the instant begins with.
const STEPS_FREE: u16 = 9_999;
/// How far ahead of its turn a rank's memory is fetched, in ranks.
const AHEAD: u32 = 4;

/// What the local engine keeps of a run.
#[derive(Debug)]
pub(crate) struct Local {
    lines: Vec<Line>,
    /// The numbers of the messages in the lines, where somebody wants to know.
    numbers: OnceCell<Vec<Cell<[u32; HELD_MAX]>>>,
    ready: Ready,
    /// Ranks that go on when no other can.
    aside: RefCell<Vec<u32>>,
    overflow: RefCell<Overflow>,
    /// Receives that ranks have posted and that wait; made when there is one.
    posts: OnceCell<RefCell<Matching>>,
    /// Elements that the running rank may still begin.
    turn: Cell<u32>,
    /// Whether the running rank stands aside at its turn's end.
    floods: Cell<bool>,
    messages: Cell<u64>,
    /// Steps beyond [`STEPS_FREE`] of all ranks and instants.
    excess: Cell<u64>,
    /// Why this run is not for this engine, once that is known.
    unsuited: Cell<Option<&'static str>>,
}

impl Local {
    /// All ranks at time 0, ready in the order of their numbers.
    pub(crate) fn new(ranks: u32) -> Self {
        Self {
            lines: (0..ranks).map(|_| Line::default()).collect(),
            numbers: OnceCell::new(),
            ready: Ready::full(ranks),
            aside: RefCell::default(),
            overflow: RefCell::new(Overflow::new()),
            posts: OnceCell::new(),
            turn: Cell::new(TURN),
            floods: Cell::new(false),
            messages: Cell::new(0),
            excess: Cell::new(0),
            unsuited: Cell::new(None),
        }
    }

    /// Keeps the numbers of messages, too, from now on; those that wait have the number 0.
    pub(crate) fn keep_numbers(&self) {
        self.numbers
            .get_or_init(|| vec![Cell::default(); self.lines.len()]);
    }

    /// Whether it runs the program.
    #[inline]
    pub(crate) fn has_ranks(&self) -> bool {
        !self.lines.is_empty()
    }

    /// What is kept of a rank, if it runs that.
    #[inline]
    pub(super) fn line(&self, rank: u32) -> Option<&Line> {
        self.lines.get(rank as usize)
    }

    /// The receives that ranks have posted.
    fn posts(&self) -> &RefCell<Matching> {
        let ranks = self.lines.len();
        self.posts
            .get_or_init(|| RefCell::new(Matching::new(ranks)))
    }

    pub(crate) fn set_unsuited(&self, what: &'static str) {
        if self.unsuited.get().is_none() {
            self.unsuited.set(Some(what));
        }
    }

    pub(crate) fn unsuited(&self) -> Option<&'static str> {
        self.unsuited.get()
    }

    /// How many messages have been sent.
    pub(crate) fn messages(&self) -> u64 {
        self.messages.get()
    }

    /// Ends the turn of a running rank, which goes on when others have had theirs.
    #[cold]
    #[inline(never)]
    fn end_turn(&self, rank: u32, unit: &Unit) {
        if unit.phase.get() != Phase::Running {
            return;
        }
        unit.phase.set(Phase::Yielded);
        if self.floods.get() {
            self.aside.borrow_mut().push(rank);
        } else {
            self.ready.push(rank);
        }
    }

    /// Keeps the number of the message that the line of a rank has got.
    #[cold]
    #[inline(never)]
    fn keep_number(&self, numbers: &[Cell<[u32; HELD_MAX]>], rank: u32, number: u32) {
        let (numbers, line) = (&numbers[rank as usize], &self.lines[rank as usize]);
        let mut kept = numbers.get();
        kept[line.held() - 1] = number;
        numbers.set(kept);
    }

    /// The number of the message that has been taken from a place in the line of a rank.
    #[cold]
    #[inline(never)]
    fn take_number(numbers: &[Cell<[u32; HELD_MAX]>], rank: u32, place: usize) -> u32 {
        let numbers = &numbers[rank as usize];
        let mut kept = numbers.get();
        let number = kept[place];
        kept.copy_within(place + 1.., place);
        numbers.set(kept);
        number
    }

    #[cold]
    #[inline(never)]
    fn put_aside(&self, dest: u32, letter: Letter) {
        self.overflow.borrow_mut().put(dest, letter);
        if self.lines[dest as usize].add_more() > BACKLOG_MAX {
            self.floods.set(true);
            self.turn.set(0);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_aside(&self, rank: u32, envelope: Envelope) -> Option<Letter> {
        let letter = self.overflow.borrow_mut().take(rank, &envelope)?;
        self.lines[rank as usize].take_more();
        Some(letter)
    }

    /// Fetches what the ranks that come soon need: their own memory first, then, when that is
    /// there, the line of the rank that they send to.
    #[inline]
    fn prefetch<F: Future>(&self, arena: &Arena<F>) {
        let Some(rank) = self.ready.ahead(2 * AHEAD) else {
            return;
        };
        if let Some(line) = self.lines.get(rank as usize) {
            arena.prefetch(rank as usize);
            prefetch(line);
            prefetch(&line.unit);
        }
        let sender = self
            .ready
            .ahead(AHEAD)
            .and_then(|rank| self.lines.get(rank as usize));
        if let Some(sender) = sender {
            let dest = sender.next_dest.get() as usize;
            prefetch(&self.lines[dest]);
        }
    }

    /// The rank that goes on next.
    #[inline]
    fn next(&self) -> Option<u32> {
        match self.ready.pop() {
            None => self.next_aside(),
            next => next,
        }
    }

    #[cold]
    #[inline(never)]
    fn next_aside(&self) -> Option<u32> {
        let mut aside = self.aside.borrow_mut();
        aside.drain(..).for_each(|rank| self.ready.push(rank));
        self.ready.pop()
    }
}

/// Why a run gave no result: the event engine is to repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abandoned {
    /// The program does what this engine cannot do.
    Unsuited(&'static str),
    /// The run failed.
    Failed,
}

/// Runs all processes to their ends, unless `observer` ends the run before. An event is that a
/// process goes on.
pub(crate) fn run<F>(
    world: &World<'_>,
    arena: &mut Arena<F>,
    observer: &mut dyn Observer,
) -> Result<Ended, Abandoned>
where
    F: Future<Output = Result<(), Stopped>>,
{
    let Some(local) = world.local() else {
        return Err(Abandoned::Failed);
    };
    let mut events = 0;
    let mut next_look = LOOK_EVERY;
    let mut ended = 0;
    while let Some(rank) = local.next() {
        local.prefetch(arena);
        events += 1;
        local.turn.set(TURN);
        local.floods.set(false);
        let line = &local.lines[rank as usize];
        let unit = &line.unit;
        let phase = unit.phase.get();
        if phase == Phase::Waiting {
            // A rank that waits is made ready by what it waits for alone.
            unit.phase.set(Phase::Granted);
        } else if phase == Phase::Yielded {
            unit.phase.set(Phase::Running);
        }
        match arena.poll(rank as usize) {
            Some(Poll::Pending) if unit.phase.get() == Phase::Running => {
                return Err(Abandoned::Failed);
            }
            Some(Poll::Ready(Ok(()))) => {
                arena.clear(rank as usize);
                unit.phase.set(Phase::Ended);
                unit.latest_s.set(line.now_s.get());
                ended += 1;
            }
            Some(Poll::Ready(Err(_))) => return Err(abandon(local)),
            Some(Poll::Pending) | None => {}
        }
        if world.has_failed() {
            return Err(abandon(local));
        }
        if events >= next_look {
            next_look = events + LOOK_EVERY;
            let progress = Progress {
                time_s: line.now_s.get(),
                events,
                messages: local.messages(),
            };
            if observer.look(progress).is_break() {
                let early = ended < world.system.processes;
                return Ok(Ended { events, early });
            }
        }
    }
    if ended < world.system.processes {
        return Err(Abandoned::Failed);
    }
    Ok(Ended {
        events,
        early: false,
    })
}

#[cold]
fn abandon(local: &Local) -> Abandoned {
    local
        .unsuited()
        .map_or(Abandoned::Failed, Abandoned::Unsuited)
}
