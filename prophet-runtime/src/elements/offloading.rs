//! Futures of the elements that use accelerators.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::action::Computing;
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::language::element::Element;
use crate::language::number::Int;
use crate::language::price::Charge;
use crate::machine::accelerator::{Accelerator, Precision, of_number};
use crate::mpi::Lane;
use crate::nodes::accelerators::Accelerators;
use crate::nodes::accelerators::device::{Device, Engine, OpNumber, Work};
use crate::results::failure::{Cause, Unfit};

/// Largest number of a stream.
const STREAM_MAX: i64 = 65_535;

/// Largest number of an event.
const EVENT_MAX: i64 = 1_048_575;

/// Most operations of a device that are not over.
const PENDING_MAX: usize = 1 << 18;

/// Call of an element to an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Kernel,
    /// A copy between the host and the device, or between two devices.
    Copy,
    /// Recording of an event in a stream.
    Record,
    Synchronize,
}

/// Values that an element gives.
#[derive(Debug, Clone, Copy)]
struct Request {
    price: Charge,
    device: Option<i64>,
    stream: Option<i64>,
    event: Option<i64>,
    peer: Option<i64>,
    /// Number of operations by precision.
    amounts: [f64; 4],
    bytes: i64,
    share: f64,
    memory: Option<i64>,
    to_host: bool,
}

