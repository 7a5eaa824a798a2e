//! Defines what a process can do: wait, read the time, and find out its place.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use prophet_machine::value::Value;

use crate::engine::World;
use crate::kernel::{Activity, NO_ELEMENT, Phase, Spending as _, TURNS_MAX, Unit, Wanted};
use crate::language::Stopped;
use crate::language::device_use::DeviceUse;
use crate::language::element::{Element, ModelElement};
use crate::language::grid::PROC_NULL;
use crate::language::number::{Int, NOT_WHOLE};
use crate::language::opcode::Opcode;
use crate::language::price::{Charge, Cost, Price};
use crate::language::region::Region;
use crate::language::stream::Stream;
use crate::language::symmetry::Symmetry;
use crate::language::table::Lookup;
use crate::mpi::Lane;
use crate::omp::Team;
use crate::results::failure::{Cause, Livelock};
use crate::tracing::Tracer;

/// A program for each process to run: an async function of the process.
pub trait ProcessProgram: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped> {}

impl<P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>> ProcessProgram for P {}

/// A position in the list of operations that costs have used so far: see [`ProcessCtx::uses`].
#[derive(Debug, Clone, Copy)]
pub struct Uses(pub(crate) usize);

impl Uses {
    /// Returns the position as a number that an interpreter can store.
    pub fn number(self) -> u64 {
        self.0 as u64
    }

    /// Creates the position from a number that [`Self::number`] returned.
    pub fn of(number: u64) -> Self {
        Self(usize::try_from(number).unwrap_or(usize::MAX))
    }
}

/// A simulated process. Its program uses this to wait, to find out its place, and to reach other
/// processes.
///
/// Methods that wait return futures of this simulation. A process can await only these futures, one
/// at a time. If you drop a future, its wait ends.
///
/// ```
/// use prophet_runtime::{Model, Simulation, System};
///
/// let model = Model::new("Clock", &[], 0);
/// let outcome = Simulation::new(&model, System::new(1, 3, 3, 1)).run(async |ctx| {
///     ctx.hold(0.5).await?;
///     assert_eq!(ctx.now_s(), 0.5);
///     if ctx.pid() == 2 { ctx.hold(1.0).await } else { Ok(()) }
/// });
/// assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(1.5));
/// ```
#[derive(Debug)]
pub struct ProcessCtx<'w> {
    world: &'w World<'w>,
    /// The team with which the thread shares constructs or flows, or `None` outside of a team.
    team: Option<&'w Team<'w>>,
    pid: u32,
    tid: u32,
    unit: u32,
    /// Number of threads among which the process's time is divided: the product of the sizes of the
    /// enclosing teams.
    parts: u32,
}

impl<'w> ProcessCtx<'w> {
    pub(crate) fn new(world: &'w World<'w>, pid: u32) -> Self {
        Self {
            world,
            team: None,
            pid,
            tid: 0,
            unit: world.local.place(pid),
            parts: 1,
        }
    }

