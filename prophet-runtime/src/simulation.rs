//! Runs the program of a model on a system.

pub(crate) mod choice;
mod devices;
mod folding;
mod limits;
mod prices;
pub(crate) mod threads;

use std::cell::Cell;
use std::iter::repeat_n;
use std::ops::Range;

use prophet_machine::changes;
use prophet_machine::system::System;
use prophet_machine::value::Value;

use crate::engine::local::{self, Abandoned};
use crate::engine::process::{ProcessCtx, ProcessProgram};
use crate::engine::repetition::Watch;
use crate::engine::{self, Extrapolations, Ranks, Values, World};
use crate::kernel::local::Local;
use crate::kernel::{
    Activity, Arena, Ended, Kernel, Ledger, Nobody, Observer, Phase, Spending as _, UNITS_MAX, Unit,
};
use crate::language::model::{Model, Parameter};
use crate::language::place::KnownPlaces;
use crate::mpi::altered::Altered;
use crate::mpi::scaled::Scaled;
use crate::nodes::accelerators::{Devices, used};
use crate::results::elements::ElementTable;
use crate::results::energy::{Meter, cost};
use crate::results::failure::{Cause, Failure};
use crate::results::outcome::{Evaluation, Outcome, ProcessOutcome, Repetition};
use crate::simulation::choice::{Engine, why_not_local};
use crate::tracing::{Trace, Tracer};

/// A model and the system that it runs on, ready to simulate.
///
/// You can run it as often as you like, and the outcome is always the same. Simulations share no
/// state, so you can run several at the same time, on any thread.
#[derive(Debug, Clone)]
pub struct Simulation<'m> {
    model: &'m Model,
    system: System,
    engine: Engine,
    scaled: Option<Scaled>,
    interpreted: bool,
    /// Whether repeated iterations are computed instead of simulated.
    repetition: bool,
    /// Whether a process can represent others.
    folding: bool,
    /// Where elements are in the model, if that is kept for longer than the simulation.
    places: Option<&'m KnownPlaces>,
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Simulation<'static>>();
};

impl<'m> Simulation<'m> {
    /// Creates a simulation of the model on this system. Parameters that the system doesn't set
    /// keep their default values.
    ///
    /// The simulation uses the event engine unless you call [`Self::with_engine`].
    pub const fn new(model: &'m Model, system: System) -> Self {
        Self {
            model,
            system,
            engine: Engine::Event,
            scaled: None,
            interpreted: false,
            repetition: false,
            folding: false,
            places: None,
        }
    }

    /// Sets the engine that runs the simulation.
    ///
    /// ```
    /// use prophet_runtime::{AllReduce, ByMachine, Engine, Model, Simulation, System};
    ///
    /// const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    /// const MODEL: Model = Model::new("Sum", &[], 1);
    /// let run = |system| {
    ///     let simulation = Simulation::new(&MODEL, system).with_engine(Engine::Auto);
    ///     simulation.run(async |ctx| SUM.execute(ctx, 8, ByMachine).await)
    /// };
    /// let evaluation = run(System::new(4, 2, 8, 1))?.evaluation;
    /// assert_eq!(evaluation.engine, "local");
    /// let evaluation = run(System::new(4, 1, 8, 1))?.evaluation;
    /// assert_eq!(evaluation.engine, "event");
    /// let why = "node 0 has 2 processes on 1 CPU";
    /// assert_eq!(evaluation.why_not_local.as_deref(), Some(why));
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Multiplies an element's own time by `factor`. Use this to find out how much time a faster
    /// element would save.
    ///
    /// An element's own time is its cost or, if the machine determines the price of its messages,
    /// the time of these messages. It includes neither waits nor what the machine charges for
    /// receives. An element with content has no time of its own. A factor of 1 changes nothing, not
    /// even the last bit.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Model, Simulation, System};
    ///
    /// const FIRST: ActionPlus = ActionPlus::new(0, "First", 1);
    /// const SECOND: ActionPlus = ActionPlus::new(1, "Second", 2);
    /// const MODEL: Model = Model::new("TwoSteps", &[], 2);
    /// let simulation = Simulation::new(&MODEL, System::default()).with_scaled(1, 0.5);
    /// let outcome = simulation.run(async |ctx| {
    ///     FIRST.execute(ctx, 1.0).await?;
    ///     SECOND.execute(ctx, 4.0).await
    /// });
    /// assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(3.0));
    /// ```
    #[must_use]
    pub fn with_scaled(mut self, element: u32, factor: f64) -> Self {
        self.scaled = Scaled::new(element, factor);
        self
    }

