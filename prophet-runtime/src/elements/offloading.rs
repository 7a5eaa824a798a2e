//! Implements the future of all elements that use accelerators.

mod work;

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use prophet_machine::accelerator::Precision;

use super::action::Computing;
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::language::element::Element;
use crate::language::number::Int;
use crate::language::price::Charge;
use crate::mpi::Lane;
use crate::nodes::accelerators::device::{OpNumber, Work};
use crate::results::failure::Unfit;

/// Maximum number of unfinished operations on a device.
const PENDING_MAX: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Kernel,
    /// A copy between the host and the device, or between two devices.
    Copy,
    Record,
    Synchronize,
}

#[derive(Debug, Clone, Copy)]
struct Request {
    price: Charge,
    device: Option<i64>,
    stream: Option<i64>,
    event: Option<i64>,
    peer: Option<i64>,
    /// Numbers of operations, by precision.
    amounts: [f64; 4],
    bytes: i64,
    share: f64,
    memory: Option<i64>,
    to_host: bool,
}

/// The future of elements that use accelerators, such as [`Kernel`](crate::Kernel). It ends with
/// the launch, so that the host can continue.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Offloading<'a> {
    ctx: &'a ProcessCtx<'a>,
    element: &'a Element,
    kind: &'static str,
    call: Call,
    request: Request,
    start_s: f64,
    stage: Stage<'a>,
}