    /// Creates thread `tid` of the same process in a region of `size` threads. `team` is the team
    /// with which the thread shares constructs.
    pub(crate) fn member<'m>(
        &self,
        team: Option<&'m Team<'m>>,
        unit: u32,
        (tid, size): (u32, u32),
    ) -> ProcessCtx<'m>
    where
        'w: 'm,
    {
        ProcessCtx {
            world: self.world,
            team,
            pid: self.pid,
            tid,
            unit,
            parts: self.parts.saturating_mul(size),
        }
    }

    #[inline]
    pub(crate) fn world(&self) -> &'w World<'w> {
        self.world
    }

    /// Returns the process's interface to the local engine, if that engine runs it.
    #[inline]
    pub(crate) fn lane(&self) -> Option<Lane<'w>> {
        self.world.lane_of(self.pid, self.unit)
    }

    /// Returns the kernel's number for this unit. For a process's first thread, this is the pid or,
    /// in the local engine, the process's place in the simulating thread.
    #[inline]
    pub(crate) fn unit(&self) -> u32 {
        self.unit
    }

    #[inline]
    pub(crate) fn rank(&self) -> u32 {
        self.pid
    }

    /// Returns the simulated time, in seconds.
    #[inline]
    pub fn now_s(&self) -> f64 {
        self.world.now_of(self.pid)
    }

    /// Returns the process's priority at facilities that use priorities. Larger numbers go first,
    /// and the default is 0.
    pub fn priority(&self) -> i32 {
        self.world.priority(self.unit())
    }

    /// Sets the process's priority, starting with its next request.
    pub fn set_priority(&self, priority: i32) {
        self.world.set_priority(self.unit(), priority);
    }

    /// Returns the number of the processing unit: `pid * NUM_THREADS + tid`.
    pub fn uid(&self) -> Int {
        let system = self.world.system;
        Int(i64::from(self.pid) * i64::from(system.threads) + i64::from(self.tid))
    }

    /// Returns the number of the process, from 0.
    pub fn pid(&self) -> Int {
        Int(i64::from(self.pid))
    }

    /// Returns the number of the thread within its process, from 0.
    pub fn tid(&self) -> Int {
        Int(i64::from(self.tid))
    }

    /// Returns the number of the node that the process runs on, from 0.
    pub fn nid(&self) -> Int {
        Int(i64::from(self.world.nid(self.pid)))
    }

    /// Returns the number of nodes in the machine.
    pub fn num_nodes(&self) -> Int {
        Int(i64::from(self.world.system.nodes))
    }

    /// Returns the number of CPUs on each node.
    pub fn num_cpus(&self) -> Int {
        Int(i64::from(self.world.system.cpus_per_node))
    }

    /// Returns the number of processes.
    pub fn num_processes(&self) -> Int {
        Int(i64::from(self.world.system.processes))
    }

    /// Returns the number of threads per process, `NUM_THREADS`.
    pub fn num_threads(&self) -> Int {
        Int(i64::from(self.world.system.threads))
    }

    /// Returns the model parameter with this index as an integer, or 0 if the model has no such
    /// parameter.
    pub fn int_parameter(&self, index: usize) -> Int {
        match self.world.values.parameters.get(index) {
            Some(Value::Int(value)) => Int(*value),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "saturates, as C's cast would"
            )]
            Some(Value::Real(value)) => Int(*value as i64),
            Some(Value::Bool(value)) => Int(i64::from(*value)),
            None => Int(0),
        }
    }

    /// Returns the model parameter with this index as a real number, or 0 if the model has no such
    /// parameter.
    pub fn real_parameter(&self, index: usize) -> f64 {
        match self.world.values.parameters.get(index) {
            #[expect(clippy::cast_precision_loss, reason = "as C converts")]
            Some(Value::Int(value)) => *value as f64,
            Some(Value::Real(value)) => *value,
            Some(Value::Bool(value)) => f64::from(u8::from(*value)),
            None => 0.0,
        }
    }

    /// Returns the model parameter with this index as a truth value, or `false` if the model has no
    /// such parameter.
    pub fn bool_parameter(&self, index: usize) -> bool {
        match self.world.values.parameters.get(index) {
            Some(Value::Int(value)) => *value != 0,
            Some(Value::Real(value)) => *value != 0.0,
            Some(Value::Bool(value)) => *value,
            None => false,
        }
    }

    /// Returns the time that operations take on the machine, in seconds: the sum of their counts
    /// times their prices.
    ///
    /// The result is NaN if the [model](crate::Model::opcodes) doesn't declare one of the
    /// operations.
    #[inline]
    pub fn clc(&self, usage: &[(f64, Opcode)]) -> f64 {
        usage.iter().fold(0.0, |sum_s, (count, opcode)| {
            sum_s + count * self.use_operation(opcode.index, *count)
        })
    }

    /// Returns the price of an operation in seconds. If there is a trace, records in it that a cost
    /// uses the operation `count` times.
    #[inline]
    pub fn use_operation(&self, opcode: u32, count: f64) -> f64 {
        if let Some(tracer) = self.world.recorder() {
            tracer.use_operation(self.unit(), opcode, count);
        }
        self.price_s(opcode)
    }

    /// Returns the current position in the list of operations used. Evaluate a cost next, and then
    /// pass the position to [`Self::times`] or [`Self::over`].
    #[inline]
    pub fn uses(&self) -> Uses {
        Uses(self.world.recorder().map_or(0, Tracer::uses))
    }

    /// Returns the product of a factor and a cost. If there is a trace, also multiplies the counts
    /// of the operations that the cost has used since `uses`.
    #[inline]
    pub fn times(&self, uses: Uses, factor: f64, cost_s: f64) -> f64 {
        self.scale_uses(uses, factor);
        factor * cost_s
    }

    /// Like [`Self::times`], with the operands in the other order.
    #[inline]
    pub fn repeated(&self, uses: Uses, cost_s: f64, factor: f64) -> f64 {
        self.scale_uses(uses, factor);
        cost_s * factor
    }

    /// Like [`Self::times`], but divides the cost.
    #[inline]
    pub fn over(&self, uses: Uses, cost_s: f64, divisor: f64) -> f64 {
        self.scale_uses(uses, divisor.recip());
        cost_s / divisor
    }

    /// If there is a trace, multiplies the counts of the operations that a cost has used since
    /// `uses`.
    #[inline]
    pub fn scale_uses(&self, uses: Uses, factor: f64) {
        if let Some(tracer) = self.world.recorder() {
            tracer.scale_uses(uses.0, factor);
        }
    }

    /// Returns how long a custom device takes for these resources, in seconds.
    ///
    /// The result is NaN if the [model](crate::Model::uses) doesn't declare this use.
    pub fn rud(&self, usage: &DeviceUse, resources: &[f64]) -> f64 {
        let device = self.world.values.devices.get(usage.index as usize);
        device.map_or(f64::NAN, |device| device.duration_s(resources))
    }

    /// Returns the machine's price of the operation with this index in seconds, or NaN if the model
    /// has no such operation.
    #[inline]
    pub fn price_s(&self, opcode: u32) -> f64 {
        if self.world.changes() {
            self.world.follow_prices();
        }
        let prices_s = &self.world.values.prices_s;
        prices_s.get(opcode as usize).map_or(f64::NAN, Cell::get)
    }

    /// Returns the value that was looked up in a [`Table`](crate::Table) or
    /// [`Surface`](crate::Surface).
    ///
    /// If it was outside of the table's points, the outcome reports that.
    #[inline]
    pub fn interpolate(&self, lookup: Lookup) -> f64 {
        for outside in lookup.outside.into_iter().flatten() {
            self.world.extrapolations.note(outside);
        }
        lookup.value
    }

    /// Returns this process's random stream for an element.
    pub fn stream(&self, element: &impl ModelElement) -> Stream<'_> {
        Stream {
            streams: &self.world.streams,
            seed: self.world.system.seed,
            pid: self.pid,
            id: element.element().id,
        }
    }

    /// Sets the element whose code runs next, for use in messages.
    pub fn at(&self, element: &impl ModelElement) {
        self.meet(element.element(), element.kind());
    }

    /// If there is a trace, marks the thread's current time in it, with a row that has the state
    /// `content`, no length, no element, and `number` as its bytes.
    pub fn mark(&self, number: u32) {
        self.world.trace_mark(self.unit(), number);
    }

    /// Returns the number of processes that this process represents, or `None` if it represents
    /// only itself. A program must call [`Self::differs`] for anything that differs between the
    /// processes that are represented.
    #[inline]
    pub fn folded(&self) -> Option<u32> {
        let local = &self.world.local;
        if let Some(folded) = &local.folded {
            return Some(folded.ranks());
        }
        let alone = local.alone.as_ref()?;
        alone.region.as_ref().map(|_| self.world.system.processes)
    }

    /// Calls `narrow` with the region of processes that this process represents, so that the
    /// program can narrow it. If there is no such region, returns `None` instead.
    pub fn region<T>(&self, narrow: impl FnOnce(&mut Region) -> T) -> Option<T> {
        let region = self.world.local.alone.as_ref()?.region.as_ref()?;
        Some(narrow(&mut region.borrow_mut()))
    }

    /// Declares that the program computes its partners by shifts of this symmetry. If this process
    /// represents all processes and the program uses a second symmetry, the run ends.
    pub fn shift(&self, symmetry: Symmetry) {
        let folded = self.world.local.folded.as_ref();
        if folded.is_some_and(|folded| !folded.shift_program(symmetry)) {
            self.differs("partners on different grids");
        }
    }

    /// Declares that processes differ. If this process represents others, the run ends, and all
    /// processes are simulated instead. `what` completes the reason "the program uses …".
    /// Otherwise, this does nothing.
    #[cold]
    pub fn differs(&self, what: &'static str) {
        if self.folded().is_some() {
            self.world.needs_order(what);
        }
    }

    /// Lets `seconds` of simulated time pass.
    ///
    /// Even if `seconds` is 0, other processes that are ready run first.
    ///
    /// # Errors
    ///
    /// The future stops the run if the time is negative or not finite.
    #[inline]
    pub fn hold(&self, seconds: f64) -> Hold<'_> {
        Hold {
            wait: Wait::new(self),
            seconds,
        }
    }

    // For elements.

    #[inline]
    fn meet(&self, element: &Element, kind: &'static str) {
        self.world.unit(self.unit()).site.set(element.index);
        self.world.elements.meet(element, kind);
    }

    /// Begins an execution of an element in the event engine. Returns the start time in seconds.
    #[inline]
    pub(crate) fn begin(&self, element: &Element, kind: &'static str) -> Result<f64, Stopped> {
        self.meet(element, kind);
        self.world.count_step(self.unit())?;
        Ok(self.world.now_s())
    }

    /// Like [`Self::begin`], for a construct for threads, which only the event engine supports.
    pub(crate) fn begin_threads(
        &self,
        element: &Element,
        kind: &'static str,
    ) -> Result<f64, Stopped> {
        if self.world.local().is_some() {
            self.world.needs_order("threads");
            return Err(Stopped::RECORDED);
        }
        self.begin(element, kind)
    }

    /// Records that the unit is back at an element after running its content.
    pub(crate) fn return_to(&self, element: &Element) {
        self.world.unit(self.unit()).site.set(element.index);
    }

    /// Returns the numbers of the process and the thread. They order units that request something
    /// at the same time.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.pid, self.tid)
    }

    /// Returns the team that constructs of this thread share, if there is one.
    pub(crate) fn team(&self) -> Option<&'w Team<'w>> {
        self.team.filter(|team| !team.flows())
    }

    /// Returns the team that runs the parts of a region with flows, if the thread is running such a
    /// part.
    pub(crate) fn flowing(&self) -> Option<&'w Team<'w>> {
        self.team.filter(|team| team.flows())
    }

    pub(crate) fn thread(&self) -> u32 {
        self.tid
    }

    #[inline]
    pub(crate) fn finish(&self, element: &Element, start_s: f64) {
        self.world.unit(self.unit()).site.set(NO_ELEMENT);
        let seconds = self.world.now_s() - start_s;
        self.world.elements.record(element.index, seconds);
        if self.parts > 1 {
            self.world
                .elements
                .divide(element.index, seconds, self.parts);
        }
    }

    /// Ends an execution that began at `start_s`. The element is one that contains others, or that
    /// has several messages.
    #[inline]
    pub(crate) fn finish_content(&self, element: &Element, start_s: f64) {
        self.world.trace_content(self.unit(), element, start_s);
        self.finish(element, start_s);
    }

    /// Stops the run at the element that the process is at.
    #[cold]
    pub(crate) fn fail(&self, cause: Cause) -> Stopped {
        self.world.fail(Some(self.unit()), cause)
    }

    /// Counts an iteration of a loop, so that it can't run forever without time advancing.
    ///
    /// # Errors
    ///
    /// Stops the run after 10,000,000 iterations of the process's loops at the same simulated time.
    #[inline]
    pub fn turn(&self, element: &impl ModelElement) -> Result<(), Stopped> {
        if let Some(lane) = self.lane()
            // If the local engine fails here, the event engine repeats the run and finds the place.
            && self.world.tracer.is_none()
            && lane.unit.turn(lane.now_s()) <= TURNS_MAX
        {
            return Ok(());
        }
        self.turn_at(element)
    }

    /// The slow path of [`Self::turn`], which records the element and fails if there were too many
    /// iterations.
    #[inline(never)]
    fn turn_at(&self, element: &impl ModelElement) -> Result<(), Stopped> {
        let unit = self.world.unit(self.unit());
        self.at(element);
        if unit.turn(self.now_s()) > TURNS_MAX {
            unit.turns.set(0);
            return Err(self.fail(Cause::Livelock(Livelock::Turns(TURNS_MAX))));
        }
        Ok(())
    }

    /// Returns the price of an element, after any what-if or noise.
    #[inline]
    pub(crate) fn charge(&self, element: &Element, price: impl Price) -> Charge {
        if let Some(tracer) = self.world.recorder() {
            tracer.charge_uses(self.unit());
        }
        match price.cost() {
            Cost::ByMachine => Charge::ByMachine,
            Cost::Seconds(cost_s) => Charge::Seconds(match &self.world.altered {
                None => cost_s,
                Some(altered) => altered.cost_s(self.pid, element, cost_s),
            }),
            Cost::Fault(fault) => self.world.keep_fault(fault),
        }
    }

    /// Returns the price of an element that takes no CPU time. Neither noise nor a node's speed
    /// changes it.
    pub(crate) fn plain_charge(&self, price: impl Price) -> Charge {
        match price.cost() {
            Cost::ByMachine => Charge::ByMachine,
            Cost::Seconds(cost_s) => Charge::Seconds(cost_s),
            Cost::Fault(fault) => self.world.keep_fault(fault),
        }
    }

    /// Returns a price in seconds, or `None` if the machine determines it.
    #[inline]
    pub(crate) fn seconds(&self, charge: Charge) -> Result<Option<f64>, Stopped> {
        match charge {
            Charge::ByMachine => Ok(None),
            Charge::Seconds(cost_s) if (0.0..=f64::MAX).contains(&cost_s) => Ok(Some(cost_s)),
            Charge::Seconds(_) | Charge::Fault(_) => Err(self.fail_charge(charge)),
        }
    }

    #[cold]
    fn fail_charge(&self, charge: Charge) -> Stopped {
        self.fail(match charge {
            Charge::Seconds(cost_s) => Cause::Cost { cost_s },
            Charge::Fault(number) => Cause::Fault(self.world.fault(number)),
            Charge::ByMachine => Cause::Unpriced,
        })
    }

    /// Fails unless `value` is [`PROC_NULL`]. `role` says what the number is for.
    #[cold]
    #[inline(never)]
    pub(crate) fn check_null(&self, role: &'static str, value: i64) -> Result<(), Stopped> {
        if value == PROC_NULL.0 {
            return Ok(());
        }
        Err(self.fail_process(role, value))
    }

    #[inline]
    pub(crate) fn is_process(&self, value: i64) -> bool {
        // As an unsigned number, a negative one is very large.
        value.cast_unsigned() < u64::from(self.world.system.processes)
    }

    #[cold]
    #[inline(never)]
    fn fail_process(&self, role: &'static str, value: i64) -> Stopped {
        if value == NOT_WHOLE.0 {
            return self.fail(Cause::NotWhole { role });
        }
        self.fail(Cause::NoSuchProcess {
            role,
            value,
            processes: self.world.system.processes,
        })
    }

    #[inline]
    pub(crate) fn bytes(&self, bytes: i64) -> Result<u64, Stopped> {
        u64::try_from(bytes).map_err(|_| self.fail(Cause::NegativeSize { bytes }))
    }
}

