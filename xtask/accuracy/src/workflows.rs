//! Predicts the makespans of recorded workflows on the recorded machines, using the measured times
//! of the tasks.

use std::fmt::Write as _;

use prophet_workflow::schedulers::{AsRecorded, Fcfs};
use prophet_workflow::wfformat::{Document, Instance};
use prophet_workflow::{Group, Scheduler, WorkflowMachine, simulate};

use crate::sealed::Sealed;
use crate::{Errors, Found, Other, Places, Row};

/// Instances by file, each with what limits its prediction according to `WfInstances`.
const INSTANCES: [(&str, &str); 7] = [
    ("helloworld__helloworld-chain-5-chameleon", ""),
    ("helloworld__helloworld-forkjoin-10-chameleon", ""),
    (
        "makeflow__blast__blast-chameleon-small-001",
        "identical runs took 903–1987 s",
    ),
    ("nextflow__bacass-dirt02-001", "all schedules are equal"),
    (
        "pegasus__1000genome__1000genome-chameleon-2ch-100k-001",
        "noise: 12 chromosomes ran faster than 10",
    ),
    (
        "pegasus__montage__montage-chameleon-dss-05d-001",
        "delays were below the mean",
    ),
    (
        "pegasus__srasearch__srasearch-chameleon-10a-001",
        "similar runs took 1.7–3.5 longest paths",
    ),
];

struct Makespans {
    name: &'static str,
    limit: &'static str,
    /// NaN before all executions are predicted.
    recorded_s: f64,
    /// The longest path, or all work divided by all cores; no schedule is shorter.
    shortest_s: f64,
    /// Sum of all tasks' times. In a longer makespan, there are times when no task runs.
    work_s: f64,
    /// As `run` predicts it.
    predicted_s: f64,
    /// With the engine's shortest and longest delays, if known.
    range_s: Option<[f64; 2]>,
    /// With first come, first served on all machines.
    list_s: f64,
    is_pegasus: bool,
}

/// Computes the figures of this case.
///
/// # Errors
///
/// Returns an error with the reason if an instance can't be read or predicted.
pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let all = INSTANCES.iter().map(|it| makespans(places, it));
    let mut all = all.collect::<Result<Vec<_>, String>>()?;
    let ways: [fn(&Makespans) -> f64; 2] = [|it| it.predicted_s, |it| it.list_s];
    let [ours, list] = ways.map(|of| all.iter().map(of).collect::<Vec<f64>>());
    let sealed = Sealed::new("Workflows", all.len(), |row| {
        let instance = read(places, INSTANCES[row].0).ok()?;
        Some(instance.recorded?.makespan_s)
    });
    let recorded = sealed.open(places, ["run", "plain list"], [&ours, &list])?;
    for (makespans, recorded_s) in all.iter_mut().zip(recorded) {
        makespans.recorded_s = recorded_s;
    }
    let row = |predicted, all: &[&Makespans]| {
        let errors =
            |by: fn(&Makespans) -> f64| Errors::new(all.iter().map(|it| (by(it), it.recorded_s)));
        let list = Other {
            name: "plain list schedule",
            mean: errors(|it| it.list_s).mean_percent(),
        };
        Row {
            source: "WfCommons (WfInstances)",
            fitted: "other executions (a delay)",
            naive: Some(list),
            ..Row::new(predicted, &errors(|it| it.predicted_s))
        }
    };
    let pegasus: Vec<&Makespans> = all.iter().filter(|it| it.is_pegasus).collect();
    let rows = vec![
        row(
            "makespans on the recorded machines",
            &all.iter().collect::<Vec<_>>(),
        ),
        row("Pegasus workflows, with its engine", &pegasus),
    ];
    Ok(Found {
        rows,
        details: details(&all),
    })
}

