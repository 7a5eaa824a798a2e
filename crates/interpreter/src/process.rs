//! Manages the memory of a simulated process.

use std::cell::{Ref, RefCell};

use prophet_frontend::program::action::Told;
use prophet_runtime::{Fault, Int, ProcessCtx, Received, Stopped};

use crate::code::{Code, FrameEntry, Part, Passed};
use crate::element;
use crate::frame::{at, int_word, word_int};
use crate::machine::{Machine, Pause};
use crate::op::Reg;
use crate::place::{Place, place_of};
use crate::tags::Tags;

/// The memory of a process, and frames that aren't in use.
#[derive(Debug)]
pub(crate) struct Process<'c> {
    pub(crate) code: &'c Code,
    words: RefCell<Vec<u64>>,
    free: RefCell<Vec<(u32, Vec<u32>)>>,
    /// Tags of the words; `None` unless the process represents all processes.
    tags: Option<Box<RefCell<Tags>>>,
}

/// The registers of a frame, for executions to read.
pub(crate) struct Registers<'p> {
    words: Ref<'p, [u64]>,
    base: u32,
    tags: Option<(Ref<'p, Tags>, &'p ProcessCtx<'p>)>,
}

impl Registers<'_> {
    #[inline]
    pub(crate) fn word(&self, reg: Reg) -> u64 {
        let at = at(self.base, reg);
        if let Some((tags, ctx)) = &self.tags {
            tags.use_same(ctx, at);
        }
        self.words[at]
    }

    #[inline]
    pub(crate) fn partner(&self, reg: Reg) -> u64 {
        let at = at(self.base, reg);
        if let Some((tags, ctx)) = &self.tags {
            tags.use_partner(ctx, at, self.words[at]);
        }
        self.words[at]
    }
}

impl<'c> Process<'c> {
    /// Creates a process with `words` words before the frames of its threads. With `folded`, it
    /// represents this number of processes.
    pub(crate) fn new(code: &'c Code, words: usize, folded: Option<u32>) -> Self {
        Self {
            code,
            words: RefCell::new(vec![0; words]),
            free: RefCell::default(),
            tags: folded.map(|ranks| Box::new(Tags::new(ranks).into())),
        }
    }

    /// Returns the address of a frame that isn't in use.
    pub(crate) fn frame(&self, frame: FrameEntry) -> u32 {
        let mut free = self.free.borrow_mut();
        let sized = free.iter_mut().find(|(need, _)| *need == frame.need);
        if let Some(base) = sized.and_then(|(_, bases)| bases.pop()) {
            return base;
        }
        let mut words = self.words.borrow_mut();
        let base = u32::try_from(words.len()).expect("a process has fewer than 2^32 words");
        words.resize(base as usize + frame.need as usize, 0);
        base
    }

    pub(crate) fn release(&self, frame: FrameEntry, base: u32) {
        let mut free = self.free.borrow_mut();
        match free.iter_mut().find(|(need, _)| *need == frame.need) {
            Some((_, bases)) => bases.push(base),
            None => free.push((frame.need, vec![base])),
        }
    }

    pub(crate) fn registers<'p>(&'p self, ctx: &'p ProcessCtx<'_>, base: u32) -> Registers<'p> {
        Registers {
            words: Ref::map(self.words.borrow(), |words| &words[..]),
            base,
            tags: self.tags.as_deref().map(|tags| (tags.borrow(), ctx)),
        }
    }

    pub(crate) fn assign(&self, base: u32, place: Place, word: u64) {
        let mut words = self.words.borrow_mut();
        let to = place_of(&words, base, place);
        words[to] = word;
        if let Some(tags) = &self.tags {
            tags.borrow_mut().assign(to);
        }
    }

    pub(crate) fn read(&self, base: u32, place: Place) -> u64 {
        let words = self.words.borrow();
        words[place_of(&words, base, place)]
    }

    /// Runs code that only computes, in a new frame. Works for any process.
    pub(crate) fn evaluate(&self, ctx: &ProcessCtx<'_>, frame: FrameEntry) -> Result<Int, Fault> {
        let base = self.frame(frame);
        let ran = self.machine(ctx, |machine| machine.run(frame.entry, base));
        self.release(frame, base);
        match ran? {
            (_, Pause::Return(word)) => Ok(word_int(word)),
            _ => unreachable!("an expression only calculates"),
        }
    }

    pub(crate) fn machine<T>(
        &self,
        ctx: &ProcessCtx<'_>,
        run: impl FnOnce(&mut Machine<'_, '_>) -> T,
    ) -> T {
        let mut tags = self.tags.as_deref().map(RefCell::borrow_mut);
        let mut machine = Machine {
            code: self.code,
            ctx,
            words: &mut self.words.borrow_mut(),
            stream: 0,
            fault: None,
            tags: tags.as_deref_mut(),
        };
        run(&mut machine)
    }

    /// Copies the inputs of a diagram from the frame at `base` to the diagram's frame at `inner`.
    pub(crate) fn pass(&self, part: &Part, base: u32, inner: u32, iteration: Int) {
        let mut words = self.words.borrow_mut();
        for (to, passed) in (inner as usize..).zip(&part.passed) {
            if let Some(tags) = &self.tags {
                let mut tags = tags.borrow_mut();
                match *passed {
                    Passed::Value(reg) => tags.copy(at(base, reg), to),
                    Passed::Address(_) | Passed::Iteration => tags.assign(to),
                }
            }
            words[to] = match *passed {
                Passed::Value(reg) => words[at(base, reg)],
                Passed::Address(reg) => at(base, reg) as u64,
                Passed::Iteration => int_word(iteration),
            };
        }
    }

    /// Marks a point that a thread has reached. Saves the variables if this is the requested
    /// moment.
    #[cold]
    pub(crate) fn look(&self, ctx: &ProcessCtx<'_>, base: u32, point: u32) {
        ctx.mark(point);
        if let Some(watch) = &self.code.watch
            && watch.is_now(ctx.pid().0)
        {
            let own = &self.code.points[point as usize].visible;
            watch.keep(
                own.iter().chain(&self.code.common),
                &self.words.borrow(),
                base,
            );
        }
    }

    pub(crate) fn tell(
        &self,
        ctx: &ProcessCtx<'_>,
        base: u32,
        results: &[element::Result],
        received: &Received,
    ) -> Result<(), Stopped> {
        for result in results {
            let word = match result.part {
                Told::Real => received.real(ctx)?.to_bits(),
                Told::Int => int_word(received.int(ctx)?),
                Told::Source => int_word(received.source()),
                Told::Tag => int_word(received.tag()),
                Told::Size => int_word(received.size()),
            };
            self.assign(base, result.place, word);
        }
        Ok(())
    }
}
