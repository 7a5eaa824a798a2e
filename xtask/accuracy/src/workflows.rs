//! Recorded workflows: makespans from the tasks' measured times, on the recorded machines.

use std::fmt::Write as _;

use prophet_workflow::schedulers::{AsRecorded, Fcfs};
use prophet_workflow::wfformat::{Document, Instance};
use prophet_workflow::{HostId, Machine, Queue, Scheduler, simulate};

use crate::{Errors, Found, Other, Places, Row};

/// The instances, by their files.
const INSTANCES: [&str; 7] = [
    "helloworld__helloworld-chain-5-chameleon",
    "helloworld__helloworld-forkjoin-10-chameleon",
    "makeflow__blast__blast-chameleon-small-001",
    "nextflow__bacass-dirt02-001",
    "pegasus__1000genome__1000genome-chameleon-2ch-100k-001",
    "pegasus__montage__montage-chameleon-dss-05d-001",
    "pegasus__srasearch__srasearch-chameleon-10a-001",
];

/// Least time between two negotiation cycles of `HTCondor`, to which Pegasus gives its tasks: the
/// manual of `condor_reschedule`. It is fitted to nothing.
const CYCLE_S: f64 = 20.0;

/// Predictions of an execution.
struct Makespans {
    name: &'static str,
    recorded_s: f64,
    /// As `run` predicts it.
    predicted_s: f64,
    /// By first come, first served on all machines.
    list_s: f64,
    /// With the cycle of the queue, for what Pegasus executed.
    cycle_s: Option<f64>,
}

/// The figures of the case.
///
/// # Errors
///
/// The reason why an instance can't be read or predicted.
pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let all = INSTANCES.iter().map(|name| makespans(places, name));
    let all = all.collect::<Result<Vec<_>, String>>()?;
    let source = "WfInstances of WfCommons";
    let fitted = "nothing: the tasks' measured times";
    let pairs = |by: fn(&Makespans) -> f64| {
        let pairs = all.iter().map(|it| (by(it), it.recorded_s));
        Errors::new(pairs).mean_percent()
    };
    let list = |mean| Other {
        name: "plain list schedule",
        mean,
    };
    let predicted = Errors::new(all.iter().map(|it| (it.predicted_s, it.recorded_s)));
    let with_cycle = || all.iter().filter_map(|it| Some((it.cycle_s?, it)));
    let cycles = Errors::new(with_cycle().map(|(seconds, it)| (seconds, it.recorded_s)));
    let lists = Errors::new(with_cycle().map(|(_, it)| (it.list_s, it.recorded_s)));
    let rows = vec![
        Row {
            source,
            fitted,
            naive: Some(list(pairs(|it| it.list_s))),
            ..Row::new("makespans, as recorded", &predicted)
        },
        Row {
            source,
            fitted,
            naive: Some(list(lists.mean_percent())),
            ..Row::new(
                "the workflows of Pegasus, with HTCondor's cycle of 20 s",
                &cycles,
            )
        },
    ];
    Ok(Found {
        rows,
        details: details(&all),
    })
}

fn details(all: &[Makespans]) -> String {
    let mut text = "\
| execution | recorded | as `run` predicts it | | plain list schedule | | with a cycle of 20 s | |
|---|---|---|---|---|---|---|---|
"
    .to_owned();
    for it in all {
        let cell = |seconds: f64| {
            let error = 100.0 * (seconds / it.recorded_s - 1.0);
            format!("{} | {error:+.1} %", prophet_text::short_time(seconds))
        };
        writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            it.name,
            prophet_text::short_time(it.recorded_s),
            cell(it.predicted_s),
            cell(it.list_s),
            it.cycle_s.map_or(" | ".to_owned(), cell)
        )
        .expect("it is text");
    }
    text
}

fn makespans(places: &Places, name: &'static str) -> Result<Makespans, String> {
    let wrong = |problem: String| format!("{name}: {problem}");
    let text = places.measurements(&format!("workflows/{name}.json"))?;
    let document = Document::parse(&text).map_err(|it| wrong(it.to_string()))?;
    let instance = document.instance().map_err(|it| wrong(format!("{it:?}")))?;
    let recorded = instance.recorded.as_ref();
    let recorded = recorded.ok_or_else(|| wrong("no execution is recorded".to_owned()))?;
    let machine = recorded.machine.clone();
    let machine = machine.ok_or_else(|| wrong("no machine is recorded".to_owned()))?;
    let mut cycled = machine.clone();
    cycled.queues[0] = Queue {
        cycle_s: CYCLE_S,
        ..Queue::default()
    };
    let by = |machine: &Machine, mut scheduler: Box<dyn Scheduler>| {
        let prediction = simulate(&instance.workflow, machine, &mut *scheduler);
        let makespan_s = prediction.map(|it| it.makespan_s());
        makespan_s.map_err(|it| wrong(it.to_string()))
    };
    let is_pegasus = instance.engine.as_deref() == Some("Pegasus");
    Ok(Makespans {
        name: name.rsplit("__").next().unwrap_or(name),
        recorded_s: recorded.makespan_s,
        predicted_s: by(&machine, usual(&instance))?,
        list_s: by(&machine, Box::<Fcfs>::default())?,
        cycle_s: is_pegasus
            .then(|| by(&cycled, usual(&instance)))
            .transpose()?,
    })
}

/// The scheduler that `run` takes: tasks on their recorded hosts, where all are recorded.
fn usual(instance: &Instance) -> Box<dyn Scheduler> {
    let recorded = instance.recorded.iter().flat_map(|it| &it.hosts);
    let hosts: Option<Vec<HostId>> = recorded.map(|it| it.map(HostId)).collect();
    match hosts {
        Some(hosts) => Box::new(AsRecorded::new(hosts)),
        None => Box::<Fcfs>::default(),
    }
}
