//! One simulated process: its memory, and the threads that run in it.

use std::cell::{Ref, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use prophet_runtime::{Fault, Int, ProcessCtx, Received, Stopped};

use crate::code::{Call, Code, Frame, Part, Passed, Place};
use crate::execution::{Ended, Executing};
use crate::frame::{address, at, int_word, word_int};
use crate::machine::{Machine, Pause};
use crate::op::Reg;

/// The memory of a process, and the frames in it that are free again.
#[derive(Debug)]
pub(crate) struct Process<'c> {
    pub(crate) code: &'c Code,
    words: RefCell<Vec<u64>>,
    free: RefCell<Vec<(u32, Vec<u32>)>>,
}

/// The registers of a frame, as executions read them.
pub(crate) struct Registers<'p> {
    words: Ref<'p, [u64]>,
    base: u32,
}

impl Registers<'_> {
    /// The word of a register.
    pub(crate) fn word(&self, reg: Reg) -> u64 {
        self.words[at(self.base, reg)]
    }
}

/// Position of a thread in the code.
#[derive(Debug, Clone, Copy)]
struct At {
    pc: u32,
    base: u32,
    own: u32,
}

impl At {
    /// The beginning of a piece of code, whose registers are at `base`.
    fn of(frame: Frame, base: u32) -> Self {
        Self {
            pc: frame.entry,
            base,
            own: frame.own,
        }
    }
}

/// Position to which a thread returns when a diagram has ended.
#[derive(Debug, Clone, Copy)]
struct Return {
    at: At,
    /// The `activity+` that ends with it, and when that began.
    measured: Option<(u32, f64)>,
}

impl<'c> Process<'c> {
    /// Runs the program of `code` as one process.
    pub(crate) async fn run(code: &'c Code, ctx: &ProcessCtx<'_>) -> Ended {
        let words = code.base as usize + code.start.need as usize;
        let process = Self {
            code,
            words: RefCell::new(vec![0; words]),
            free: RefCell::default(),
        };
        Thread::new(&process, ctx, code.start, code.base).await
    }

    /// The address of a frame that nothing else uses.
    fn frame(&self, frame: Frame) -> u32 {
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

    /// Gives a frame back.
    fn release(&self, frame: Frame, base: u32) {
        let mut free = self.free.borrow_mut();
        match free.iter_mut().find(|(need, _)| *need == frame.need) {
            Some((_, bases)) => bases.push(base),
            None => free.push((frame.need, vec![base])),
        }
    }

    /// The registers of the frame at `base`.
    pub(crate) fn registers(&self, base: u32) -> Registers<'_> {
        Registers {
            words: Ref::map(self.words.borrow(), |words| &words[..]),
            base,
        }
    }

    /// Assigns to a variable.
    pub(crate) fn assign(&self, base: u32, place: Place, word: u64) {
        let mut words = self.words.borrow_mut();
        let to = place_of(&words, base, place);
        words[to] = word;
    }

    /// The word of a variable.
    pub(crate) fn read(&self, base: u32, place: Place) -> u64 {
        let words = self.words.borrow();
        words[place_of(&words, base, place)]
    }

    /// Runs code that only calculates, in a frame of its own, for any process.
    pub(crate) fn evaluate(&self, ctx: &ProcessCtx<'_>, frame: Frame) -> Result<Int, Fault> {
        let base = self.frame(frame);
        let ran = self.machine(ctx, |machine| machine.run(frame.entry, base));
        self.release(frame, base);
        match ran? {
            (_, Pause::Return(word)) => Ok(word_int(word)),
            _ => unreachable!("an expression only calculates"),
        }
    }

    fn machine<T>(&self, ctx: &ProcessCtx<'_>, run: impl FnOnce(&mut Machine<'_, '_>) -> T) -> T {
        let mut machine = Machine {
            code: self.code,
            ctx,
            words: &mut self.words.borrow_mut(),
            stream: 0,
            fault: None,
        };
        run(&mut machine)
    }

    /// Gives a diagram, whose frame is at `inner`, what it gets from the one at `base`.
    fn pass(&self, part: &Part, base: u32, inner: u32, iteration: Int) {
        let mut words = self.words.borrow_mut();
        for (to, passed) in (inner as usize..).zip(&part.passed) {
            words[to] = match *passed {
                Passed::Value(reg) => words[at(base, reg)],
                Passed::Address(reg) => at(base, reg) as u64,
                Passed::Iteration => int_word(iteration),
            };
        }
    }