#[derive(Debug)]
enum Stage<'a> {
    Begin,
    Launches(Computing<'a>, Issue),
    Waits(Wait<'a>, Vec<OpNumber>, (u32, u32)),
}

/// An operation for an accelerator: the node and number of the device, the stream, and the work.
#[derive(Debug, Clone, Copy)]
struct Issue {
    at: (u32, u32),
    stream: (u32, i64),
    work: Work,
}

impl<'a> Offloading<'a> {
    pub(super) fn new(
        ctx: &'a ProcessCtx<'_>,
        (element, kind): (&'a Element, &'static str),
        call: Call,
        price: Option<Charge>,
    ) -> Self {
        Self {
            ctx,
            element,
            kind,
            call,
            request: Request {
                price: price.unwrap_or(Charge::ByMachine),
                device: None,
                stream: None,
                event: None,
                peer: None,
                amounts: [0.0; 4],
                bytes: 0,
                share: 1.0,
                memory: None,
                to_host: false,
            },
            start_s: 0.0,
            stage: Stage::Begin,
        }
    }

    /// Selects the device by its number on the node. By default, the node's devices are assigned to
    /// its processes in turn.
    pub fn device(mut self, number: impl Into<Int>) -> Self {
        self.request.device = Some(number.into().0);
        self
    }

    /// Selects one of the process's streams by its number. The default is 0, which isn't special.
    pub fn stream(mut self, number: impl Into<Int>) -> Self {
        self.request.stream = Some(number.into().0);
        self
    }

    /// Selects the event to record or wait for by its number.
    pub fn event(mut self, number: impl Into<Int>) -> Self {
        self.request.event = Some(number.into().0);
        self
    }

    /// Makes a copy go from the device to the host instead.
    pub fn to_host(mut self) -> Self {
        self.request.to_host = true;
        self
    }

    /// Makes a copy go to another device on the same node, given by its number.
    pub fn peer(mut self, number: impl Into<Int>) -> Self {
        self.request.peer = Some(number.into().0);
        self
    }

    /// Adds 64-bit floating-point operations to a kernel.
    pub fn fp64(self, operations: f64) -> Self {
        self.amount(Precision::Fp64, operations)
    }

    /// Adds 32-bit floating-point operations to a kernel.
    pub fn fp32(self, operations: f64) -> Self {
        self.amount(Precision::Fp32, operations)
    }

    /// Adds 16-bit floating-point operations to a kernel.
    pub fn fp16(self, operations: f64) -> Self {
        self.amount(Precision::Fp16, operations)
    }

    /// Adds 8-bit integer operations to a kernel.
    pub fn int8(self, operations: f64) -> Self {
        self.amount(Precision::Int8, operations)
    }

    fn amount(mut self, precision: Precision, operations: f64) -> Self {
        self.request.amounts[precision as usize] = operations;
        self
    }

    /// Sets the number of bytes that a copy transfers, or that a kernel reads and writes in the
    /// device's memory.
    pub fn bytes(mut self, bytes: impl Into<Int>) -> Self {
        self.request.bytes = bytes.into().0;
        self
    }

    /// Sets the fraction of the device that a kernel uses (default: 1). The kernel gets that
    /// fraction of the peak rate and the bandwidth. Kernels run at the same time if their fractions
    /// add up to at most 1.
    pub fn share(mut self, share: f64) -> Self {
        self.request.share = share;
        self
    }

    /// Sets how much of the device's memory the process needs, in bytes.
    pub fn memory(mut self, bytes: impl Into<Int>) -> Self {
        self.request.memory = Some(bytes.into().0);
        self
    }

    fn meet(&mut self, lane: Option<Lane<'_>>) -> Result<(), Stopped> {
        self.start_s = match lane {
            None => self.ctx.begin(self.element, self.kind)?,
            Some(lane) => lane.begin(self.element, self.kind)?,
        };
        Ok(())
    }

    fn finish(&self, lane: Option<Lane<'_>>) {
        match lane {
            None => self.ctx.finish_content(self.element, self.start_s),
            Some(lane) => lane.finish_content(self.element, self.kind, self.start_s),
        }
    }

    fn issue(&self, issue: Issue) -> Result<(), Stopped> {
        let now_s = self.ctx.now_s();
        let Issue { at, stream, work } = issue;
        self.with(at, |device| device.issue(now_s, stream, work))?;
        self.check_pending(at)
    }

    fn check_pending(&self, at: (u32, u32)) -> Result<(), Stopped> {
        if self.with(at, |device| device.pending())? <= PENDING_MAX {
            return Ok(());
        }
        let operations = PENDING_MAX;
        Err(self.unfit(Unfit::Pending { operations }))
    }

    /// Begins a launch. In the local engine, this also ends it.
    fn launch(&mut self, lane: Option<Lane<'_>>) -> Result<(), Stopped> {
        let at = self.at(lane)?;
        let of = self.description(at)?;
        self.check_memory(at, of)?;
        let issue = Issue {
            at,
            stream: self.stream_of()?,
            work: self.work(of)?,
        };
        let Some(lane) = lane else {
            let computing = Computing::part(self.ctx, self.element, of.launch_s);
            self.stage = Stage::Launches(computing, issue);
            return Ok(());
        };
        let end_s = self.start_s + of.launch_s;
        lane.mpi.trace_launches(lane.rank, self.start_s, end_s);
        lane.advance(end_s)?;
        lane.unit.spend(Activity::Compute, of.launch_s);
        self.issue(issue)
    }

    /// Handles synchronization and events. Returns the operations that the host must wait for.
    fn order(&self, at: (u32, u32)) -> Result<Vec<OpNumber>, Stopped> {
        let (stream, event) = (self.stream_of()?, self.event_of()?);
        let (now_s, pid) = (self.ctx.now_s(), self.ctx.rank());
        let named = self.request.stream.is_some();
        let call = self.call;
        self.with(at, |device| {
            device.advance(now_s);
            match (call, event) {
                (Call::Record, Some(event)) => device.record(now_s, stream, event),
                (Call::Record, None) => {}
                (_, Some(event)) if named => device.wait_in_stream(now_s, stream, event),
                (_, Some(event)) => return device.event(event).into_iter().collect(),
                (_, None) if named => return device.last_of(stream).into_iter().collect(),
                (_, None) => return device.all_of(pid),
            }
            Vec::new()
        })
    }

    /// Lets time pass, from the end of one operation to the next, until all operations that the
    /// host waits for have ended.
    fn wait_local(
        &self,
        lane: Lane<'_>,
        at: (u32, u32),
        mut open: Vec<OpNumber>,
    ) -> Result<(), Stopped> {
        while !open.is_empty() {
            let next_s = self.with(at, |device| {
                let next_s = device.next_s();
                device.advance(next_s);
                device.forget_ended(&mut open);
                next_s
            })?;
            lane.advance(next_s)?;
        }
        self.waited(lane.rank, lane.now_s());
        Ok(())
    }

    /// Records that the host has finished a wait. `unit` is the host's number in the trace.
    fn waited(&self, unit: u32, now_s: f64) {
        let world = self.ctx.world();
        let waiting = world.unit(self.ctx.unit());
        waiting.spend(Activity::Wait, now_s - self.start_s);
        world.trace_waited(unit, self.start_s, now_s);
    }

    /// Continues a wait in the event engine. Returns `true` if it is over.
    fn go_on(&mut self) -> Result<bool, Stopped> {
        let Stage::Waits(wait, open, at) = &mut self.stage else {
            return Ok(true);
        };
        let now_s = self.ctx.now_s();
        let (world, at) = (self.ctx.world(), *at);
        let next_s = world.accelerators.as_ref().and_then(|all| {
            all.with(world.system, at, |device| {
                device.advance(now_s);
                device.forget_ended(open);
                device.next_s()
            })
        });
        if open.is_empty() {
            self.waited(self.ctx.unit(), now_s);
            return Ok(true);
        }
        wait.until(next_s.unwrap_or(now_s))?;
        Ok(false)
    }

    /// Reports what the host is waiting for, for the message about a deadlock.
    fn explain(&self) {
        if let Stage::Waits(wait, ..) = &self.stage {
            wait.explain(|| Wanted {
                text: "an accelerator".to_owned(),
                process: None,
            });
        }
    }

    fn begin(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        self.meet(lane)?;
        if matches!(self.call, Call::Kernel | Call::Copy) {
            self.launch(lane)?;
            return Ok(lane.is_some());
        }
        let at = self.at(lane)?;
        let open = self.order(at)?;
        self.check_pending(at)?;
        if open.is_empty() {
            return Ok(true);
        }
        if let Some(lane) = lane {
            self.wait_local(lane, at, open)?;
            return Ok(true);
        }
        self.stage = Stage::Waits(Wait::new(self.ctx), open, at);
        self.go_on()
    }
}

impl Future for Offloading<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let lane = this.ctx.lane();
        if matches!(this.stage, Stage::Begin) {
            if lane.is_some_and(|lane| !lane.may_begin()) {
                return Poll::Pending;
            }
            if this.begin(lane)? {
                this.finish(lane);
                return Poll::Ready(Ok(()));
            }
        }
        match &mut this.stage {
            Stage::Begin => {}
            Stage::Launches(computing, issue) => {
                let issue = *issue;
                ready!(Pin::new(computing).poll(cx))?;
                this.issue(issue)?;
            }
            Stage::Waits(wait, ..) => {
                if wait.generation() == 0 || !wait.granted() || !this.go_on()? {
                    this.explain();
                    return Poll::Pending;
                }
            }
        }
        this.finish(lane);
        Poll::Ready(Ok(()))
    }
}
