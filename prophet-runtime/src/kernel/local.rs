//! Stores the state of the local engine: the ranks' clocks, and the messages that are waiting for
//! receives.

mod abroad;
mod alone;
mod division;
mod folded;
mod heads;
mod hub;
#[cfg(test)]
mod hub_tests;
mod influences;
mod line;
mod overflow;
mod ready;
mod ring;
mod sweep;
mod sync;

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

use prophet_sim::kernel::{Arena, Kernel, Phase, Unit, prefetch};

use crate::language::region::Region;
use crate::language::symmetry::Symmetry;
use crate::messages::letter::{Envelope, Letter};
use crate::messages::matching::Matching;
pub(crate) use abroad::{Abroad, Fetch, Leaving, Mail, Shared};
pub(crate) use alone::{Alone, Met};
pub(crate) use division::Division;
pub(crate) use folded::Folded;
pub(crate) use heads::{Head, Heads, least_common_multiple};
pub(crate) use hub::{End, Woken};
pub(crate) use influences::{Influence, Influences};
use line::HELD_MAX;
pub(crate) use line::{Found, Line};
use overflow::Overflow;
use ready::Ready;

/// Number of elements that a rank can begin in one turn.
pub(crate) const TURN: u32 = 64;
/// If this many messages are waiting for a rank, its senders step aside until no other rank can
/// continue. This limits the memory for messages.
const BACKLOG_MAX: u32 = 256;
/// Number of steps that a rank can make at the same instant before its steps are counted. The event
/// engine allows as many, plus at most one: the step that begins the instant.
pub(crate) const STEPS_FREE: u16 = 9_999;
/// Number of turns by which a rank's memory is prefetched in advance.
const AHEAD: u32 = 4;

/// The state of a run in the local engine, or of the part that a thread simulates.
///
/// A thread numbers its ranks from 0. These numbers are their *places*.
#[derive(Debug)]
pub(crate) struct Local {
    /// The rank at place 0.
    first: Cell<u32>,
    /// The mask for places, or 0 if rank 0 represents all ranks.
    place_bits: u32,
    /// Set if rank 0 represents all ranks.
    pub(crate) folded: Option<Box<Folded>>,
    /// Set if a rank is simulated without the others.
    pub(crate) alone: Option<Box<Alone>>,
    pub(crate) lines: Vec<Line>,
    abroad: Option<Box<Abroad>>,
    /// The numbers of the messages in the ranks' lines, if these are needed.
    pub(crate) numbers: OnceCell<Vec<Cell<[u32; HELD_MAX]>>>,
    pub(crate) ready: Ready,
    /// The places of ranks that have stepped aside. They continue when no other rank can.
    aside: RefCell<Vec<u32>>,
    overflow: RefCell<Overflow>,
    /// Posted receives that are waiting for their messages. Created on first use.
    posts: OnceCell<RefCell<Matching>>,
    /// Whether operations are plain, so that ranks can take the fast path.
    pub(crate) plain: Cell<bool>,
    /// Number of elements that the running rank can still begin in this turn.
    pub(crate) turn: Cell<u32>,
    /// Whether the running rank must step aside when its turn ends.
    pub(crate) floods: Cell<bool>,
    pub(crate) messages: Cell<u64>,
    /// Number of steps beyond [`STEPS_FREE`], in all ranks and at all instants.
    pub(crate) excess: Cell<u64>,
    /// The ranks that are at the heads of loops whose iterations can repeat.
    pub(crate) heads: Heads,
    pub(crate) influences: Influences,
    /// Why this engine can't run the program, if that has been found out.
    unsuited: Cell<Option<&'static str>>,
}

impl Local {
    /// Creates these ranks at time 0. They are ready, in order.
    pub(crate) fn new(ranks: Range<u32>) -> Self {
        let count = ranks.end - ranks.start;
        Self {
            first: Cell::new(ranks.start),
            place_bits: u32::MAX,
            folded: None,
            alone: None,
            lines: (0..count).map(|_| Line::default()).collect(),
            abroad: None,
            numbers: OnceCell::new(),
            ready: Ready::full(count),
            aside: RefCell::default(),
            overflow: RefCell::new(Overflow::new()),
            posts: OnceCell::new(),
            plain: Cell::new(false),
            turn: Cell::new(TURN),
            floods: Cell::new(false),
            messages: Cell::new(0),
            excess: Cell::new(0),
            heads: Heads::default(),
            influences: Influences::default(),
            unsuited: Cell::new(None),
        }
    }