fn details(all: &[Makespans]) -> String {
    let mut text = "\
| execution | recorded | shortest | one after another | predicted | 90 % range | plain list \
| what limits the prediction |
|---|---|---|---|---|---|---|---|
"
    .to_owned();
    for it in all {
        let [recorded, shortest, work, predicted] =
            [it.recorded_s, it.shortest_s, it.work_s, it.predicted_s].map(prophet_text::short_time);
        let error = |seconds: f64| 100.0 * (seconds / it.recorded_s - 1.0);
        let [error, list] = [it.predicted_s, it.list_s].map(error);
        let (name, limit) = (it.name, it.limit);
        let range = it.range_s.map_or(String::new(), |it| {
            let [from, to] = it.map(prophet_text::short_time);
            format!("{from} to {to}")
        });
        writeln!(
            text,
            "| {name} | {recorded} | {shortest} | {work} | {predicted}, {error:+.1} % | {range} | \
             {list:+.1} % | {limit} |"
        )
        .expect("it is text");
    }
    let held = all.iter().filter(|it| it.is_held()).count();
    writeln!(
        text,
        "\nThe range contains {held} of the {} makespans.",
        all.len()
    )
    .expect("it is text");
    text
}

impl Makespans {
    fn is_held(&self) -> bool {
        let range_s = self.range_s;
        range_s.is_some_and(|it| (it[0]..=it[1]).contains(&self.recorded_s))
    }
}

fn read(places: &Places, name: &str) -> Result<Instance, String> {
    let text = places.measurements(&format!("workflows/{name}.json"))?;
    let document = Document::parse(&text).map_err(|it| format!("{name}: {it}"))?;
    let instance = document.instance();
    instance.map_err(|it| format!("{name}: {it:?}"))
}

fn makespans(
    places: &Places,
    &(name, limit): &(&'static str, &'static str),
) -> Result<Makespans, String> {
    let wrong = |problem: String| format!("{name}: {problem}");
    let instance = read(places, name)?;
    let recorded = instance.recorded.as_ref();
    let recorded = recorded.ok_or_else(|| wrong("no execution is recorded".to_owned()))?;
    let plain = recorded.machine.clone();
    let plain = plain.ok_or_else(|| wrong("no machine is recorded".to_owned()))?;
    let mut machine = plain.clone();
    instance.add_engine(&mut machine);
    let endless =
        WorkflowMachine::new(vec![Group::new("host", 1, 1 << 24)]).expect("the host is right");
    let by = |machine: &WorkflowMachine, mut scheduler: Box<dyn Scheduler>| {
        let prediction = simulate(&instance.workflow, machine, &mut *scheduler);
        let makespan_s = prediction.map(|it| it.makespan_s());
        makespan_s.map_err(|it| wrong(it.to_string()))
    };
    let range_s = match machine.extremes() {
        Some([short, long]) => Some([by(&short, usual(&instance))?, by(&long, usual(&instance))?]),
        None => None,
    };
    let workflow = &instance.workflow;
    let tasks = (workflow.ids().zip(&recorded.runtimes_s))
        .map(|(id, it)| it * f64::from(workflow.task(id).cores));
    #[expect(clippy::cast_precision_loss, reason = "there are fewer cores")]
    let spread_s = tasks.sum::<f64>() / plain.cores() as f64;
    Ok(Makespans {
        limit,
        name: name.rsplit("__").next().unwrap_or(name),
        recorded_s: f64::NAN,
        shortest_s: by(&endless, Box::<Fcfs>::default())?.max(spread_s),
        work_s: recorded.runtimes_s.iter().sum(),
        predicted_s: by(&machine, usual(&instance))?,
        range_s,
        list_s: by(&plain, Box::<Fcfs>::default())?,
        is_pegasus: instance.engine.as_deref() == Some("Pegasus"),
    })
}

/// Returns the scheduler that `run` uses. Tasks run on their recorded hosts if all hosts are
/// recorded.
fn usual(instance: &Instance) -> Box<dyn Scheduler> {
    match instance.recorded_hosts() {
        Some(hosts) => Box::new(AsRecorded::new(hosts)),
        None => Box::<Fcfs>::default(),
    }
}