    /// Runs a part of a region, of the diagram at `base`, as a thread of its own.
    pub(crate) fn part<'t>(
        &'t self,
        ctx: &'t ProcessCtx<'_>,
        part: &'t Part,
        base: u32,
        iteration: Int,
    ) -> Pin<Box<dyn Future<Output = Ended> + 't>> {
        Box::pin(async move {
            let frame = self.code.diagrams[part.diagram];
            let inner = self.frame(frame);
            self.pass(part, base, inner, iteration);
            Thread::new(self, ctx, frame, inner).await?;
            self.release(frame, inner);
            Ok(())
        })
    }

    /// Marks a point that a thread has come to, and keeps the variables if that is wanted now.
    #[cold]
    fn look(&self, ctx: &ProcessCtx<'_>, base: u32, point: u32) {
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

    /// Assigns what is told of a message.
    pub(crate) fn tell(
        &self,
        ctx: &ProcessCtx<'_>,
        base: u32,
        results: &[crate::execution::Result],
        received: &Received,
    ) -> Result<(), Stopped> {
        use prophet_codegen::program::action::Told;
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

/// The address of a variable, as the frame at `base` sees it.
pub(crate) fn place_of(words: &[u64], base: u32, place: Place) -> usize {
    match place {
        Place::Own(reg) => at(base, reg),
        Place::Global(address) => address as usize,
        Place::Outer(reg) => address(words[at(base, reg)]),
    }
}

/// A thread, which runs a diagram to its end.
///
/// It is a future by hand, not an async function: an element's future that is over at once, as most
/// are, then never leaves the stack.
struct Thread<'t> {
    process: &'t Process<'t>,
    ctx: &'t ProcessCtx<'t>,
    at: At,
    /// The element or region that it waits for.
    executing: Option<Executing<'t>>,
    /// The diagrams around the one that runs.
    calls: Vec<Return>,
}

impl<'t> Thread<'t> {
    /// A thread that begins with the diagram of `frame`, whose registers are at `base`.
    fn new(process: &'t Process<'_>, ctx: &'t ProcessCtx<'_>, frame: Frame, base: u32) -> Self {
        Self {
            process,
            ctx,
            at: At::of(frame, base),
            executing: None,
            calls: Vec::new(),
        }
    }

    /// Runs instructions until they pause; gives the fault that the price of an element has met,
    /// too.
    fn calculate(&mut self) -> Result<(Pause, Option<Fault>), Fault> {
        let At { pc, base, .. } = self.at;
        self.process.machine(self.ctx, |machine| {
            let (pc, pause) = machine.run(pc, base)?;
            self.at.pc = pc;
            Ok((pause, machine.fault.take()))
        })
    }

    /// Goes on in the diagram of a call.
    fn enter(&mut self, call: &Call) -> Ended {
        let (process, at) = (self.process, self.at);
        let measured = match call.measured {
            Some(element) => {
                let named = &process.code.elements[element as usize];
                Some((element, self.ctx.begin_content(named)?))
            }
            None => None,
        };
        self.calls.push(Return { at, measured });
        let inner = at.base + at.own;
        process.pass(&call.part, at.base, inner, Int(0));
        self.at = At::of(process.code.diagrams[call.part.diagram], inner);
        Ok(())
    }

    /// Goes on behind the call of the diagram that has ended; false if there is none.
    fn leave(&mut self) -> bool {
        let Some(Return { at, measured }) = self.calls.pop() else {
            return false;
        };
        self.at = at;
        if let Some((element, start_s)) = measured {
            let named = &self.process.code.elements[element as usize];
            self.ctx.end_content(named, start_s);
        }
        true
    }
}

impl Future for Thread<'_> {
    type Output = Ended;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        let this = self.get_mut();
        if let Some(executing) = &mut this.executing {
            ready!(Pin::new(executing).poll(cx))?;
            this.executing = None;
        }
        let process = this.process;
        let code = process.code;
        loop {
            let (pause, fault) = this.calculate()?;
            let place = (process, this.ctx, this.at.base);
            let under_way = match pause {
                Pause::Execute(execution) => {
                    code.executions[execution as usize].start(place, fault, cx)?
                }
                Pause::Region(region) => code.regions[region as usize].start(place, cx)?,
                Pause::Enter(call) => {
                    this.enter(&code.calls[call as usize])?;
                    None
                }
                Pause::Point(point) => {
                    process.look(this.ctx, this.at.base, point);
                    None
                }
                Pause::Leave if this.leave() => None,
                Pause::Leave => return Poll::Ready(Ok(())),
                Pause::Stopped(stopped) => return Poll::Ready(Err(stopped)),
                Pause::Return(_) => unreachable!("a diagram returns nothing"),
            };
            if let Some(executing) = under_way {
                this.executing = Some(executing);
                return Poll::Pending;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_future_of_a_process_is_small() {
        fn size<A, R>(_: impl FnOnce(A) -> R) -> usize {
            size_of::<R>()
        }
        let run =
            |(code, ctx): (&'static Code, &'static ProcessCtx<'static>)| Process::run(code, ctx);
        assert_eq!(size(run), 240);
    }
}
