//! Implements `action+`: a block of code that takes time on a CPU.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::{Element, element};
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::language::price::{Charge, Price};
use crate::mpi::Lane;
use crate::results::failure::Cause;

element! {
    /// A block of code that occupies one of its node's CPUs for as long as its cost says.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Model, Simulation, System};
    ///
    /// const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
    /// let model = Model::new("TwoOnOne", &[], 1);
    /// // Two processes on one CPU: the second waits for the first.
    /// let simulation = Simulation::new(&model, System::new(1, 1, 2, 1));
    /// let outcome = simulation.run(async |ctx| WORK.execute(ctx, 1.5).await);
    /// assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(3.0));
    /// ```
    ActionPlus, "action+"
}

impl ActionPlus {
    /// Waits for a CPU, keeps it for the time that `price` gives, and releases it.
    ///
    /// # Errors
    ///
    /// The future stops the run if the price is negative, not finite, or
    /// [`ByMachine`](crate::ByMachine).
    #[inline]
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Computing<'a> {
        Computing {
            wait: Wait::new(ctx),
            element: &self.0,
            cost: ctx.charge(&self.0, price),
            start_s: 0.0,
            occupies: false,
            is_part: false,
        }
    }
}

/// The future of [`ActionPlus::execute`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Computing<'a> {
    pub(super) wait: Wait<'a>,
    pub(super) element: &'a Element,
    cost: Charge,
    start_s: f64,
    /// Whether the action has requested a CPU.
    occupies: bool,
    /// Whether this is only the content of an execution that has already begun.
    is_part: bool,
}

impl<'a> Computing<'a> {
    /// Computes the cost of a construct for threads, such as a critical section. The construct
    /// itself has already begun the execution.
    pub(super) fn content(
        ctx: &'a ProcessCtx<'_>,
        element: &'a Element,
        price: impl Price,
    ) -> Self {
        Self {
            wait: Wait::new(ctx),
            element,
            cost: ctx.charge(element, price),
            start_s: 0.0,
            occupies: false,
            is_part: true,
        }
    }

    /// Creates a part of an execution that has already begun. It computes for `seconds`, and
    /// what-ifs don't change that time.
    pub(super) fn part(ctx: &'a ProcessCtx<'_>, element: &'a Element, seconds: f64) -> Self {
        Self {
            wait: Wait::new(ctx),
            element,
            cost: Charge::Seconds(seconds),
            start_s: 0.0,
            occupies: false,
            is_part: true,
        }
    }

