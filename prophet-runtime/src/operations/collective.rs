//! Implements the future of collectives.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{self, Poll};

use prophet_machine::algorithm::Algorithm;
use prophet_machine::operation::{Operation, Signature};

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::local::{Alone, Mail};
use crate::kernel::{Activity, Spending as _, Wanted};
use crate::language::Stopped;
use crate::language::element::Element;
use crate::language::fault::Fault;
use crate::language::price::Charge;
use crate::messages::letter::{Context, Envelope};
use crate::messages::message::{self, Incoming, Outgoing};
use crate::mpi::Lane;
use crate::mpi::collectives::step;
use crate::mpi::collectives::step::{Part, Plan, Step};
use crate::mpi::collectives::{Color, Communicator, Waiting, analytic, nccl, symmetry, tag};
use crate::mpi::plain::PlainState;
use crate::results::failure::Cause;
use crate::tracing::{Call, Gathering};

/// Something that folded processes don't support.
const DIFFERENT: &str = "collectives in which processes do different things";

/// The future that the `execute` method of a collective returns, such as
/// [`AllReduce::execute`](crate::AllReduce::execute).
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Collective<'a> {
    wait: Wait<'a>,
    element: &'a Element,
    cost: Charge,
    root: i64,
    bytes: i64,
    start_s: f64,
    group: Group,
    /// The number of the call in its communicator.
    number: u64,
    operation: Operation,
    /// The algorithm. Known once the collective has begun.
    algorithm: Algorithm,
    state: State,
    step: u32,
}

#[derive(Debug)]
enum Group {
    All,
    Of(Rc<Communicator>),
    /// The expression for the communicator has returned a fault.
    Unknown(Fault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// The collective has a cost. The rank waits for all others, and then until its cost has
    /// passed.
    Gathered,
    /// The collective has a cost, and that time has passed.
    Over,
    Sending,
    Receiving,
}

impl<'a> Collective<'a> {
    pub(crate) fn new(
        wait: Wait<'a>,
        element: &'a Element,
        operation: Operation,
        (root, bytes): (i64, i64),
        cost: Charge,
    ) -> Self {
        Self {
            wait,
            element,
            cost,
            root,
            bytes,
            start_s: 0.0,
            group: Group::All,
            number: 0,
            operation,
            algorithm: Algorithm::Analytic,
            state: State::New,
            step: 0,
        }
    }

    /// Restricts the collective to the processes that have the same `color` as this process, like
    /// `MPI_Comm_split`. They are ranked by their process numbers, and the root, if there is one,
    /// is such a rank.
    ///
    /// The first process to arrive evaluates `color` for all processes, once for each element. So
    /// `color` may depend only on the process's number and node, on parameters, and on the system.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Model, Network, Reduce, Simulation, System};
    ///
    /// const SUM: Reduce = Reduce::new(0, "Sum of the row", 1);
    /// let model = Model::new("Rows", &[], 1);
    /// let mut system = System::new(6, 1, 6, 1);
    /// system.network = Network::Hockney { latency_s: 1.0, bytes_per_s: 1e9 };
    /// let outcome = Simulation::new(&model, system).run(async |ctx| {
    ///     SUM.execute(ctx, 0, 0, ByMachine).comm(|ctx| ctx.pid() / 2).await
    /// })?;
    /// // Three rows of two processes; the first of each is the root.
    /// let ends: Vec<f64> = outcome.processes.iter().map(|process| process.end_s).collect();
    /// assert_eq!(ends, [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    pub fn comm<C: Color>(mut self, color: impl Fn(&ProcessCtx<'_>) -> C) -> Self {
        let ctx = self.wait.ctx();
        self.group = communicator(ctx, self.element, color).map_or_else(Group::Unknown, Group::Of);
        self
    }

