//! Runs a simulation on several threads, each of which has a block of ranks with all their state.
//!
//! At the end, the results of the threads are combined: sums are added without rounding, and the
//! results of processes are simply put together. If any thread can't continue, a single thread
//! repeats the run, so the results never depend on the number of threads.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, Builder};

use super::choice::{Jobs, why_not_local};
use super::{Closing, Found, Simulation, Watching};
use crate::engine::local::{self, Abandoned};
use crate::engine::process::{ProcessCtx, ProcessProgram};
use crate::engine::{Extrapolations, World};
use crate::kernel::local::{Abroad, Division, Leaving, Local, Shared};
use crate::kernel::{Arena, EXCESS_MAX, Ended, Kernel, Nobody, Observer};
use crate::mpi::altered::Altered;
use crate::mpi::collectives::Meetings;
use crate::mpi::contents::VALUES;
use crate::nodes::accelerators::Devices;
use crate::results::elements::ElementTable;
use crate::results::energy::Meter;
use crate::results::failure::Failure;
use crate::results::outcome::{Outcome, ProcessOutcome};
use crate::simulation::choice::Engine;
use crate::tracing::Tracer;

/// The stack size of a thread in bytes, which is what a program's first thread usually has.
const STACK_BYTES: usize = 8 << 20;

/// Why a run in the event engine uses only one thread.
const BY_EVENTS: &str = "the event engine uses one";

struct Part {
    processes: Vec<ProcessOutcome>,
    elements: ElementTable,
    devices: Devices,
    meter: Option<Meter>,
    extrapolations: Extrapolations,
    has_drawn: bool,
    messages: u64,
    /// Number of steps beyond [`STEPS_FREE`](crate::kernel::local::STEPS_FREE).
    excess: u64,
    ended: Ended,
    /// The thread's CPU time in seconds, unless it is measured elsewhere.
    cpu_s: f64,
}

#[derive(Debug)]
struct Divided {
    shared: Arc<Shared>,
    meetings: Arc<Meetings>,
    division: Division,
}

impl Divided {
    fn new(division: Division) -> Self {
        Self {
            shared: Arc::new(Shared::new(division)),
            meetings: Arc::new(Meetings::new(division.threads() as usize)),
            division,
        }
    }

    fn local(&self, thread: u32) -> Local {
        let shared = Arc::clone(&self.shared);
        Local::divided(Abroad::new(shared, self.division, thread))
    }
}