/// The kernel's part of a leaf future: at most one wait, which is canceled when this is dropped.
#[derive(Debug)]
pub(crate) struct Wait<'a> {
    ctx: &'a ProcessCtx<'a>,
    /// Generation of the registered wait; 0 if no wait is registered.
    generation: u32,
}

impl<'a> Wait<'a> {
    /// Creates a wait for time, messages, or collectives. Since its end doesn't depend on the order
    /// of processes, both engines support it.
    #[inline]
    pub(crate) fn new(ctx: &'a ProcessCtx<'a>) -> Self {
        Self { ctx, generation: 0 }
    }

    #[inline]
    pub(crate) fn ctx(&self) -> &'a ProcessCtx<'a> {
        self.ctx
    }

    /// Returns the generation of the registered wait, or 0 if no wait is registered.
    #[inline]
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// Begins a wait that something else will end.
    #[inline]
    pub(crate) fn register(&mut self) -> Result<u32, Stopped> {
        self.generation = self.ctx.world.register(self.ctx.unit())?;
        Ok(self.generation)
    }

    /// Like [`Self::register`], but in the local engine.
    #[inline]
    pub(crate) fn register_lane(&mut self, lane: Lane<'_>) -> Result<(), Stopped> {
        self.generation = lane.mpi.register_state(lane.rank, lane.unit)?;
        Ok(())
    }

