//! Runs the threads of a simulated process, and the regions that they execute.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use prophet_runtime::{Fault, Int, ProcessCtx, Threads};

use crate::code::{Call, Code, FrameEntry, Part, Region};
use crate::executing::{Begun, Ended, Executing, Here, begin_boxed};
use crate::frame::word_int;
use crate::machine::Pause;
use crate::op::Reg;
use crate::process::Process;

#[derive(Debug, Clone, Copy)]
struct At {
    pc: u32,
    base: u32,
    own: u32,
}

impl At {
    /// Returns the start of a piece of code with its registers at `base`.
    fn of(frame: FrameEntry, base: u32) -> Self {
        Self {
            pc: frame.entry,
            base,
            own: frame.own,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Return {
    at: At,
    /// The `activity+` that the diagram is the content of, and when it started.
    measured: Option<(u32, f64)>,
}

impl<'c> Process<'c> {
    pub(crate) async fn run(code: &'c Code, ctx: &ProcessCtx<'_>) -> Ended {
        let words = code.base as usize + code.start.need as usize;
        let process = Self::new(code, words, ctx.folded());
        Thread::new(&process, ctx, code.start, code.base).await
    }

    /// Runs a part of a region in a new thread. The registers of the enclosing diagram are at
    /// `base`.
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
}

/// A thread that runs a diagram to its end.
///
/// It is a handwritten future rather than an async function, because most elements' futures end
/// immediately, and then they never leave the stack.
struct Thread<'t> {
    process: &'t Process<'t>,
    ctx: &'t ProcessCtx<'t>,
    at: At,
    /// The element or region that the thread is waiting for.
    executing: Option<Executing<'t>>,
    calls: Vec<Return>,
}

impl<'t> Thread<'t> {
    /// Creates a thread for the diagram of `frame`. Its registers are at `base`.
    fn new(
        process: &'t Process<'_>,
        ctx: &'t ProcessCtx<'_>,
        frame: FrameEntry,
        base: u32,
    ) -> Self {
        Self {
            process,
            ctx,
            at: At::of(frame, base),
            executing: None,
            calls: Vec::new(),
        }
    }

    /// Runs instructions until one of them pauses. Also returns the fault in an element's price, if
    /// there was one.
    fn calculate(&mut self) -> Result<(Pause, Option<Fault>), Fault> {
        let At { pc, base, .. } = self.at;
        self.process.machine(self.ctx, |machine| {
            let (pc, pause) = machine.run(pc, base)?;
            self.at.pc = pc;
            Ok((pause, machine.fault.take()))
        })
    }

    fn enter(&mut self, call: &Call) -> Ended {
        let (process, at) = (self.process, self.at);
        let measured = match call.measured {
            Some(element) => {
                let named = &process.code.elements[element as usize];
                if let Some(mut unrolling) = process.code.unrolling() {
                    unrolling.enter(named.element.name);
                }
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

    /// Continues after the call of the diagram that has ended. Returns `false` if it was the first
    /// diagram.
    fn leave(&mut self) -> bool {
        let Some(Return { at, measured }) = self.calls.pop() else {
            return false;
        };
        self.at = at;
        if let Some((element, start_s)) = measured {
            let named = &self.process.code.elements[element as usize];
            self.ctx.end_content(named, start_s);
            if let Some(mut unrolling) = self.process.code.unrolling() {
                unrolling.leave();
            }
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

impl Region {
    pub(crate) fn start<'a>(&'a self, here: Here<'a>, cx: &mut Context<'_>) -> Begun<'a> {
        if here.0.code.unrolling.is_some() {
            return begin_boxed(self.unroll(here), cx);
        }
        begin_boxed(self.perform(here), cx)
    }

    /// Executes the parts one after another. Each starts with the token of the region.
    async fn unroll(&self, here: Here<'_>) -> Ended {
        let (process, ctx, base) = here;
        let int = |reg: Reg| word_int(process.registers(ctx, base).word(reg));
        let team = |threads: Option<Reg>| threads.map_or(ctx.num_threads(), int);
        match self {
            Self::Flows(_, targets, parts) => unroll_flows(here, targets, parts).await,
            Self::Fork(_, parts) | Self::Sections(_, _, parts) => {
                let each = parts.iter().map(|part| (part, Int(0)));
                unroll_parts(here, each).await
            }
            Self::Parallel(_, threads, part) => {
                let each = (0..team(*threads).0).map(|_| (part, Int(0)));
                unroll_parts(here, each).await
            }
            Self::ParallelDo(it) => {
                let each = (0..int(it.count).0).map(|number| (&it.part, Int(number)));
                unroll_parts(here, each).await
            }
            Self::Critical(_, part)
            | Self::Atomic(_, part)
            | Self::Single(_, part)
            | Self::Master(_, part) => unroll_parts(here, [(part, Int(0))]).await,
        }
    }

    async fn perform(&self, (process, ctx, base): Here<'_>) -> Ended {
        let int = |reg: Reg| word_int(process.registers(ctx, base).word(reg));
        let team = |threads: Option<Reg>| match threads {
            Some(reg) => Threads::Of(int(reg)),
            None => Threads::Default,
        };
        let chosen = |parts: &[Part]| u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let content = |part| process.part(ctx, part, base, Int(0));
        match self {
            Self::Parallel(element, threads, part) => {
                let body = async |ctx: &ProcessCtx<'_>| process.part(ctx, part, base, Int(0)).await;
                element.execute(ctx, team(*threads), body).await
            }
            Self::ParallelDo(it) => {
                let schedule = (it.schedule)(it.chunk.map(int));
                let body = async |ctx: &ProcessCtx<'_>, iteration: Int| {
                    process.part(ctx, &it.part, base, iteration).await
                };
                let (threads, count) = (team(it.threads), int(it.count));
                it.element
                    .execute(ctx, threads, count, schedule, body)
                    .await
            }
            Self::Sections(element, threads, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, section: u32| {
                    process
                        .part(ctx, &parts[section as usize], base, Int(0))
                        .await
                };
                element
                    .execute(ctx, team(*threads), chosen(parts), body)
                    .await
            }
            Self::Fork(element, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, branch: u32| {
                    process
                        .part(ctx, &parts[branch as usize], base, Int(0))
                        .await
                };
                element.execute(ctx, chosen(parts), body).await
            }
            Self::Flows(element, targets, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, part: u32| {
                    let part = &parts[part as usize];
                    process.part(ctx, part, base, Int(0)).await
                };
                element.execute(ctx, targets, body).await
            }
            Self::Critical(element, part) => element.execute(ctx, content(part)).await,
            Self::Atomic(element, part) => element.execute(ctx, content(part)).await,
            Self::Single(element, part) => element.execute(ctx, content(part)).await,
            Self::Master(element, part) => element.execute(ctx, content(part)).await,
        }
    }
}

/// Executes parts that start with the same token, and joins their tokens at the end.
async fn unroll_parts<'a>(
    (process, ctx, base): Here<'a>,
    parts: impl IntoIterator<Item = (&'a Part, Int)>,
) -> Ended {
    let code = process.code;
    let start = code.unrolling().map(|it| it.token()).unwrap_or_default();
    let mut ends = Vec::new();
    for (part, iteration) in parts {
        if let Some(mut unrolling) = code.unrolling() {
            unrolling.begin(start.clone())?;
        }
        process.part(ctx, part, base, iteration).await?;
        ends.extend(code.unrolling().map(|it| it.token()));
    }
    if let Some(mut unrolling) = code.unrolling() {
        unrolling.join(&start, &ends);
    }
    Ok(())
}

/// Executes the parts that tokens reach, until no token can move.
async fn unroll_flows((process, ctx, base): Here<'_>, targets: &[u32], parts: &[Part]) -> Ended {
    let code = process.code;
    let start = code.unrolling().map(|it| it.token()).unwrap_or_default();
    let mut begun = VecDeque::from([(0, start.clone())]);
    let mut ends = Vec::new();
    if let Some(mut unrolling) = code.unrolling() {
        unrolling.open_flows(targets);
    }
    while let Some((part, token)) = begun.pop_front() {
        if let Some(mut unrolling) = code.unrolling() {
            unrolling.begin(token)?;
        }
        process
            .part(ctx, &parts[part as usize], base, Int(0))
            .await?;
        if let Some(mut unrolling) = code.unrolling() {
            match unrolling.passed(&start) {
                Some(next) => begun.extend(next),
                None => ends.push(unrolling.token()),
            }
        }
    }
    if let Some(mut unrolling) = code.unrolling() {
        ends.extend(unrolling.close_flows());
        unrolling.join(&start, &ends);
    }
    Ok(())
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
        assert_eq!(size(run), 248);
    }
}
