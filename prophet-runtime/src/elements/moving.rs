//! Implements an `action+` that moves bytes between memory and CPU while it computes.

use std::pin::Pin;
use std::task::{Context, Poll};

use prophet_machine::memory::Overlap;

use super::action::Computing;
use crate::language::Stopped;
use crate::language::number::Int;
use crate::mpi::Lane;
use crate::nodes::memory::{Domains, Place};
use crate::results::failure::Cause;

impl<'a> Computing<'a> {
    /// Moves `bytes` bytes between memory and CPU during the execution. The execution ends, and
    /// releases its CPU, when the bytes have been moved and the time of the price has passed. The
    /// machine's [`Overlap`] says whether moving and computing overlap.
    ///
    /// If the machine has no [memory bandwidth](crate::Memory), moving bytes takes no time.
    ///
    /// # Errors
    ///
    /// The future stops the run if the number of bytes is negative.
    pub fn moving(self, bytes: impl Into<Int>) -> Moving<'a> {
        Moving {
            computing: self,
            bytes: bytes.into().0,
            working_set: None,
            place: None,
            cost_s: 0.0,
            start_s: 0.0,
            stage: Stage::Begin,
        }
    }
}

/// The future of [`Computing::moving`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Moving<'a> {
    computing: Computing<'a>,
    bytes: i64,
    working_set: Option<i64>,
    /// The memory or cache that the bytes come from; `None` until they begin to move.
    place: Option<Place>,
    cost_s: f64,
    /// When the execution got its CPU, in seconds.
    start_s: f64,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    /// No bytes have to be moved, so the other future does everything.
    Computes,
    Asks,
    /// The execution has a CPU, and is moving bytes.
    Moves,
    /// The bytes have been moved, but the time of the price hasn't passed yet.
    Ends,
}

impl Moving<'_> {
    /// Sets the working set: the number of bytes that the execution accesses repeatedly. The bytes
    /// then move through the nearest [cache](crate::Cache) that is large enough for the working
    /// sets of all units that share it.
    ///
    /// # Errors
    ///
    /// The future stops the run if the number of bytes is negative.
    pub fn within(mut self, working_set: impl Into<Int>) -> Self {
        self.working_set = Some(working_set.into().0);
        self
    }

    /// Returns the memory or cache that the bytes come from, or `None` if moving them takes no
    /// time.
    fn place(&self, domains: &Domains) -> Result<Option<Place>, Stopped> {
        let ctx = self.computing.wait.ctx();
        let working_set = self.working_set.map(|bytes| ctx.bytes(bytes)).transpose()?;
        Ok(domains.place(ctx.world(), ctx.unit(), working_set))
    }

    /// Fails if the node's memory is too small for the working sets of all its processes.
    fn check_memory(&mut self, domains: &Domains) -> Result<(), Stopped> {
        let ctx = self.computing.wait.ctx();
        let node = ctx.world().nid(ctx.unit());
        let Some(bytes) = self.working_set else {
            return Ok(());
        };
        let system = &ctx.world().system;
        let shortage = system.shortage_of(node, domains.processes(node), ctx.bytes(bytes)?);
        let Some(shortage) = shortage else {
            return Ok(());
        };
        // After this, the message names the element.
        self.computing.meet()?;
        Err(ctx.fail(Cause::NodeMemory(shortage)))
    }

    fn ask(&mut self) -> Result<(), Stopped> {
        self.cost_s = self.computing.meet()?;
        self.stage = Stage::Asks;
        self.computing.ask(0.0)
    }

    /// Starts moving the bytes, on the CPU that the execution got.
    fn start(&mut self, domains: &Domains, place: Place, bytes: u64) -> Result<(), Stopped> {
        let wait = &mut self.computing.wait;
        let world = wait.ctx().world();
        self.start_s = world.now_s();
        self.stage = Stage::Moves;
        self.place = Some(place);
        let waiter = (wait.ctx().unit(), wait.register()?);
        domains.enter(world, place, waiter, domains.seconds(place, bytes));
        Ok(())
    }

    /// Records that all bytes have been moved. Returns `true` if the time of the price has passed
    /// as well.
    fn moved(&mut self, domains: &Domains, place: Place) -> Result<bool, Stopped> {
        let wait = &mut self.computing.wait;
        let ctx = wait.ctx();
        domains.leave(ctx.world(), place, ctx.unit());
        self.stage = Stage::Ends;
        let cost_end_s = match ctx.world().system.memory.overlap {
            Overlap::Full => self.start_s + self.cost_s,
            Overlap::None => ctx.now_s() + self.cost_s,
        };
        if cost_end_s <= ctx.now_s() {
            return Ok(true);
        }
        wait.until(cost_end_s)?;
        Ok(false)
    }

    /// Runs the execution in the local engine, if no other unit can slow it down.
    fn poll_local(
        &mut self,
        lane: Lane<'_>,
        domains: &Domains,
        place: Place,
        bytes: u64,
    ) -> Poll<Result<(), Stopped>> {
        if bytes > 0 && domains.may_disturb(place, lane.mpi.nid(lane.rank)) {
            lane.mpi.needs_order("memory shared by processes");
            return Poll::Ready(Err(Stopped::RECORDED));
        }
        let moving_s = domains.seconds(place, bytes);
        let taken = match lane.mpi.system.memory.overlap {
            Overlap::Full => (0.0, moving_s),
            Overlap::None => (moving_s, 0.0),
        };
        self.computing.poll_local(lane, taken)
    }
}

