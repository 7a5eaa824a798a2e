//! One simulated process: its memory, and the threads that run in it.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::pin::Pin;

use prophet_runtime::{Fault, Int, ProcessCtx, Received, Stopped};

use crate::code::{Code, Frame, Part, Passed, Place};
use crate::frame::{address, int_word, word_int};
use crate::machine::{Machine, Pause};
use crate::op::Reg;

/// The memory of a process, and the frames in it that are free again.
#[derive(Debug)]
pub(crate) struct Process<'c> {
    pub(crate) code: &'c Code,
    words: RefCell<Vec<u64>>,
    free: RefCell<Vec<(u32, Vec<usize>)>>,
}

/// Position of a thread in the code.
#[derive(Debug, Clone, Copy)]
struct At {
    pc: u32,
    base: usize,
    own: u32,
}

/// Position to which a thread returns when a diagram has ended.
#[derive(Debug, Clone, Copy)]
struct Return {
    at: At,
    /// The `activity+` that ends with it, and when that began.
    measured: Option<(u32, f64)>,
}

/// The future of a thread, which may have threads in turn.
type Thread<'t> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 't>>;

impl<'c> Process<'c> {
    /// Runs the program of `code` as one process.
    pub(crate) fn run(
        code: &'c Code,
        ctx: &ProcessCtx<'_>,
    ) -> impl Future<Output = Result<(), Stopped>> {
        let process = Self {
            code,
            words: RefCell::new(vec![0; code.globals as usize]),
            free: RefCell::default(),
        };
        let base = process.frame(code.start);
        thread(process, ctx, code.start, base)
    }

    /// The address of a frame that nothing else uses.
    fn frame(&self, frame: Frame) -> usize {
        let mut free = self.free.borrow_mut();
        let sized = free.iter_mut().find(|(need, _)| *need == frame.need);
        if let Some(base) = sized.and_then(|(_, bases)| bases.pop()) {
            return base;
        }
        let mut words = self.words.borrow_mut();
        let base = words.len();
        words.resize(base + frame.need as usize, 0);
        base
    }

    /// Gives a frame back.
    fn release(&self, frame: Frame, base: usize) {
        let mut free = self.free.borrow_mut();
        match free.iter_mut().find(|(need, _)| *need == frame.need) {
            Some((_, bases)) => bases.push(base),
            None => free.push((frame.need, vec![base])),
        }
    }

    /// The word of a register.
    pub(crate) fn word(&self, base: usize, reg: Reg) -> u64 {
        self.words.borrow()[base + reg as usize]
    }

    /// Assigns to a variable.
    pub(crate) fn assign(&self, base: usize, place: Place, word: u64) {
        let mut words = self.words.borrow_mut();
        let at = match place {
            Place::Own(reg) => base + reg as usize,
            Place::Global(address) => address as usize,
            Place::Outer(reg) => address(words[base + reg as usize]),
        };
        words[at] = word;
    }

    /// Runs code that only calculates, in a frame of its own, for any process.
    pub(crate) fn evaluate(&self, ctx: &ProcessCtx<'_>, frame: Frame) -> Result<Int, Fault> {
        let base = self.frame(frame);
        let ran = self.machine(ctx, |machine| machine.run(frame.entry, base, frame.own));
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
    fn pass(&self, part: &Part, base: usize, inner: usize, iteration: Int) {
        let mut words = self.words.borrow_mut();
        for (at, passed) in part.passed.iter().enumerate() {
            words[inner + at] = match *passed {
                Passed::Value(reg) => words[base + reg as usize],
                Passed::Address(reg) => (base + reg as usize) as u64,
                Passed::Iteration => int_word(iteration),
            };
        }
    }

    /// Runs a part of a region, of the diagram at `base`, as a thread of its own.
    pub(crate) fn part<'t>(
        &'t self,
        ctx: &'t ProcessCtx<'_>,
        part: &'t Part,
        base: usize,
        iteration: Int,
    ) -> Thread<'t> {
        Box::pin(async move {
            let frame = self.code.diagrams[part.diagram];
            let inner = self.frame(frame);
            self.pass(part, base, inner, iteration);
            thread(self, ctx, frame, inner).await?;
            self.release(frame, inner);
            Ok(())
        })
    }

    /// Assigns what is told of a message.
    pub(crate) fn tell(
        &self,
        ctx: &ProcessCtx<'_>,
        base: usize,
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

/// Runs a diagram of a process in the frame at `base`, to its end.
async fn thread<'c>(
    process: impl Borrow<Process<'c>>,
    ctx: &ProcessCtx<'_>,
    frame: Frame,
    base: usize,
) -> Result<(), Stopped> {
    let process = process.borrow();
    let code = process.code;
    let mut calls: Vec<Return> = Vec::new();
    let mut at = At {
        pc: frame.entry,
        base,
        own: frame.own,
    };
    loop {
        let (ran, fault) = process.machine(ctx, |machine| {
            let ran = machine.run(at.pc, at.base, at.own);
            (ran, machine.fault.take())
        });
        let (pc, pause) = ran?;
        at.pc = pc;
        match pause {
            Pause::Execute(execution) => {
                let execution = &code.executions[execution as usize];
                execution.start(process, ctx, at.base, fault).await?;
            }
            Pause::Region(region) => {
                let region = &code.regions[region as usize];
                Box::pin(region.perform(process, ctx, at.base)).await?;
            }
            Pause::Enter(call) => {
                let call = &code.calls[call as usize];
                let measured = match call.measured {
                    Some(element) => {
                        let named = &code.elements[element as usize];
                        Some((element, ctx.begin_content(named)?))
                    }
                    None => None,
                };
                calls.push(Return { at, measured });
                let inner = at.base + at.own as usize;
                process.pass(&call.part, at.base, inner, Int(0));
                let frame = code.diagrams[call.part.diagram];
                at = At {
                    pc: frame.entry,
                    base: inner,
                    own: frame.own,
                };
            }
            Pause::Leave => {
                let Some(back) = calls.pop() else {
                    return Ok(());
                };
                at = back.at;
                if let Some((element, start_s)) = back.measured {
                    ctx.end_content(&code.elements[element as usize], start_s);
                }
            }
            Pause::Stopped(stopped) => return Err(stopped),
            Pause::Return(_) => unreachable!("a diagram returns nothing"),
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
        assert_eq!(size(run), 368);
    }
}