impl Simulation<'_> {
    /// Runs like [`Self::run`], but on up to `threads` threads, each with a part of the processes.
    /// The outcome is the same, except that its [`Evaluation`](crate::Evaluation) contains the
    /// number of threads.
    ///
    /// Only the local engine can use several threads, so choose [`Engine::Auto`] or
    /// [`Engine::Local`]. If a run still uses only one thread, the outcome says why.
    ///
    /// ```
    /// use std::num::NonZero;
    ///
    /// use prophet_runtime::{AllReduce, ByMachine, Engine, Model, Simulation, System};
    ///
    /// const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    /// const MODEL: Model = Model::new("Sum", &[], 1);
    /// let simulation = Simulation::new(&MODEL, System::new(64, 1, 64, 1));
    /// let simulation = simulation.with_engine(Engine::Auto);
    /// let two = NonZero::new(2).unwrap();
    /// let outcome = simulation
    ///     .run_on(two, async |ctx| SUM.execute(ctx, 8, ByMachine).await)?;
    /// assert_eq!(outcome.evaluation.threads, 2);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::run`].
    pub fn run_on<P: ProcessProgram + Sync>(
        &self,
        threads: NonZero<u32>,
        program: P,
    ) -> Result<Outcome, Failure> {
        self.run_jobs(
            Jobs::Of(threads),
            &program,
            &mut Watching::by(&mut Nobody, None),
        )
    }

    /// Runs like [`Self::run_observed`], on as many threads as `jobs` asks for and the run allows.
    pub(crate) fn run_jobs<P: ProcessProgram + Sync>(
        &self,
        jobs: Jobs,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        let division = Division::new(self.system.processes, jobs.threads(self.system.processes));
        if division.threads() == 1 {
            return self.run_observed(program, watching);
        }
        self.folded_or(program, watching, |watching| {
            self.run_divided(division, program, watching)
        })
    }

    /// Runs all processes, on several threads if the run allows that.
    fn run_divided<P: ProcessProgram + Sync>(
        &self,
        division: Division,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        let why = match self.why_one_thread(size_of::<P>(), watching) {
            Some(why) => Some(why),
            None => match self.try_threads(division, program, watching) {
                Ok(outcome) => return Ok(outcome),
                Err(why) => why,
            },
        };
        let mut outcome = self.run_unfolded(program, watching)?;
        let evaluation = &mut outcome.evaluation;
        let by_events = (evaluation.engine == Engine::Event.name()).then_some(BY_EVENTS);
        evaluation.why_one_thread = by_events.or(why).map(str::to_owned);
        Ok(outcome)
    }

    /// Returns why the program must run on a single thread, if that is known before the run.
    fn why_one_thread(&self, captured: usize, watching: &Watching<'_>) -> Option<&'static str> {
        let is_local = self.engine == Engine::Local
            || self.engine == Engine::Auto && (captured == 0 || self.interpreted);
        if !is_local || why_not_local(&self.system).is_some() {
            return Some(BY_EVENTS);
        }
        if watching.trace.is_some() {
            return Some("traces use one");
        }
        if self.scaled.is_some() {
            return Some("what-if analyses use one");
        }
        let repeats = self.repetition && self.why_all_iterations(false).is_none();
        repeats.then_some("finding repetition uses one")
    }

    /// Runs the program on several threads.
    ///
    /// # Errors
    ///
    /// Returns the reason why a single thread must repeat the run, if it is known.
    fn try_threads<P: ProcessProgram + Sync>(
        &self,
        division: Division,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Option<&'static str>> {
        // The failure will be found again.
        self.check_all(program).map_err(|_| None)?;
        let divided = Divided::new(division);
        let run = |thread: u32, observer: &mut dyn Observer| {
            let _leaving = Leaving(&divided.shared);
            self.run_part(program, (&divided, thread), observer)
        };
        let parts: Option<Vec<_>> = thread::scope(|scope| {
            // If this function returns early, threads that have started are ended.
            let _leaving = Leaving(&divided.shared);
            let mut others = Vec::new();
            for number in 1..division.threads() {
                let builder = Builder::new().stack_size(STACK_BYTES);
                let work = move || run(number, &mut Nobody);
                others.push(builder.spawn_scoped(scope, work).ok()?);
            }
            let first = run(0, watching.observer);
            let mut parts = vec![first];
            for other in others {
                let joined = other.join();
                parts.push(joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            Some(parts)
        });
        let parts = parts.ok_or(Some("the system does not allow more"))?;
        let carries =
            |part: &Result<Part, Abandoned>| matches!(part, Err(Abandoned::Unsuited(VALUES)));
        let why = parts.iter().any(carries).then_some("messages carry values");
        let parts: Option<Vec<Part>> = parts.into_iter().map(Result::ok).collect();
        let parts = parts.ok_or(why)?;
        watching.others_cpu_s = parts.iter().skip(1).map(|part| part.cpu_s).sum();
        let joined = self.joined(parts, division);
        joined.ok_or(Some("the results of several threads do not match"))
    }

    /// Combines the parts of a run into its outcome. Returns `None` if the parts don't match.
    fn joined(&self, parts: Vec<Part>, division: Division) -> Option<Outcome> {
        let mut parts = parts.into_iter();
        let mut all = parts.next()?;
        for part in parts {
            all.processes.extend(part.processes);
            if !all.elements.add(&part.elements) {
                return None;
            }
            all.devices.extend(part.devices);
            if let (Some(all), Some(more)) = (&all.meter, part.meter) {
                all.add_all(more);
            }
            all.extrapolations.add(&part.extrapolations);
            all.has_drawn |= part.has_drawn;
            all.messages += part.messages;
            all.excess += part.excess;
            all.ended.events += part.ended.events;
            all.ended.early |= part.ended.early;
        }
        if all.excess > EXCESS_MAX {
            return None;
        }
        let found = Found {
            processes: all.processes,
            folded: None,
            classes: Vec::new(),
            elements: &all.elements,
            devices: all.devices,
            meter: all.meter.as_ref(),
            extrapolations: &all.extrapolations,
            // Each process has a CPU of its own.
            cpus_wanted: 0,
            has_drawn: all.has_drawn,
            messages: all.messages,
            ended: all.ended,
        };
        let mut outcome = self.outcome_of(found, Engine::Local);
        outcome.evaluation.threads = division.threads();
        let why = self.why_all_iterations(false).unwrap_or_default();
        outcome.evaluation.repetition = self.repetition(None, why);
        Some(outcome)
    }

    fn run_part<P: ProcessProgram>(
        &self,
        program: &P,
        (divided, thread): (&Divided, u32),
        observer: &mut dyn Observer,
    ) -> Result<Part, Abandoned> {
        let block = divided.division.block(thread);
        let ledger = self.ledger();
        let kernel = Kernel::new_local(&self.system, &ledger, divided.local(thread));
        let tracer = Tracer::metering(&self.system);
        let mut world = World::new(kernel, self.values(), tracer.as_ref());
        world.mpi_mut().altered = Altered::new(self.scaled, &self.system);
        world.mpi_mut().meetings = Some(Arc::clone(&divided.meetings));
        let contexts: Vec<_> = block
            .clone()
            .map(|pid| ProcessCtx::new(&world, pid))
            .collect();
        let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        let closing = Closing(&world);
        let ended = local::run(&world, &mut arena, observer, &mut None)?;
        let processes = Self::processes(&world, block);
        drop(closing);
        drop(arena);
        drop(contexts);
        let (messages, excess) = (world.messages(), world.local.excess.get());
        let has_drawn = world.streams.are_drawn();
        let (devices, extrapolations) = (world.take_devices(0.0), world.extrapolations.clone());
        drop(world);
        Ok(Part {
            processes,
            elements: ledger.into_elements(),
            devices,
            meter: tracer.and_then(Tracer::into_meter),
            extrapolations,
            has_drawn,
            messages,
            excess,
            ended,
            cpu_s: thread_cpu_s(),
        })
    }
}

/// Returns the CPU time of this thread in seconds, or 0 if the system doesn't report it.
pub(crate) fn thread_cpu_s() -> f64 {
    // The system updates this time when it switches threads.
    thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next();
    let nanoseconds = nanoseconds.and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) * 1e-9
}