    /// Begins the execution, and returns its price in seconds.
    #[inline]
    pub(super) fn meet(&mut self) -> Result<f64, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = if self.is_part {
            ctx.now_s()
        } else {
            ctx.begin(self.element, ActionPlus::KIND)?
        };
        ctx.seconds(self.cost)?
            .ok_or_else(|| ctx.fail(Cause::Unpriced))
    }

    /// Returns the number of bytes to move, after any what-if.
    pub(super) fn bytes(&self, bytes: i64) -> Result<u64, Stopped> {
        let ctx = self.wait.ctx();
        let bytes = ctx.bytes(bytes)?;
        Ok(match &ctx.world().altered {
            None => bytes,
            Some(altered) => altered.bytes(self.element, bytes),
        })
    }

    #[inline]
    pub(super) fn ask(&mut self, cost_s: f64) -> Result<(), Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        self.occupies = true;
        let waiter = (ctx.unit(), self.wait.register()?);
        world.cpus.ask(world, world.nid(ctx.rank()), waiter, cost_s)
    }

    /// Begins the execution. Returns `true` if it ends immediately, because it takes no time.
    #[inline]
    fn begin(&mut self) -> Result<bool, Stopped> {
        let cost_s = self.meet()?;
        let ctx = self.wait.ctx();
        let world = ctx.world();
        if cost_s == 0.0 && !world.cpus.contended(world.nid(ctx.rank())) {
            return Ok(true);
        }
        self.ask(cost_s)?;
        Ok(false)
    }

    /// Runs the action in the local engine, where each process has its own CPU. The CPU is busy for
    /// `before_s`, and then for the action's cost, but at least for `least_s`.
    #[inline]
    pub(super) fn poll_local(
        &mut self,
        lane: Lane<'_>,
        (before_s, least_s): (f64, f64),
    ) -> Poll<Result<(), Stopped>> {
        if !lane.may_begin() {
            return Poll::Pending;
        }
        let ctx = self.wait.ctx();
        let start_s = lane.begin(self.element, ActionPlus::KIND)?;
        let Some(cost_s) = ctx.seconds(self.cost)? else {
            return Poll::Ready(Err(ctx.fail(Cause::Unpriced)));
        };
        let cost_s = cost_s.max(least_s);
        let end_s = start_s + before_s + cost_s;
        lane.mpi.trace_computes(lane.rank, start_s, end_s);
        lane.advance(end_s)?;
        lane.unit.spend(Activity::Compute, before_s + cost_s);
        lane.finish(self.element, ActionPlus::KIND, start_s);
        Poll::Ready(Ok(()))
    }

    /// Runs the action on the fast path of the local engine, or returns `None` if that isn't
    /// possible.
    #[inline]
    fn compute_plainly(&self) -> Option<()> {
        let lane = self.wait.ctx().lane()?;
        let Charge::Seconds(cost_s) = self.cost else {
            return None;
        };
        lane.compute_plainly(self.element, cost_s)
    }

    /// Runs the action in any engine.
    #[inline(never)]
    fn poll_any(&mut self) -> Poll<Result<(), Stopped>> {
        if let Some(lane) = self.wait.ctx().lane() {
            return self.poll_local(lane, (0.0, 0.0));
        }
        let generation = self.wait.generation();
        let over = if generation == 0 {
            self.begin()?
        } else {
            self.wait.granted() && self.end_turn(generation)?
        };
        if !over {
            self.explain();
            return Poll::Pending;
        }
        self.end();
        Poll::Ready(Ok(()))
    }

    pub(super) fn explain(&self) {
        self.wait.explain(|| Wanted {
            text: "a CPU".to_owned(),
            process: None,
        });
    }

    #[cold]
    #[inline(never)]
    fn withdraw(&self) {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let waiter = (ctx.unit(), self.wait.generation());
        world.cpus.withdraw(world, world.nid(ctx.rank()), waiter);
    }

    /// Ends a turn on a CPU. Returns `true` if it was the last one.
    #[inline]
    fn end_turn(&mut self, generation: u32) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let nid = world.nid(ctx.rank());
        let Some(rest) = world.cpus.end_turn(world, nid, (ctx.unit(), generation)) else {
            return Ok(true);
        };
        let waiter = (ctx.unit(), self.wait.register()?);
        world.cpus.ask_again(nid, waiter, rest);
        Ok(false)
    }

    #[inline]
    fn end(&mut self) {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        if let Charge::Seconds(cost_s) = self.cost {
            let nid = world.nid(ctx.rank());
            let computed_s = world.cpus.computed_s(world, nid, ctx.unit());
            let computed_s = computed_s.unwrap_or(cost_s);
            if world.cpus.stretches() {
                let alone_s = self.start_s + computed_s;
                let late_s = (world.now_s() - alone_s).max(0.0);
                world.unit(ctx.unit()).spend(Activity::Wait, late_s);
            }
            let alone_s = world.cpus.is_shared().then_some(computed_s);
            world.trace_computed(ctx.unit(), self.start_s, alone_s, self.is_part);
            self.finish(computed_s);
        }
    }

    /// Records that the action had a CPU from `granted_s` until now.
    pub(super) fn trace_moved(&self, granted_s: f64) {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        world.trace_moved(ctx.unit(), granted_s);
        world.trace_computed(ctx.unit(), self.start_s, None, self.is_part);
    }

    /// Ends the action, which computed for `compute_s` seconds, and releases the CPU.
    #[inline]
    pub(super) fn finish(&mut self, compute_s: f64) {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        world.unit(ctx.unit()).spend(Activity::Compute, compute_s);
        if self.occupies {
            world.cpus.release(world, world.nid(ctx.rank()), ctx.unit());
        }
        if !self.is_part {
            ctx.finish(self.element, self.start_s);
        }
    }
}

impl Future for Computing<'_> {
    type Output = Result<(), Stopped>;

    // Not inlined: a generated program has thousands of calls, and the compiler would have to
    // process each.
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match self.compute_plainly() {
            Some(()) => Poll::Ready(Ok(())),
            None => self.poll_any(),
        }
    }
}

impl Drop for Computing<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.occupies && self.wait.generation() != 0 {
            self.withdraw();
        }
    }
}