    /// Creates the ranks that one of several threads simulates.
    pub(crate) fn divided(abroad: Abroad) -> Self {
        let block = abroad.block();
        Self {
            abroad: Some(Box::new(abroad)),
            ..Self::new(block)
        }
    }

    /// Creates rank 0, which represents all of `ranks` ranks.
    pub(crate) fn folded(ranks: u32) -> Self {
        Self {
            place_bits: 0,
            folded: Some(Box::new(Folded::new(ranks))),
            ..Self::new(0..1)
        }
    }

    /// Creates a place in which ranks run alone, one after another.
    pub(crate) fn alone(rank: u32, region: Option<Region>) -> Self {
        let local = Self {
            alone: Some(Box::new(Alone {
                region: region.map(RefCell::new),
                ..Alone::default()
            })),
            ..Self::new(rank..rank + 1)
        };
        // No rank runs before [`Self::replace`] is called.
        local.ready.pop();
        local
    }

    /// Begins the run of a rank, in place of one that has ended.
    pub(crate) fn replace(&self, rank: u32) {
        self.first.set(rank);
        let line = &self.lines[0];
        if line.more() > 0 {
            self.overflow.replace(Overflow::new());
        }
        if let Some(posts) = self.posts.get().filter(|_| line.has_posted()) {
            posts.replace(Matching::new(1));
        }
        line.clear();
        self.ready.push(0);
    }

    /// Records the shifts that lead to a rank's partners in the current collective, if ranks
    /// represent others.
    pub(crate) fn shift_collective(&self, symmetry: Symmetry) {
        if let Some(folded) = &self.folded {
            folded.shift_collective(symmetry);
        }
        if let Some(alone) = &self.alone {
            alone.shift_collective(symmetry);
        }
    }

    /// Returns a message with this envelope, if a rank runs alone and every message counts as
    /// available.
    #[inline]
    pub(crate) fn imagined(&self, envelope: &Envelope) -> Option<Found> {
        self.alone.as_ref()?.imagined(envelope)
    }

    #[inline]
    pub(crate) fn abroad(&self) -> Option<&Abroad> {
        self.abroad.as_deref()
    }

    /// Returns the rank at place 0.
    #[inline]
    pub(crate) fn first(&self) -> u32 {
        self.first.get()
    }

    /// Returns the place of a rank. It is out of range if another thread simulates the rank.
    #[inline]
    pub(crate) fn place(&self, rank: u32) -> u32 {
        rank.wrapping_sub(self.first.get()) & self.place_bits
    }

    /// Stores the numbers of messages from now on. Messages that are already waiting get the number
    /// 0.
    pub(crate) fn keep_numbers(&self) {
        self.numbers
            .get_or_init(|| vec![Cell::default(); self.lines.len()]);
    }

    /// Returns `true` if this engine runs the program.
    #[inline]
    pub(crate) fn has_ranks(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the number of places, if this engine runs the program. If a rank represents others,
    /// it is less than the number of ranks.
    pub(crate) fn place_count(&self) -> u32 {
        // The number of ranks fits in 32 bits.
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Returns the state of a rank, if it is simulated by this engine in this thread.
    #[inline]
    pub(crate) fn line(&self, rank: u32) -> Option<&Line> {
        self.lines.get(self.place(rank) as usize)
    }

    pub(crate) fn posts(&self) -> &RefCell<Matching> {
        let ranks = self.lines.len();
        self.posts
            .get_or_init(|| RefCell::new(Matching::new(ranks)))
    }

    /// Returns the messages that are waiting, with their ranks, ordered by rank, envelope, and age.
    pub(crate) fn letters(&self) -> Vec<(u32, Letter)> {
        let mut letters = Vec::new();
        for (rank, line) in (self.first()..).zip(&self.lines) {
            letters.extend(line.letters().map(|letter| (rank, letter)));
        }
        self.overflow
            .borrow()
            .for_each(|place, letter| letters.push((self.first() + place, *letter)));
        letters.sort_by_key(|(dest, letter)| (*dest, letter.envelope));
        letters
    }

    /// Shifts the times of all waiting messages. `by_s` returns by how much, given the sender.
    pub(crate) fn shift_letters(&self, by_s: impl Fn(u32) -> f64) {
        for line in &self.lines {
            line.shift_letters(&by_s);
        }
        self.overflow.borrow_mut().for_each_mut(|letter| {
            let by_s = by_s(letter.envelope.source);
            letter.time_s += by_s;
            letter.envelope_s += by_s;
        });
    }

    pub(crate) fn set_unsuited(&self, what: &'static str) {
        if self.unsuited.get().is_none() {
            self.unsuited.set(Some(what));
        }
    }

    pub(crate) fn unsuited(&self) -> Option<&'static str> {
        self.unsuited.get()
    }

    pub(crate) fn messages(&self) -> u64 {
        self.messages.get()
    }

    /// Ends the turn of a rank. If it is still running, it continues after the others have had
    /// their turns.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_turn(&self, rank: u32, unit: &Unit) {
        if unit.phase.get() != Phase::Running {
            return;
        }
        unit.phase.set(Phase::Yielded);
        let place = self.place(rank);
        if self.floods.get() {
            self.aside.borrow_mut().push(place);
        } else {
            self.ready.push(place);
        }
    }

