//! Stores the local engine's state: the ranks' clocks, and the messages that wait for receives.

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

/// Number of elements that a rank begins before it is another rank's turn.
pub(crate) const TURN: u32 = 64;
/// If this many messages are waiting for a rank, its senders step aside until no other rank can
/// continue. This limits the memory that messages take.
const BACKLOG_MAX: u32 = 256;
/// Number of steps that a rank may make at the same instant without any accounting. The event
/// engine allows each rank as many, and counts at most one more: the step that begins the instant.
pub(crate) const STEPS_FREE: u16 = 9_999;
/// How many turns in advance a rank's memory is prefetched.
const AHEAD: u32 = 4;

/// State of a run in the local engine, or of the part of a run that a thread simulates.
///
/// A thread identifies its ranks by their *places*, which start at 0.
#[derive(Debug)]
pub(crate) struct Local {
    /// The rank with place 0.
    first: Cell<u32>,
    /// Number of bits in a place; 0 if rank 0 represents all ranks.
    place_bits: u32,
    /// The ranks that rank 0 represents, if it does.
    pub(crate) folded: Option<Box<Folded>>,
    /// State needed only if one rank is simulated without the others.
    pub(crate) alone: Option<Box<Alone>>,
    pub(crate) lines: Vec<Line>,
    abroad: Option<Box<Abroad>>,
    /// Numbers of the messages in the ranks' lines, if they are needed.
    pub(crate) numbers: OnceCell<Vec<Cell<[u32; HELD_MAX]>>>,
    pub(crate) ready: Ready,
    /// Places of ranks that have stepped aside: they continue when no other rank can.
    aside: RefCell<Vec<u32>>,
    overflow: RefCell<Overflow>,
    /// Posted receives that wait for their messages; created on first use.
    posts: OnceCell<RefCell<Matching>>,
    /// Whether operations are plain, so that ranks may take the fast path.
    pub(crate) plain: Cell<bool>,
    /// Number of elements that the running rank may still begin.
    pub(crate) turn: Cell<u32>,
    /// Whether the running rank must step aside at the end of its turn.
    pub(crate) floods: Cell<bool>,
    pub(crate) messages: Cell<u64>,
    /// Number of steps beyond [`STEPS_FREE`], over all ranks and instants.
    pub(crate) excess: Cell<u64>,
    /// Ranks at the heads of loops whose iterations may repeat.
    pub(crate) heads: Heads,
    pub(crate) influences: Influences,
    /// Why this engine can't run the program, once that is known.
    unsuited: Cell<Option<&'static str>>,
}

impl Local {
    /// Creates the ranks at time 0, ready in order.
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

    /// Creates the ranks of one of several threads.
    pub(crate) fn divided(abroad: Abroad) -> Self {
        let block = abroad.block();
        Self {
            abroad: Some(Box::new(abroad)),
            ..Self::new(block)
        }
    }

    /// Creates rank 0, which represents all `ranks` ranks.
    pub(crate) fn folded(ranks: u32) -> Self {
        Self {
            place_bits: 0,
            folded: Some(Box::new(Folded::new(ranks))),
            ..Self::new(0..1)
        }
    }

    /// Creates a place for ranks that run alone, one after another.
    pub(crate) fn alone(rank: u32, region: Option<Region>) -> Self {
        let local = Self {
            alone: Some(Box::new(Alone {
                region: region.map(RefCell::new),
                ..Alone::default()
            })),
            ..Self::new(rank..rank + 1)
        };
        // No rank runs before `replace`.
        local.ready.pop();
        local
    }

    /// Begins the run of a single rank, in place of one that has ended.
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

    /// Notes the shifts that lead to a rank's partners in the current collective, if ranks
    /// represent others.
    pub(crate) fn shift_collective(&self, symmetry: Symmetry) {
        if let Some(folded) = &self.folded {
            folded.shift_collective(symmetry);
        }
        if let Some(alone) = &self.alone {
            alone.shift_collective(symmetry);
        }
    }

    /// Returns a message with this envelope, if a rank runs alone and can receive any message.
    #[inline]
    pub(crate) fn imagined(&self, envelope: &Envelope) -> Option<Found> {
        self.alone.as_ref()?.imagined(envelope)
    }

    #[inline]
    pub(crate) fn abroad(&self) -> Option<&Abroad> {
        self.abroad.as_deref()
    }

    /// Returns the rank with place 0.
    #[inline]
    pub(crate) fn first(&self) -> u32 {
        self.first.get()
    }

    /// Returns the place of a rank; out of range for a rank of another thread.
    #[inline]
    pub(crate) fn place(&self, rank: u32) -> u32 {
        rank.wrapping_sub(self.first.get()) & self.place_bits
    }

    /// Stores the numbers of messages, too, from now on. Messages that are already waiting get
    /// number 0.
    pub(crate) fn keep_numbers(&self) {
        self.numbers
            .get_or_init(|| vec![Cell::default(); self.lines.len()]);
    }

    /// Returns `true` if this engine runs the program.
    #[inline]
    pub(crate) fn has_ranks(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Returns the number of places, if this engine runs the program. It is lower than the number
    /// of ranks if a rank represents others.
    pub(crate) fn place_count(&self) -> u32 {
        // Ranks have 32-bit numbers.
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Returns a rank's state, if this engine and this thread run it.
    #[inline]
    pub(crate) fn line(&self, rank: u32) -> Option<&Line> {
        self.lines.get(self.place(rank) as usize)
    }

    pub(crate) fn posts(&self) -> &RefCell<Matching> {
        let ranks = self.lines.len();
        self.posts
            .get_or_init(|| RefCell::new(Matching::new(ranks)))
    }

    /// Returns the messages that wait for their ranks, ordered by rank, envelope and age.
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

    /// Shifts the times of all waiting messages, each by the `by_s` of its sender.
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

    /// Ends the turn of a running rank, which continues after the others have had theirs.
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

    /// Stores the number of the message that was added to a rank's line.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep_number(&self, numbers: &[Cell<[u32; HELD_MAX]>], rank: u32, number: u32) {
        let place = self.place(rank) as usize;
        let (numbers, line) = (&numbers[place], &self.lines[place]);
        let mut kept = numbers.get();
        kept[line.held() - 1] = number;
        numbers.set(kept);
    }

    /// Returns the number of the message that was taken from a position in a rank's line.
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

    /// Prefetches what the next ranks need: first their own memory and, once it has arrived, the
    /// line of the rank that they will send to.
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

    /// Returns the place of the rank that continues next, unless this depends on other threads.
    #[inline]
    pub(crate) fn next(&self) -> Option<u32> {
        match self.ready.pop() {
            None if self.abroad.is_none() => self.next_aside(),
            next => next,
        }
    }

    /// Lets the ranks that stepped aside continue; returns the place of the first.
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

    /// Returns `true` if some waiting messages didn't fit in the lines of their ranks.
    pub(crate) fn overflows(&self) -> bool {
        !self.overflow.borrow().is_empty()
    }
}