    /// Sets whether loop iterations that repeat earlier ones are computed instead of simulated.
    /// Only the local engine finds such iterations: see [`Repeat`](crate::Repeat).
    ///
    /// The outcome is the same as without repetition: counts are exactly equal, and times have
    /// relative rounding errors below 1e-9. The [`Evaluation`] says how many iterations were
    /// computed, or why all were simulated.
    #[must_use]
    pub fn with_repetition(mut self, repetition: bool) -> Self {
        self.repetition = repetition;
        self
    }

    /// Declares that the program is interpreted. Its closure captures the interpreted code, but
    /// since processes only read it, both engines can run the program.
    #[must_use]
    pub fn interpreted(mut self) -> Self {
        self.interpreted = true;
        self
    }

    pub(crate) fn with_places(mut self, places: &'m KnownPlaces) -> Self {
        self.places = Some(places);
        self
    }

    pub(crate) fn into_system(self) -> System {
        self.system
    }

    /// Runs `program` in each of the system's processes until all of them have ended.
    ///
    /// In the outcome, `wall_s`, `cpu_s`, and `peak_memory_bytes` are 0, because only the caller
    /// can measure them.
    ///
    /// # Errors
    ///
    /// Returns an error if the run fails, or if the system's settings contradict each other.
    pub fn run<P: ProcessProgram>(&self, program: P) -> Result<Outcome, Failure> {
        self.run_observed(&program, &mut Watching::by(&mut Nobody, None))
    }

    /// Runs like [`Self::run`], with the same outcome, and writes a trace.
    ///
    /// # Errors
    ///
    /// Returns an error if the run fails, or if the system's settings contradict each other. If the
    /// trace can't be written, only [`Trace::written`] reports it.
    pub fn run_traced<P: ProcessProgram>(
        &self,
        program: P,
        trace: &mut Trace,
    ) -> Result<Outcome, Failure> {
        self.run_observed(&program, &mut Watching::by(&mut Nobody, Some(trace)))
    }