/// Future of the elements that use accelerators, such as [`Kernel`](crate::Kernel): the host goes
/// on after the launch.
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
    /// The host launches an operation.
    Launches(Computing<'a>, Issue),
    /// The host waits for operations.
    Waits(Wait<'a>, Vec<OpNumber>, (u32, u32)),
}

/// An operation to be issued: node and number of the device, stream, and work.
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

    /// Chooses the device by its number on the node; without one, the processes of a node take its
    /// devices in turn.
    pub fn device(mut self, number: impl Into<Int>) -> Self {
        self.request.device = Some(number.into().0);
        self
    }

    /// Chooses the stream of the process, by number; 0 without one. Stream 0 is like any other.
    pub fn stream(mut self, number: impl Into<Int>) -> Self {
        self.request.stream = Some(number.into().0);
        self
    }

    /// Names the event that is recorded or waited for, by number.
    pub fn event(mut self, number: impl Into<Int>) -> Self {
        self.request.event = Some(number.into().0);
        self
    }

    /// Makes a copy go from the device to the host.
    pub fn to_host(mut self) -> Self {
        self.request.to_host = true;
        self
    }

    /// Names the other device of a copy between devices.
    pub fn peer(mut self, number: impl Into<Int>) -> Self {
        self.request.peer = Some(number.into().0);
        self
    }

    /// Adds the number of operations of 64-bit floating point.
    pub fn fp64(self, operations: f64) -> Self {
        self.amount(Precision::Fp64, operations)
    }

    /// Adds the number of operations of 32-bit floating point.
    pub fn fp32(self, operations: f64) -> Self {
        self.amount(Precision::Fp32, operations)
    }

    /// Adds the number of operations of 16-bit floating point.
    pub fn fp16(self, operations: f64) -> Self {
        self.amount(Precision::Fp16, operations)
    }

    /// Adds the number of operations of 8-bit integers.
    pub fn int8(self, operations: f64) -> Self {
        self.amount(Precision::Int8, operations)
    }

    fn amount(mut self, precision: Precision, operations: f64) -> Self {
        self.request.amounts[precision as usize] = operations;
        self
    }

    /// Sets the bytes that a copy moves, or that a kernel moves in the device's memory.
    pub fn bytes(mut self, bytes: impl Into<Int>) -> Self {
        self.request.bytes = bytes.into().0;
        self
    }

    /// Sets the part of the device that a kernel fills, 1 without one. It has that part of the peak
    /// and of the bandwidth, and kernels whose shares fit run at the same time.
    pub fn share(mut self, share: f64) -> Self {
        self.request.share = share;
        self
    }

    /// Sets the bytes that the process needs in the device's memory.
    pub fn memory(mut self, bytes: impl Into<Int>) -> Self {
        self.request.memory = Some(bytes.into().0);
        self
    }

    #[cold]
    fn unfit(&self, unfit: Unfit) -> Stopped {
        self.ctx.fail(Cause::Accelerator(unfit))
    }

    /// The accelerators of the machine.
    fn accelerators(&self) -> Result<&'a Accelerators, Stopped> {
        let all = self.ctx.world().accelerators.as_ref();
        all.ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    /// Number of a device on the node.
    fn number(&self, value: i64) -> Result<u32, Stopped> {
        let devices = self.accelerators()?.per_node();
        let number = u32::try_from(value).ok().filter(|it| *it < devices);
        number.ok_or_else(|| self.unfit(Unfit::Device { value, devices }))
    }

    /// Node and number of the device; the local engine has no order among processes that share it.
    fn at(&self, lane: Option<Lane<'_>>) -> Result<(u32, u32), Stopped> {
        let (all, pid) = (self.accelerators()?, self.ctx.rank());
        let nid = self.ctx.world().nid(pid);
        let number = match self.request.device {
            Some(value) => self.number(value)?,
            None => all.default_of(pid),
        };
        match lane.filter(|_| !all.is_of((pid, nid), number)) {
            Some(lane) => Err(lane.unsuited("accelerators that processes share")),
            None => Ok((nid, number)),
        }
    }

    fn description(&self, at: (u32, u32)) -> Result<&'a Accelerator, Stopped> {
        let found = of_number(&self.ctx.world().system.accelerators, at.1);
        found.ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    /// The number of a stream or an event.
    fn checked(&self, tag: &'static str, value: i64, most: i64) -> Result<i64, Stopped> {
        if (0..=most).contains(&value) {
            return Ok(value);
        }
        Err(self.unfit(Unfit::Number { tag, value, most }))
    }

    fn stream_of(&self) -> Result<(u32, i64), Stopped> {
        let number = self.request.stream.unwrap_or(0);
        let number = self.checked("stream", number, STREAM_MAX)?;
        Ok((self.ctx.rank(), number))
    }

    fn event_of(&self) -> Result<Option<(u32, i64)>, Stopped> {
        let Some(number) = self.request.event else {
            return Ok(None);
        };
        let number = self.checked("event", number, EVENT_MAX)?;
        Ok(Some((self.ctx.rank(), number)))
    }

    /// Does something with the device.
    fn with<T>(&self, at: (u32, u32), act: impl FnOnce(&mut Device) -> T) -> Result<T, Stopped> {
        let system = self.ctx.world().system;
        let done = self.accelerators()?.with(system, at, act);
        done.ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    /// Work of a kernel: its cost or, if that is longer, its operations at the peak or its bytes at
    /// the bandwidth (the roofline model), of its share of the device.
    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
    fn kernel(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let request = &self.request;
        let share = request.share;
        if !(share > 0.0 && share <= 1.0) {
            return Err(self.unfit(Unfit::Share(share)));
        }
        let bytes = self.ctx.bytes(request.bytes)? as f64;
        let mut seconds = self.ctx.seconds(request.price)?.unwrap_or(0.0);
        seconds = seconds.max(bytes / (of.memory_bandwidth * share));
        for precision in Precision::ALL {
            let (value, tag) = (request.amounts[precision as usize], precision.name());
            if !(value >= 0.0 && value.is_finite()) {
                return Err(self.unfit(Unfit::Amount { tag, value }));
            }
            if value > 0.0 {
                let no_peak = || {
                    self.unfit(Unfit::NoPeak {
                        name: of.name.clone(),
                        precision: tag,
                    })
                };
                let peak = of.peak(precision).ok_or_else(no_peak)?;
                seconds = seconds.max(value / (peak * share));
            }
        }
        Ok(Work {
            engine: Engine::Compute,
            seconds,
            share,
        })
    }

    /// Work of a copy: its cost, or the time of its link.
    fn copy(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let bytes = self.ctx.bytes(self.request.bytes)?;
        let (engine, link) = match (self.request.peer, self.request.to_host) {
            (Some(peer), _) => {
                self.number(peer)?;
                let name = || of.name.clone();
                let no_peer = || self.unfit(Unfit::NoPeer { name: name() });
                (Engine::ToPeer, of.peer.ok_or_else(no_peer)?)
            }
            (None, false) => (Engine::ToDevice, of.link),
            (None, true) => (Engine::ToHost, of.link),
        };
        let cost_s = self.ctx.seconds(self.request.price)?;
        Ok(Work {
            engine,
            seconds: cost_s.unwrap_or_else(|| link.seconds(bytes)),
            share: 1.0,
        })
    }

    /// Checks the memory that the process needs against that of the device.
    fn check_memory(&self, at: (u32, u32), of: &Accelerator) -> Result<(), Stopped> {
        let (Some(bytes), Some(size)) = (self.request.memory, of.memory) else {
            return Ok(());
        };
        let (pid, bytes) = (self.ctx.rank(), self.ctx.bytes(bytes)?);
        let needed = self.with(at, |device| device.need(pid, bytes))?;
        if needed <= u128::from(size) {
            return Ok(());
        }
        let name = of.name.clone();
        Err(self.unfit(Unfit::Memory { name, needed, size }))
    }

    /// Work of a kernel or a copy, whose time a what-if may change.
    fn work(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let mut work = match self.call {
            Call::Copy => self.copy(of)?,
            _ => self.kernel(of)?,
        };
        if let Some(altered) = &self.ctx.world().altered {
            work.seconds = altered.device_s(self.element, work.seconds);
        }
        Ok(work)
    }

    /// Notes that it has begun.
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
        let pending = self.with(issue.at, |device| {
            device.issue(now_s, issue.stream, issue.work);
            device.pending()
        })?;
        if pending > PENDING_MAX {
            let operations = PENDING_MAX;
            return Err(self.unfit(Unfit::Pending { operations }));
        }
        Ok(())
    }

    /// Begins a launch; in the local engine, it is over then.
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

    /// Orders streams and events, which takes the host no time; returns the operations that the
    /// host has to wait for.
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

    /// Advances the device to the end of the next operation, and the rank with it, until none is
    /// left to wait for.
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
                open.retain(|number| !device.is_over(*number));
                next_s
            })?;
            lane.advance(next_s)?;
        }
        self.waited(lane.rank, lane.now_s());
        Ok(())
    }

    /// Accounts for the wait of the host, which has ended; `unit` has that number in records.
    fn waited(&self, unit: u32, now_s: f64) {
        let world = self.ctx.world();
        let waiting = world.unit(self.ctx.unit());
        waiting.spend(Activity::Wait, now_s - self.start_s);
        world.trace_waited(unit, self.start_s, now_s);
    }

    /// Goes on with a wait of the event engine; returns true if it is over.
    fn go_on(&mut self) -> Result<bool, Stopped> {
        let Stage::Waits(wait, open, at) = &mut self.stage else {
            return Ok(true);
        };
        let now_s = self.ctx.now_s();
        let (world, at) = (self.ctx.world(), *at);
        let next_s = world.accelerators.as_ref().and_then(|all| {
            all.with(world.system, at, |device| {
                device.advance(now_s);
                open.retain(|number| !device.is_over(*number));
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

    /// Tells what is waited for, when a deadlock is reported.
    fn explain(&self) {
        if let Stage::Waits(wait, ..) = &self.stage {
            wait.explain(|| Wanted {
                text: "an accelerator".to_owned(),
                process: None,
            });
        }
    }

    /// Begins the execution; returns true if it is over at once.
    fn begin(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        self.meet(lane)?;
        if matches!(self.call, Call::Kernel | Call::Copy) {
            self.launch(lane)?;
            return Ok(lane.is_some());
        }
        let at = self.at(lane)?;
        let open = self.order(at)?;
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