    /// Begins the collective and joins the other ranks. Returns the next state.
    fn begin(&mut self) -> Result<State, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = match ctx.lane() {
            None => ctx.begin(self.element, self.operation.kind())?,
            Some(lane) => lane.begin(self.element, self.operation.kind())?,
        };
        let world = ctx.world();
        let communicator = match &self.group {
            Group::All => &*world.communication().all,
            Group::Of(communicator) => communicator,
            Group::Unknown(fault) => return Err(ctx.fail(Cause::Fault(fault.clone()))),
        };
        self.check_root(communicator)?;
        let bytes = ctx.bytes(self.bytes)?;
        let ranks = communicator.ranks;
        self.algorithm = world.system.algorithms.of(self.operation, ranks, bytes);
        let cost_s = match ctx.seconds(self.cost)? {
            None if self.algorithm.is_formula() => {
                ctx.seconds(Charge::Seconds(self.formula_s(communicator)))?
            }
            cost_s => cost_s,
        };
        if let Some(alone) = &world.local.alone {
            return self.call_alone(alone, cost_s);
        }
        self.number = communicator.count_call(communicator.rank(ctx.rank()));
        let waiting = self.enter(communicator, cost_s.is_some())?;
        let Some(cost_s) = cost_s else {
            return Ok(State::Sending);
        };
        let mut others = waiting;
        if let Some(waiting) = &mut others {
            let since_s = waiting.iter().map(|waiting| waiting.since_s);
            let latest_s = since_s.fold(ctx.now_s(), f64::max);
            if let Some(latest_s) = self.meet(communicator, latest_s) {
                let waiting = std::mem::take(waiting);
                let end_s = self.leave(communicator, waiting, (latest_s, cost_s))?;
                let Some(lane) = ctx.lane() else {
                    self.wait.until(end_s)?;
                    return Ok(State::Gathered);
                };
                lane.advance(end_s)?;
                return Ok(State::Over);
            }
        }
        let own = Waiting {
            unit: ctx.unit(),
            generation: self.wait.register()?,
            since_s: ctx.now_s(),
            cost_s,
        };
        let mut calls = communicator.calls.borrow_mut();
        match others {
            None => calls.wait(self.number, own),
            Some(mut gathered) => {
                gathered.push(own);
                calls.keep_gathered(self.number, gathered);
            }
        }
        Ok(State::Gathered)
    }

    /// Makes the call for a rank that runs alone. If the collective has a cost, and it is known
    /// when the last rank arrives, the collective ends immediately.
    #[cold]
    fn call_alone(&mut self, alone: &Alone, cost_s: Option<f64>) -> Result<State, Stopped> {
        let Some(lane) = self.wait.ctx().lane() else {
            return Ok(State::Gathered);
        };
        self.number = alone.call(self.signature());
        let Some(cost_s) = cost_s else {
            return Ok(State::Sending);
        };
        // The rank may have to wait, which is a step.
        lane.count_steps(1)?;
        let since_s = lane.now_s();
        let Some(latest_s) = alone.gather(since_s) else {
            return Ok(State::Gathered);
        };
        lane.unit.spend(Activity::Wait, latest_s - since_s);
        lane.unit.spend(Activity::Communicate, cost_s);
        lane.advance(latest_s + cost_s)?;
        Ok(State::Over)
    }

    /// Makes the call. `gathers` says whether the ranks wait for each other. If this is the last
    /// rank of the thread to make the call, returns those that have been waiting.
    fn enter(
        &self,
        communicator: &Communicator,
        gathers: bool,
    ) -> Result<Option<Vec<Waiting>>, Stopped> {
        let ctx = self.wait.ctx();
        let here = self.signature();
        let process = (ctx.rank(), self.element.index);
        let mut calls = communicator.calls.borrow_mut();
        if let Some(meeting) = &communicator.meeting
            && calls.is_new(self.number)
            && !meeting.begin(self.number, here, gathers)
        {
            // A thread that simulates all ranks can report who has called what.
            return Err(ctx.fail(Cause::System("a collective differs".to_owned())));
        }
        let entered = calls.enter(self.number, process, communicator.here, here);
        entered.map_err(|(there, other, element)| {
            ctx.fail(Cause::Mismatch {
                call: self.number + 1,
                among: communicator.to_string(),
                here: here.to_string(),
                other,
                other_element: ctx.world().site(element),
                there: there.to_string(),
            })
        })
    }

    /// Records that all ranks of this thread have made the call, the last of them at `latest_s`.
    /// Once that is the case in all threads, returns when the very last rank arrived, in seconds.
    fn meet(&self, communicator: &Communicator, latest_s: f64) -> Option<f64> {
        let world = self.wait.ctx().world();
        let (Some(meeting), Some(abroad)) = (&communicator.meeting, world.local.abroad()) else {
            return Some(latest_s);
        };
        let latest_s = meeting.gather(self.number, latest_s)?;
        let mail = Mail::Gathered {
            communicator: communicator.number(),
            call: self.number,
            latest_s,
        };
        abroad.send_to_threads_of(communicator.members(), mail);
        Some(latest_s)
    }

    /// Returns the time by the closed formula for the network between the members, in seconds.
    fn formula_s(&self, communicator: &Communicator) -> f64 {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let system = world.system;
        let (within, between) = (&system.intranode, &system.network);
        let plan = self.plan(communicator.ranks);
        let time_s = match nccl::Generation::of(plan.algorithm) {
            Some(generation) => {
                let nodes = communicator.nodes(&system.mapping);
                nccl::seconds(generation, &plan, nodes, [within, between], system.protocol)
            }
            None if communicator.spans_nodes => analytic::seconds(&plan, between),
            None => analytic::seconds(&plan, within),
        };
        match &world.altered {
            None => time_s,
            Some(altered) => altered.formula_s(ctx.rank(), self.element, time_s),
        }
    }

    fn check_root(&self, communicator: &Communicator) -> Result<(), Stopped> {
        let root = u32::try_from(self.root).ok();
        if root.is_some_and(|root| root < communicator.ranks) {
            return Ok(());
        }
        Err(self.wait.ctx().fail(Cause::NoSuchRoot {
            root: self.root,
            ranks: communicator.ranks,
            among: communicator.to_string(),
        }))
    }

    /// Returns the signature of this rank's call. [`Self::begin`] has checked its values.
    fn signature(&self) -> Signature {
        Signature {
            operation: self.operation,
            root: u32::try_from(self.root).unwrap_or(0),
            bytes: u64::try_from(self.bytes).unwrap_or(0),
            priced: self.cost != Charge::ByMachine,
        }
    }

    #[inline]
    fn plan(&self, ranks: u32) -> Plan {
        let Signature {
            operation,
            root,
            bytes,
            ..
        } = self.signature();
        Plan {
            operation,
            algorithm: self.algorithm,
            ranks,
            root,
            bytes,
        }
    }

    /// Returns the plan of the call, this rank, and the tag of the messages.
    #[inline]
    fn place(&self) -> (Plan, u32, i64) {
        let ctx = self.wait.ctx();
        match &self.group {
            Group::Of(communicator) => (
                self.plan(communicator.ranks),
                communicator.rank(ctx.rank()),
                communicator.tag(self.number),
            ),
            Group::All | Group::Unknown(_) => {
                let plan = self.plan(ctx.world().system.processes);
                (plan, ctx.rank(), tag(0, self.number))
            }
        }
    }

    #[inline]
    fn process(&self, rank: u32) -> u32 {
        match &self.group {
            Group::Of(communicator) => communicator.process(rank),
            Group::All | Group::Unknown(_) => rank,
        }
    }

    #[inline]
    fn outgoing(&self, plan: &Plan, tag: i64, to: u32, part: Part) -> Outgoing {
        Outgoing {
            value: None,
            dest: self.process(to),
            context: Context::Collective,
            element: self.element.index,
            tag,
            bytes: plan.bytes_of(part),
            cost_s: None,
            part: message::Part::OfCollective,
        }
    }

    #[inline]
    fn incoming(&self, tag: i64, from: u32) -> Incoming {
        Incoming {
            envelope: Envelope::of_collective(self.process(from), tag),
            // The size was the same in all ranks' calls.
            bytes_max: u64::MAX,
            cost_s: None,
        }
    }

    /// Executes steps of the algorithm until one takes time. Returns `true` if all are done.
    fn go_on(&mut self) -> Result<bool, Stopped> {
        let (plan, rank, tag) = self.place();
        while let Some(step) = step(&plan, rank, self.step) {
            self.step += 1;
            let over = match step {
                Step::Send { to, part } => {
                    self.state = State::Sending;
                    let message = self.outgoing(&plan, tag, to, part);
                    self.wait.send(&message)?
                }
                Step::Receive { from } => {
                    self.state = State::Receiving;
                    let message = self.incoming(tag, from);
                    self.wait.receive(&message)?
                }
            };
            if !over {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Executes steps like [`Self::go_on`], but in the local engine, until a message is missing.
    /// Returns `true` if all are done.
    fn go_on_local(&mut self, lane: Lane<'_>) -> Result<bool, Stopped> {
        let (plan, rank, tag) = self.place();
        if lane.local.folded.is_some() || lane.local.alone.is_some() {
            let shifts = symmetry(&plan).ok_or_else(|| lane.unsuited(DIFFERENT))?;
            lane.local.shift_collective(shifts);
        }
        self.state = State::Receiving;
        let is_plain = lane.local.plain.get();
        let next = |number| step(&plan, rank, number);
        while let Some(step) = next(self.step) {
            let by_short_way = match step {
                Step::Send { to, part } if is_plain => {
                    let content = (tag, plan.bytes_of(part));
                    let sent = lane.send_part_plainly(self.process(to), content);
                    sent.map(|()| PlainState::Over)
                }
                Step::Receive { from } if is_plain => {
                    lane.receive_part_plainly(self.process(from), tag)
                }
                _ => None,
            };
            let state = match by_short_way {
                Some(state) => state,
                None => self.take_step(lane, (&plan, tag), step)?,
            };
            if let PlainState::Waits(generation) = state {
                self.wait.begin(generation);
                if let Some(Step::Send { to, .. }) = next(self.step + 1) {
                    lane.expect_send(self.process(to));
                }
                return Ok(false);
            }
            self.step += 1;
        }
        Ok(true)
    }

    /// Executes any step in the local engine.
    #[inline(never)]
    fn take_step(
        &mut self,
        lane: Lane<'_>,
        (plan, tag): (&Plan, i64),
        step: Step,
    ) -> Result<PlainState, Stopped> {
        match step {
            Step::Send { to, part } => lane.send(&self.outgoing(plan, tag, to, part))?,
            Step::Receive { from } => {
                let message = self.incoming(tag, from);
                if !lane.receive(&message)? {
                    self.wait.want(lane, message.envelope)?;
                    return Ok(PlainState::Waits(self.wait.generation()));
                }
            }
        }
        Ok(PlainState::Over)
    }

    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        if self.state == State::New {
            if !lane.may_begin() {
                return Poll::Pending;
            }
            self.state = self.begin()?;
            if self.state == State::Gathered {
                return Poll::Pending;
            }
        } else if !self.wait.granted_to(lane.unit) {
            return Poll::Pending;
        }
        if self.sends() && !self.go_on_local(lane)? {
            return Poll::Pending;
        }
        self.trace_messages();
        lane.finish(self.element, self.operation.kind(), self.start_s);
        Poll::Ready(Ok(()))
    }

    fn sends(&self) -> bool {
        matches!(self.state, State::Sending | State::Receiving)
    }

    /// Records the whole collective, if it has sent messages. (With a cost, it is recorded when all
    /// ranks have arrived.)
    #[inline]
    fn trace_messages(&self) {
        if self.sends() {
            let ctx = self.wait.ctx();
            let world = ctx.world();
            world.trace_collective(ctx.unit(), self.element, self.start_s, || {
                match &self.group {
                    Group::Of(communicator) => self.traced(communicator),
                    Group::All | Group::Unknown(_) => self.traced(&world.communication().all),
                }
            });
        }
    }

    fn traced(&self, communicator: &Communicator) -> Call {
        let Signature { root, bytes, .. } = self.signature();
        let is_rooted = self.operation.is_rooted();
        Call {
            root: is_rooted.then(|| communicator.process(root)),
            bytes,
            comm: communicator.first(),
        }
    }

    fn wanted(&self) -> Wanted {
        let (plan, rank, _) = self.place();
        let last = self.step.checked_sub(1);
        if let Some(Step::Receive { from }) = last.and_then(|last| step(&plan, rank, last)) {
            let source = self.process(from);
            let text = format!("its part from process {source}");
            return Wanted {
                text,
                process: Some(source),
            };
        }
        let communicator = match &self.group {
            Group::Of(communicator) => communicator,
            Group::All | Group::Unknown(_) => &self.wait.ctx().world().communication().all,
        };
        let arrived = communicator.calls.borrow_mut().arrived(self.number);
        let missing = plan.ranks - arrived.unwrap_or(plan.ranks);
        let process = communicator.first_behind(self.number);
        let text = match process {
            Some(process) if missing > 1 => {
                format!("{missing} processes to join, the first of them process {process}")
            }
            Some(process) => format!("process {process} to join"),
            None => "other processes to join".to_owned(),
        };
        Wanted { text, process }
    }
}

/// Returns the communicator of a process at an element that has a communicator expression.
fn communicator<C: Color>(
    ctx: &ProcessCtx<'_>,
    element: &Element,
    color: impl Fn(&ProcessCtx<'_>) -> C,
) -> Result<Rc<Communicator>, Fault> {
    let world = ctx.world();
    let communicators = &world.communication().communicators;
    let known = communicators.borrow().of(element.index, ctx.rank());
    if let Some(known) = known {
        return Ok(known);
    }
    let processes = 0..world.system.processes;
    let color = |process| color(&ProcessCtx::new(world, process)).color();
    let colors = processes.map(|process| color(process).map(i64::from));
    let colors: Vec<i64> = colors.collect::<Result<_, Fault>>()?;
    let mut communicators = communicators.borrow_mut();
    communicators.split(element.index, &colors, &world.ranks());
    // All processes have a communicator by now.
    let all = &world.communication().all;
    let own = communicators.of(element.index, ctx.rank());
    Ok(own.unwrap_or_else(|| Rc::clone(all)))
}

impl Collective<'_> {
    /// Lets all ranks leave once all have arrived, the last one at `latest_s`. Each rank leaves
    /// after its own cost. This includes the current rank, which called last. Returns when the
    /// current rank leaves, in seconds.
    ///
    /// If the engine orders ranks by time, the current rank is the latest.
    fn leave(
        &self,
        communicator: &Communicator,
        mut waiting: Vec<Waiting>,
        (latest_s, own_cost_s): (f64, f64),
    ) -> Result<f64, Stopped> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let traced = self.gathering(communicator, &waiting, latest_s);
        let is_local = world.local().is_some();
        for other in waiting.drain(..) {
            let Waiting {
                unit,
                since_s,
                cost_s,
                ..
            } = other;
            world.local.influences.bind(unit, ctx.unit());
            if let Some(gathering) = &traced {
                world.trace_gathered(unit, since_s, latest_s + cost_s, gathering);
            }
            if is_local {
                world.leave_local(&other, latest_s)?;
                continue;
            }
            world.unit(unit).spend(Activity::Wait, latest_s - since_s);
            world.unit(unit).spend(Activity::Communicate, cost_s);
            world.resume_at(unit, latest_s + cost_s)?;
        }
        communicator.calls.borrow_mut().spare.push(waiting);
        let unit = world.unit(ctx.unit());
        unit.spend(Activity::Wait, latest_s - ctx.now_s());
        unit.spend(Activity::Communicate, own_cost_s);
        if let Some(gathering) = &traced {
            world.trace_gathered(ctx.unit(), ctx.now_s(), latest_s + own_cost_s, gathering);
        }
        Ok(latest_s + own_cost_s)
    }

    /// Returns the call and the last process that arrived, if the collective is recorded. If
    /// several arrived last, the first of these by process and thread counts.
    fn gathering(
        &self,
        communicator: &Communicator,
        waiting: &[Waiting],
        latest_s: f64,
    ) -> Option<Gathering> {
        let ctx = self.wait.ctx();
        let world = ctx.world();
        let own = world.trace_id(ctx.unit())?;
        let others = waiting.iter().filter(|other| other.since_s >= latest_s);
        let others = others.filter_map(|other| world.trace_id(other.unit));
        let own = Some(own).filter(|_| ctx.now_s() >= latest_s);
        Some(Gathering {
            call: self.traced(communicator),
            last: others.chain(own).min()?,
            latest_s,
        })
    }
}

impl Future for Collective<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(lane) = this.wait.ctx().lane() {
            return this.poll_local(lane);
        }
        if this.state == State::New {
            this.state = this.begin()?;
            if this.state == State::Gathered {
                return Poll::Pending;
            }
        } else if !this.wait.granted() {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        if this.sends() && !this.go_on()? {
            return Poll::Pending;
        }
        this.trace_messages();
        this.wait.ctx().finish(this.element, this.start_s);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Collective<'_> {
    fn drop(&mut self) {
        let generation = self.wait.generation();
        if generation == 0 {
            return;
        }
        let ctx = self.wait.ctx();
        match self.state {
            State::Gathered => {
                let communicator = match &self.group {
                    Group::Of(communicator) => communicator,
                    Group::All | Group::Unknown(_) => &ctx.world().communication().all,
                };
                let mut calls = communicator.calls.borrow_mut();
                calls.withdraw(self.number, ctx.unit(), generation);
            }
            State::Receiving => self.wait.withdraw_receive(),
            State::New | State::Sending | State::Over => {}
        }
    }
}