    /// Stores the number of the message that was just added to a rank's line.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep_number(&self, numbers: &[Cell<[u32; HELD_MAX]>], rank: u32, number: u32) {
        let place = self.place(rank) as usize;
        let (numbers, line) = (&numbers[place], &self.lines[place]);
        let mut kept = numbers.get();
        kept[line.held() - 1] = number;
        numbers.set(kept);
    }

    /// Returns the number of the message that was just taken from a position in a rank's line.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_number(
        &self,
        numbers: &[Cell<[u32; HELD_MAX]>],
        rank: u32,
        position: usize,
    ) -> u32 {
        let numbers = &numbers[self.place(rank) as usize];
        let [first, second, third] = numbers.get();
        let (number, kept) = match position {
            0 => (first, [second, third, third]),
            1 => (second, [first, third, third]),
            _ => (third, [first, second, third]),
        };
        numbers.set(kept);
        number
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn put_aside(&self, dest: u32, letter: Letter) {
        let place = self.place(dest);
        self.overflow.borrow_mut().put(place, letter);
        if self.lines[place as usize].add_more() > BACKLOG_MAX {
            self.floods.set(true);
            self.turn.set(0);
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn take_aside(&self, rank: u32, envelope: Envelope) -> Option<Letter> {
        let place = self.place(rank);
        let letter = self.overflow.borrow_mut().take(place, &envelope)?;
        self.lines[place as usize].take_more();
        Some(letter)
    }

    /// Prefetches what the next ranks will need: first their own memory, and then, once that has
    /// arrived, the lines of the ranks that they will send to.
    #[inline]
    pub(crate) fn prefetch<F: Future>(&self, kernel: &Kernel<'_>, arena: &Arena<F>) {
        let Some(place) = self.ready.ahead(2 * AHEAD) else {
            return;
        };
        if let Some(line) = self.lines.get(place as usize) {
            arena.prefetch(place as usize);
            prefetch(line);
            prefetch(kernel.unit(place));
        }
        let sender = self
            .ready
            .ahead(AHEAD)
            .and_then(|place| self.lines.get(place as usize));
        if let Some(dest) = sender.and_then(|sender| self.line(sender.next_dest.get())) {
            prefetch(dest);
        }
    }

    /// Returns the place of the next rank to continue, unless that depends on other threads.
    #[inline]
    pub(crate) fn next(&self) -> Option<u32> {
        match self.ready.pop() {
            None if self.abroad.is_none() => self.next_aside(),
            next => next,
        }
    }

    /// Lets the ranks that have stepped aside continue. Returns the place of the first one.
    #[cold]
    #[inline(never)]
    pub(crate) fn next_aside(&self) -> Option<u32> {
        let mut aside = self.aside.borrow_mut();
        aside.drain(..).for_each(|place| self.ready.push(place));
        self.ready.pop()
    }

    pub(crate) fn stand_aside(&self) -> bool {
        !self.aside.borrow().is_empty()
    }

    /// Returns `true` if some of the waiting messages don't fit in the lines of their ranks.
    pub(crate) fn overflows(&self) -> bool {
        !self.overflow.borrow().is_empty()
    }
}