    /// Runs like [`Self::run`], but an observer can end the run early, which makes the outcome
    /// partial.
    pub(crate) fn run_observed<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        self.folded_or(program, watching, |watching| {
            self.run_unfolded(program, watching)
        })
    }

    fn run_unfolded<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        let run = self.run_by(self.engine, program, watching);
        run.map_err(|failure| {
            let own = KnownPlaces::default();
            failure.located(self.places.unwrap_or(&own).of(self.model.map))
        })
    }

    fn run_by<P: ProcessProgram>(
        &self,
        engine: Engine,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        self.check_all(program)?;
        match engine {
            Engine::Event => self.run_events(program, watching),
            Engine::Local => self.run_local_only(program, watching),
            Engine::Auto => match self.try_local(program, watching) {
                Ok(outcome) => Ok(outcome),
                Err(why) => {
                    let mut outcome = self.run_events(program, watching)?;
                    outcome.evaluation.why_not_local = Some(why);
                    Ok(outcome)
                }
            },
        }
    }

    /// Returns an error if the simulation can't run.
    fn check_all<P: ProcessProgram>(&self, program: &P) -> Result<(), Failure> {
        self.check_run()?;
        self.check_memory(returned_bytes(&|ctx: &'static ProcessCtx<'static>| {
            program(ctx)
        }))
    }

    /// Returns an error if the simulation can't run for any reason other than a lack of memory.
    fn check_run(&self) -> Result<(), Failure> {
        self.check()?;
        prices::check(self.model, &self.system)?;
        devices::of(self.model, &self.system)?;
        Ok(())
    }

    fn run_events<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        let tracer = self.start_trace(watching);
        let ledger = self.ledger();
        let kernel = Kernel::new(&self.system, &ledger);
        let mut world = World::new(kernel, self.values(), tracer.as_ref());
        world.mpi_mut().altered = Altered::new(self.scaled, &self.system);
        world.mpi_mut().keeps_sends = self.model.waits_for_any;
        if self.repetition && !tracer.as_ref().is_some_and(Tracer::records) {
            world.mpi_mut().memoize_links();
        }
        let pids = 0..self.system.processes;
        let contexts: Vec<_> = pids.map(|pid| ProcessCtx::new(&world, pid)).collect();
        let futures = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        let mut ranks = Ranks::new(&world, &contexts, futures, watching.observer);
        // Whatever ends this function, this value is dropped before the futures.
        let _closing = Closing(&world);
        let ended = engine::run(&world, &mut ranks);
        let mut outcome = ended.map(|ended| self.outcome(&world, Engine::Event, ended));
        if let Ok(outcome) = &mut outcome {
            let why = "the event engine simulates all iterations";
            outcome.evaluation.repetition = self.repetition(None, why);
            if let Some(told) = &mut outcome.evaluation.repetition {
                told.add_phases(world.phases_on_links());
            }
        }
        if let (Some(trace), Some(tracer)) = (&mut watching.trace, &tracer) {
            let opcodes = world.values.opcodes;
            trace.end(tracer, &world, opcodes, outcome.as_ref().ok());
        }
        outcome
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(self.system.processes, self.model.elements as usize)
    }

    /// Starts the trace of a run, if there is one, and the metering of energy, if the machine
    /// describes its power.
    fn start_trace(&self, watching: &mut Watching<'_>) -> Option<Tracer> {
        let trace = watching.trace.as_mut();
        trace
            .and_then(|trace| trace.start(self.model, &self.system, &self.parameters()))
            .or_else(|| Tracer::metering(&self.system))
    }

    /// Runs the program in the local engine, with a clock for each process.
    fn run_local<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Abandoned> {
        let tracer = self.start_trace(watching);
        let ledger = self.ledger();
        let local = Local::new(0..self.system.processes);
        let kernel = Kernel::new_local(&self.system, &ledger, local);
        let mut world = World::new(kernel, self.values(), tracer.as_ref());
        world.mpi_mut().altered = Altered::new(self.scaled, &self.system);
        let pids = 0..self.system.processes;
        let contexts: Vec<_> = pids.map(|pid| ProcessCtx::new(&world, pid)).collect();
        let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        let _closing = Closing(&world);
        let why_all = self.why_all_iterations(tracer.as_ref().is_some_and(Tracer::records));
        let may_repeat = self.repetition && why_all.is_none();
        let mut watch = may_repeat.then(|| Watch::over(&world.local));
        let ended = local::run(&world, &mut arena, watching.observer, &mut watch)?;
        let mut outcome = self.outcome(&world, Engine::Local, ended);
        let why = why_all.unwrap_or_default();
        outcome.evaluation.repetition = self.repetition(watch.as_ref(), why);
        if let (Some(trace), Some(tracer)) = (&mut watching.trace, &tracer) {
            trace.end(tracer, &world, world.values.opcodes, Some(&outcome));
        }
        Ok(outcome)
    }

    /// Runs the program in the local engine if that certainly gives the same outcome.
    ///
    /// # Errors
    ///
    /// Returns the reason why it isn't certain, or an error if the run fails.
    fn try_local<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, String> {
        if let Some(why) = why_not_local(&self.system) {
            return Err(why);
        }
        if size_of::<P>() > 0 && !self.interpreted {
            return Err("processes may share the values that the program captures".to_owned());
        }
        self.run_local(program, watching)
            .map_err(|abandoned| match abandoned {
                Abandoned::Unsuited(what) => format!("the program uses {what}"),
                Abandoned::Failed => "the local run failed".to_owned(),
            })
    }

    /// Runs the program in the local engine, or reports why that is impossible. If the run fails,
    /// the event engine repeats it to report the failure.
    fn run_local_only<P: ProcessProgram>(
        &self,
        program: &P,
        watching: &mut Watching<'_>,
    ) -> Result<Outcome, Failure> {
        let unsuited =
            |why: &str| failure_of_system(format!("the local engine cannot run this: {why}"));
        if let Some(why) = why_not_local(&self.system) {
            return Err(unsuited(&why));
        }
        self.run_local(program, watching)
            .or_else(|abandoned| match abandoned {
                Abandoned::Unsuited(what) => Err(unsuited(&format!("the program uses {what}"))),
                Abandoned::Failed => match self.run_events(program, watching)? {
                    outcome if outcome.partial => Ok(outcome),
                    _ => Err(unsuited(
                        "the local run failed, but the event engine succeeded",
                    )),
                },
            })
    }

    /// Returns why all iterations of all loops must be simulated, or `None` if that isn't
    /// necessary.
    fn why_all_iterations(&self, traced: bool) -> Option<&'static str> {
        let mut laws = (0..self.system.nodes).map_while(|nid| self.system.power_of(nid));
        if laws.any(|law| law.wakes()) {
            return Some("the extra power of the first busy CPU is metered in every iteration");
        }
        if traced || self.scaled.is_some() {
            return Some("traces and what-if analyses need all iterations");
        }
        let differs = self.system.noise.differs_each_time();
        differs.then_some("noise makes each iteration different")
    }

    /// Reports the iterations that were computed, if repetition is on. Without a watch, there were
    /// none, because of `why`.
    fn repetition(&self, watch: Option<&Watch>, why: &str) -> Option<Repetition> {
        if !self.repetition {
            return None;
        }
        let mut told = Repetition::default();
        let Some(watch) = watch else {
            told.add_simulated(None, why);
            return Some(told);
        };
        told = watch.told();
        for (name, why) in self.model.simulated {
            told.add_simulated(Some((*name).to_owned()), *why);
        }
        if told == Repetition::default() {
            told.add_simulated(None, "no loop of the program can repeat");
        }
        Some(told)
    }

    fn check(&self) -> Result<(), Failure> {
        let system = &self.system;
        let problem = if system.processes == 0 {
            "there are no processes".to_owned()
        } else if system.processes > UNITS_MAX {
            format!(
                "{} processes are too many; the maximum is {UNITS_MAX}",
                system.processes
            )
        } else if system.mapping.len() != system.processes as usize {
            let (mapped, processes) = (system.mapping.len(), system.processes);
            format!("the mapping lists {mapped} processes, but the run has {processes}")
        } else if let Some(nid) = system.mapping.iter().find(|nid| **nid >= system.nodes) {
            format!(
                "a process is mapped to node {nid}, but the number of nodes is {}",
                system.nodes
            )
        } else if let Some(parameter) = self.unset().find(|it| it.is_required) {
            format!("the parameter `{}` has no value", parameter.name)
        } else if let Some(problem) = contradiction(system) {
            problem
        } else {
            return Ok(());
        };
        Err(failure_of_system(problem))
    }

    /// Returns an error if the run doesn't fit in memory. Each process takes its future and its
    /// state in the engine.
    fn check_memory(&self, future_bytes: usize) -> Result<(), Failure> {
        let own = size_of::<Unit>() + size_of::<ProcessCtx<'_>>() + size_of::<ProcessOutcome>();
        let processes = u64::from(self.system.processes);
        let need_bytes = processes.saturating_mul((own + future_bytes) as u64);
        let Some(shortage) = limits::shortage(need_bytes) else {
            return Ok(());
        };
        let need = need_bytes >> 20;
        Err(failure_of_system(format!(
            "{processes} processes need at least {need} MiB of memory, but {shortage}; use fewer \
             processes or more memory"
        )))
    }

    fn values(&self) -> Values {
        let opcodes = self.model.opcodes;
        let values = Values {
            parameters: self.parameters(),
            opcodes,
            prices_s: vec![Cell::new(f64::NAN); opcodes.len()],
            // Models with devices that can't be simulated have been rejected by now.
            devices: devices::of(self.model, &self.system).unwrap_or_default(),
        };
        values.set_prices(&self.system.prices);
        values
    }

    fn parameters(&self) -> Vec<Value> {
        let given = self.system.parameters.iter().copied();
        let unset = self.unset().map(|parameter| parameter.default);
        given.chain(unset).collect()
    }

    /// Returns the parameters that the system doesn't set.
    fn unset(&self) -> impl Iterator<Item = &Parameter> {
        let given = self.system.parameters.len();
        self.model.parameters.iter().skip(given)
    }

    fn outcome(&self, world: &World<'_>, engine: Engine, ended: Ended) -> Outcome {
        let processes = Self::processes(world, 0..self.system.processes);
        let found = Found {
            devices: world.take_devices(end_s(&processes)),
            processes,
            folded: None,
            classes: Vec::new(),
            elements: world.elements,
            meter: world.tracer.and_then(Tracer::meter),
            extrapolations: &world.extrapolations,
            cpus_wanted: world.cpus.wanted(),
            has_drawn: world.streams.are_drawn(),
            messages: world.messages(),
            ended,
        };
        self.outcome_of(found, engine)
    }

    fn processes(world: &World<'_>, pids: Range<u32>) -> Vec<ProcessOutcome> {
        let process = |pid: u32| {
            let unit = world.unit(world.local.place(pid));
            let has_ended = unit.phase.get() == Phase::Ended;
            ProcessOutcome {
                pid,
                nid: world.nid(pid),
                end_s: if has_ended {
                    unit.latest_s.get()
                } else {
                    world.now_of(pid)
                },
                compute_s: unit.spent_s(Activity::Compute),
                communication_s: unit.spent_s(Activity::Communicate),
                wait_s: unit.spent_s(Activity::Wait),
                hold_s: unit.spent_s(Activity::Hold),
            }
        };
        pids.map(process).collect()
    }

    fn outcome_of(&self, found: Found<'_>, engine: Engine) -> Outcome {
        let Found {
            processes,
            folded,
            classes,
            elements,
            devices,
            meter,
            extrapolations,
            cpus_wanted,
            has_drawn,
            messages,
            ended,
        } = found;
        let ends_s = processes.iter().map(|process| process.end_s);
        let all_s = if classes.is_empty() {
            let each = folded.map_or(1, |ranks| ranks as usize);
            ends_s.flat_map(|end_s| repeat_n(end_s, each)).sum()
        } else {
            // In the order of the ranks, as if there were no classes.
            let each_s = classes.iter().map(|class| processes[*class as usize].end_s);
            each_s.sum()
        };
        let predicted_time_s = end_s(&processes);
        let several = (!classes.is_empty()).then_some(processes.len());
        let system = &self.system;
        let accelerators = used(system, devices, predicted_time_s);
        let energy = meter.map(|it| it.energy(system, elements, &accelerators, predicted_time_s));
        let cost = { system.tariff.as_ref() }
            .map(|tariff| cost(tariff, energy.as_ref(), system.nodes, predicted_time_s));
        Outcome {
            predicted_time_s,
            partial: ended.early,
            classes,
            processes,
            elements: elements.outcomes(all_s),
            accelerators,
            energy,
            cost,
            extrapolations: extrapolations.told(),
            cpus_wanted,
            is_random: has_drawn || system.noise.is_random(),
            replications: None,
            evaluation: Evaluation {
                engine: engine.name().into(),
                threads: 1,
                folded,
                // There can't be more than there are processes.
                simulated: several.and_then(|count| u32::try_from(count).ok()),
                evaluated: if self.interpreted {
                    "interpreted".into()
                } else {
                    "native".into()
                },
                events: ended.events,
                messages,
                ..Evaluation::default()
            },
        }
    }
}