impl Future for Moving<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = self.advance(cx);
        if let Poll::Ready(Ok(())) = polled {
            self.meter()?;
        }
        polled
    }
}

impl Moving<'_> {
    /// Meters the energy of the bytes, unless they come from a cache.
    fn meter(&self) -> Result<(), Stopped> {
        let world = self.computing.wait.ctx().world();
        if world.tracer.is_some() {
            let place = world.domains.as_ref().map(|domains| self.place(domains));
            let place = place.transpose()?.flatten();
            if place.is_none_or(|place| !place.is_cache(&world.system.memory)) {
                let bytes = self.computing.bytes(self.bytes)?;
                world.meter_memory(self.computing.element.index, bytes);
            }
        }
        Ok(())
    }

    fn advance(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Stopped>> {
        let this = self;
        let ctx = this.computing.wait.ctx();
        let world = ctx.world();
        let Some(domains) = &world.domains else {
            return Pin::new(&mut this.computing).poll(cx);
        };
        if this.bytes < 0 || this.working_set.is_some_and(|bytes| bytes < 0) {
            // After this, the message names the element.
            this.computing.meet()?;
        }
        let bytes = this.computing.bytes(this.bytes)?;
        if this.stage == Stage::Begin {
            this.check_memory(domains)?;
        }
        let Some(place) = this.place(domains)? else {
            return Pin::new(&mut this.computing).poll(cx);
        };
        if let Some(lane) = ctx.lane() {
            return this.poll_local(lane, domains, place, bytes);
        }
        if this.stage == Stage::Begin {
            if bytes > 0 {
                this.ask()?;
                return Poll::Pending;
            }
            this.stage = Stage::Computes;
        }
        if this.stage == Stage::Computes {
            return Pin::new(&mut this.computing).poll(cx);
        }
        if !this.computing.wait.granted() {
            this.computing.explain();
            return Poll::Pending;
        }
        let over = match this.stage {
            Stage::Asks => this.start(domains, place, bytes).map(|()| false)?,
            Stage::Moves => this.moved(domains, place)?,
            Stage::Begin | Stage::Computes | Stage::Ends => true,
        };
        if !over {
            return Poll::Pending;
        }
        this.computing.trace_moved(this.start_s);
        this.computing.finish(world.now_s() - this.start_s);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        let ctx = self.computing.wait.ctx();
        if self.stage == Stage::Moves
            && let Some(place) = self.place
            && let Some(domains) = &ctx.world().domains
        {
            domains.leave(ctx.world(), place, ctx.unit());
        }
    }
}
