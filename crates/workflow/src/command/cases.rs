//! Predicts a workflow with every requested scheduler on every requested machine.

use prophet_result::PredictedRange;
use prophet_runtime::WallClock;
use prophet_sim::statistics::{Interval, Tally};
use prophet_text::Problem;

use super::flags::{self, Arguments};
use super::subject::Subject;
use crate::schedulers::{AsRecorded, NAMES, Planned, by_name};
use crate::wfformat::Instance;
use crate::{
    NotPredicted, Scheduler, WhatIf, WorkflowFailure, WorkflowMachine, WorkflowPrediction, quoted,
    schedule_file, simulate, text_file, what_if,
};

const LEVEL: f64 = 0.95;
const LARGEST_BYTES: u64 = 1 << 30;
const TWICE_AS_FAST: f64 = 0.5;

#[derive(Debug)]
pub(super) struct Case {
    pub(super) scheduler: String,
    pub(super) machine: WorkflowMachine,
    /// Index of the replication in `prediction`: the first one in which the workflow succeeds.
    pub(super) replication: usize,
    pub(super) prediction: WorkflowPrediction,
    /// Makespans of all replications in which the workflow succeeds.
    pub(super) makespans: Tally,
    pub(super) failures: u64,
    pub(super) what_ifs: Vec<WhatIf>,
    /// How long the simulations took, in real seconds.
    pub(super) wall_s: f64,
    /// The makespans with the engine's shortest and longest delays, computed on request.
    pub(super) range: Option<PredictedRange>,
}

impl Case {
    pub(super) fn replications(&self) -> u64 {
        self.makespans.count() + self.failures
    }

    /// Returns the makespan; with several seeds, their mean.
    pub(super) fn makespan_s(&self) -> f64 {
        if self.makespans.count() > 1 {
            self.makespans.mean()
        } else {
            self.prediction.makespan_s()
        }
    }

    /// Returns the confidence interval of the mean; `None` without several seeds.
    pub(super) fn interval(&self) -> Option<Interval> {
        self.makespans.interval(LEVEL)
    }
}

pub(super) fn cases(arguments: &Arguments, subject: &Subject) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for machine in arguments.machines(subject.first(), subject.is_random())? {
        for name in arguments.schedulers(subject.first())? {
            cases.push(case(arguments, subject, machine.clone(), name)?);
        }
    }
    Ok(cases)
}

fn case(
    arguments: &Arguments,
    subject: &Subject,
    mut machine: WorkflowMachine,
    name: String,
) -> Result<Case, Problem> {
    let watch = WallClock::start();
    let mut first = None;
    let mut failure = None;
    let (mut makespans, mut failures) = (Tally::default(), 0);
    for (replication, seed) in arguments.seeds().enumerate() {
        machine.seed = seed;
        let instance = subject.of(replication);
        let mut scheduler = scheduler(arguments, &name, instance, &machine)?;
        match simulate(&instance.workflow, &machine, &mut *scheduler) {
            Ok(prediction) => {
                makespans.record(prediction.makespan_s());
                first = first.or(Some((replication, seed, prediction)));
            }
            Err(NotPredicted::Failed(why)) => {
                failures += 1;
                failure.get_or_insert(why);
            }
            Err(NotPredicted::Wrong(problem)) => return Err(problem),
        }
    }
    let Some((replication, seed, prediction)) = first else {
        let failure = failure.expect("a seed gives a prediction or a failure");
        return Err(always_fails(failure, failures));
    };
    machine.seed = seed;
    let what_ifs = if arguments.what_if || arguments.report.is_some() {
        let instance = subject.of(replication);
        let mut again = || scheduler(arguments, &name, instance, &machine);
        let workflow = &instance.workflow;
        what_if(workflow, &machine, &prediction, TWICE_AS_FAST, &mut again)?
    } else {
        Vec::new()
    };
    Ok(Case {
        scheduler: name,
        machine,
        replication,
        prediction,
        makespans,
        failures,
        what_ifs,
        wall_s: watch.wall_s(),
        range: None,
    })
}

/// Returns the makespans with the shortest and the longest delay of the workflow engine; `None` if
/// the delays are unknown.
pub(super) fn range(
    arguments: &Arguments,
    subject: &Subject,
    case: &Case,
) -> Result<Option<PredictedRange>, Problem> {
    let machine = &case.machine;
    let Some((engine, machines)) = machine.queues[0].engine.zip(machine.extremes()) else {
        return Ok(None);
    };
    let instance = subject.of(case.replication);
    let mut ends_s = [case.makespan_s(); 2];
    for machine in machines {
        let mut scheduler = scheduler(arguments, &case.scheduler, instance, &machine)?;
        let makespan_s = simulate(&instance.workflow, &machine, &mut *scheduler)?.makespan_s();
        ends_s = [ends_s[0].min(makespan_s), ends_s[1].max(makespan_s)];
    }
    Ok(Some(PredictedRange {
        from_s: ends_s[0],
        to_s: ends_s[1],
        source: format!(
            "the delays of {} executions with {}",
            engine.executions, engine.name
        ),
    }))
}

fn always_fails(failure: WorkflowFailure, replications: u64) -> Problem {
    let mut problem = Problem::from(NotPredicted::Failed(failure));
    if replications > 1 {
        problem.message = format!("all {replications} replications fail; {}", problem.message);
    }
    problem
}

fn scheduler(
    arguments: &Arguments,
    name: &str,
    instance: &Instance,
    machine: &WorkflowMachine,
) -> Result<Box<dyn Scheduler>, Problem> {
    if let Some(path) = &arguments.schedule {
        let text = text_file::read(path, LARGEST_BYTES);
        let plan = text.and_then(|it| schedule_file::parse(&it, &instance.workflow, machine));
        let plan = plan.map_err(|it| it.in_file(text_file::shown(path)))?;
        return Ok(Box::new(Planned::new(plan)));
    }
    if name == flags::RECORDED {
        let hosts = instance.recorded_hosts().ok_or_else(|| {
            let what = "the recording does not say on which hosts tasks ran";
            Problem::with_help(
                what,
                "Choose another scheduler, such as `--scheduler fcfs`.",
            )
        })?;
        return Ok(Box::new(AsRecorded::new(hosts)));
    }
    by_name(name).ok_or_else(|| {
        let names = || NAMES.iter().map(|it| it.0);
        let meant = prophet_text::did_you_mean(name, names());
        let what = format!("unknown scheduler {}{meant}", quoted(name));
        let names: Vec<_> = names().collect();
        Problem::with_help(what, format!("Choose one of {}.", names.join(", ")))
    })
}
