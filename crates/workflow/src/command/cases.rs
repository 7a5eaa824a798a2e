//! Predictions by all schedulers on all machines that are asked for.

use prophet_sim::statistics::{Interval, Tally};

use super::flags::{self, Arguments};
use crate::schedulers::{AsRecorded, NAMES, Planned, by_name};
use crate::wfformat::Instance;
use crate::{
    HostId, Machine, Prediction, Problem, Scheduler, WhatIf, quoted, schedule_file, simulate,
    text_file, what_if,
};

/// Level of the intervals of makespans.
const LEVEL: f64 = 0.95;
/// The largest schedule that is read.
const LARGEST_BYTES: u64 = 1 << 30;
/// Factor of costs that are asked about.
const TWICE_AS_FAST: f64 = 0.5;

/// One prediction of an instance.
pub(super) struct Case {
    pub(super) scheduler: String,
    pub(super) machine: Machine,
    /// The prediction with the first seed.
    pub(super) prediction: Prediction,
    /// Makespans with all seeds.
    pub(super) makespans: Tally,
    pub(super) what_ifs: Vec<WhatIf>,
}

impl Case {
    /// The makespan, or the mean of all seeds.
    pub(super) fn makespan_s(&self) -> f64 {
        if self.makespans.count() > 1 {
            self.makespans.mean()
        } else {
            self.prediction.makespan_s()
        }
    }

    /// The interval of the mean, with several seeds.
    pub(super) fn interval(&self) -> Option<Interval> {
        self.makespans.interval(LEVEL)
    }
}

/// Predicts each case.
pub(super) fn cases(arguments: &Arguments, instance: &Instance) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for machine in arguments.machines(instance)? {
        for name in arguments.schedulers(instance)? {
            cases.push(case(arguments, instance, machine.clone(), name)?);
        }
    }
    Ok(cases)
}

fn case(
    arguments: &Arguments,
    instance: &Instance,
    mut machine: Machine,
    name: String,
) -> Result<Case, Problem> {
    let workflow = &instance.workflow;
    let make = |machine: &Machine| scheduler(arguments, &name, instance, machine);
    let mut first = None;
    let mut makespans = Tally::default();
    for seed in arguments.seeds() {
        machine.seed = seed;
        let prediction = simulate(workflow, &machine, &mut *make(&machine)?)?;
        makespans.record(prediction.makespan_s());
        first = first.or(Some((seed, prediction)));
    }
    let (seed, prediction) = first.expect("there is a seed");
    machine.seed = seed;
    let what_ifs = if arguments.what_if || arguments.report.is_some() {
        let mut again = || make(&machine);
        what_if(workflow, &machine, &prediction, TWICE_AS_FAST, &mut again)?
    } else {
        Vec::new()
    };
    Ok(Case {
        scheduler: name,
        machine,
        prediction,
        makespans,
        what_ifs,
    })
}

fn scheduler(
    arguments: &Arguments,
    name: &str,
    instance: &Instance,
    machine: &Machine,
) -> Result<Box<dyn Scheduler>, Problem> {
    if let Some(path) = &arguments.schedule {
        let text = text_file::read(path, LARGEST_BYTES);
        let plan = text.and_then(|it| schedule_file::parse(&it, &instance.workflow, machine));
        let plan = plan.map_err(|it| it.in_file(text_file::shown(path)))?;
        return Ok(Box::new(Planned::new(plan)));
    }
    if name == flags::RECORDED {
        let hosts = recorded_hosts(instance).ok_or_else(|| {
            let what = "the hosts of the tasks are not recorded";
            Problem::new(what, "Take another scheduler, such as `--scheduler fcfs`.")
        })?;
        return Ok(Box::new(AsRecorded::new(hosts)));
    }
    by_name(name).ok_or_else(|| {
        let names = || NAMES.iter().map(|it| it.0);
        let meant = prophet_text::did_you_mean(name, names());
        let what = format!("there is no scheduler {}{meant}", quoted(name));
        let names: Vec<_> = names().collect();
        Problem::new(what, format!("Take one of {}.", names.join(", ")))
    })
}

/// The recorded host of each task, where all are recorded.
pub(super) fn recorded_hosts(instance: &Instance) -> Option<Vec<HostId>> {
    let hosts = &instance.recorded.as_ref()?.hosts;
    hosts.iter().map(|it| it.map(HostId)).collect()
}