fn end_s(processes: &[ProcessOutcome]) -> f64 {
    let ends_s = processes.iter().map(|process| process.end_s);
    ends_s.fold(0.0, f64::max)
}

struct Found<'f> {
    processes: Vec<ProcessOutcome>,
    /// Number of processes that one process represents, or `None` if each was simulated.
    folded: Option<u32>,
    /// For each process, the index in `processes` of the process that represents it. Empty unless
    /// several processes represent all others.
    classes: Vec<u32>,
    elements: &'f ElementTable,
    devices: Devices,
    meter: Option<&'f Meter>,
    extrapolations: &'f Extrapolations,
    cpus_wanted: u32,
    has_drawn: bool,
    messages: u64,
    ended: Ended,
}

/// Returns the size of what a function returns, in bytes.
fn returned_bytes<C, R>(_: &impl Fn(C) -> R) -> usize {
    size_of::<R>()
}

/// Describes a contradiction in the system or its changes, if there is one.
fn contradiction(system: &System) -> Option<String> {
    system
        .contradiction()
        .or_else(|| changes::contradiction(system))
}

fn failure_of_system(problem: String) -> Failure {
    Failure {
        time_s: 0.0,
        process: None,
        thread: None,
        element: None,
        cause: Box::new(Cause::System(problem)),
    }
}

pub(crate) struct Watching<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) trace: Option<&'a mut Trace>,
    /// The index of an element whose own time is changed, and the factor. Used when the simulation
    /// is created.
    pub(crate) scaled: Option<(u32, f64)>,
    /// CPU time of all other threads of the run, in seconds.
    pub(crate) others_cpu_s: f64,
}

impl<'a> Watching<'a> {
    pub(crate) fn by(observer: &'a mut dyn Observer, trace: Option<&'a mut Trace>) -> Self {
        Self {
            observer,
            trace,
            scaled: None,
            others_cpu_s: 0.0,
        }
    }
}

/// Closes the world when it is dropped. From then on, futures are only dropped.
struct Closing<'a>(&'a World<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