    #[inline]
    pub(crate) fn begin(&mut self, generation: u32) {
        self.generation = generation;
    }

    /// Ends the registered wait, if there is one, because it is over.
    #[inline]
    pub(crate) fn end(&mut self, unit: &Unit) {
        self.generation = 0;
        unit.phase.set(Phase::Running);
    }

    #[inline]
    pub(crate) fn until(&mut self, time_s: f64) -> Result<(), Stopped> {
        self.register()?;
        self.ctx.world.resume_at(self.ctx.unit(), time_s)
    }

    /// Returns `true` if the registered wait is over, and unregisters it.
    #[inline]
    pub(crate) fn granted(&mut self) -> bool {
        self.granted_to(self.ctx.world.unit(self.ctx.unit()))
    }

    /// Like [`Self::granted`], for callers that already have the unit's state.
    #[inline]
    pub(crate) fn granted_to(&mut self, unit: &Unit) -> bool {
        let granted = unit.granted(self.generation);
        if granted {
            self.generation = 0;
        }
        granted
    }

    #[cold]
    #[inline(never)]
    fn give_up(&self) {
        self.ctx.world.cancel(self.ctx.unit(), self.generation);
    }

    /// Reports what the process is waiting for, for the message about a deadlock.
    #[inline]
    pub(crate) fn explain(&self, wanted: impl FnOnce() -> Wanted) {
        self.ctx.world.explain(wanted);
    }
}

impl Drop for Wait<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.generation != 0 {
            self.give_up();
        }
    }
}

/// The future of [`ProcessCtx::hold`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Hold<'a> {
    wait: Wait<'a>,
    seconds: f64,
}

impl Future for Hold<'_> {
    type Output = Result<(), Stopped>;

    #[expect(clippy::inline_always, reason = "it is a few instructions")]
    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let ctx = this.wait.ctx;
        if let Some(lane) = ctx.lane() {
            return lane.hold(this.seconds);
        }
        if this.wait.generation() == 0 {
            this.wait.generation = ctx.world.hold(ctx.unit, this.seconds)?;
            ctx.world.trace_hold(ctx.unit);
            return Poll::Pending;
        }
        let unit = ctx.world.unit(ctx.unit);
        if this.wait.granted_to(unit) {
            unit.spend(Activity::Hold, this.seconds);
            ctx.world.trace_held(ctx.unit);
            return Poll::Ready(Ok(()));
        }
        this.wait.explain(|| Wanted {
            text: "its time to pass".to_owned(),
            process: None,
        });
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_and_holds_are_small() {
        assert_eq!(size_of::<ProcessCtx<'_>>(), 32);
        assert_eq!(size_of::<Hold<'_>>(), 24);
    }
}
