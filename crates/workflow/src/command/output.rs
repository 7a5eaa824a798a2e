//! Results as text and as JSON.

use std::fmt::Write as _;

use prophet_text::plain::line;
use prophet_text::{Align, count, counted, fitted, percent, short_time, table as rows};
use serde_json::{Value, json};

use super::Case;
use crate::wfformat::Instance;
use crate::{Cause, Step, Usage, critical_path, usages};

/// Rows of a table that are shown.
const SHOWN: usize = 20;
/// Columns that a name takes at most.
const WIDTH: usize = 40;

fn name(text: &str) -> String {
    fitted(&line(text), WIDTH)
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Submission => "submission",
        Cause::Parent => "parent",
        Cause::Cores => "cores",
    }
}

fn core_hours(usages: &[Usage]) -> f64 {
    usages.iter().map(|it| it.core_s).sum::<f64>() / 3600.0
}

fn utilization(case: &Case, usages: &[Usage]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
    let all_s = case.prediction.makespan_s() * case.machine.cores() as f64;
    if all_s > 0.0 {
        core_hours(usages) * 3600.0 / all_s
    } else {
        0.0
    }
}

/// The recorded makespan; 0 stands for one that nobody recorded.
fn recorded_s(instance: &Instance) -> Option<f64> {
    let makespan_s = instance.recorded.as_ref()?.makespan_s;
    (makespan_s > 0.0).then_some(makespan_s)
}

/// The prediction's error against the recording, in percent with its sign.
fn error_percent(instance: &Instance, makespan_s: f64) -> Option<f64> {
    Some(100.0 * (makespan_s / recorded_s(instance)? - 1.0))
}

/// All that one prediction shows.
pub(super) fn table(instance: &Instance, case: &Case) -> String {
    let workflow = &instance.workflow;
    let usages = usages(workflow, &case.machine, &case.prediction);
    let makespan_s = case.prediction.makespan_s();
    let mut text = format!(
        "workflow {}: {}, {}; scheduler {}\n",
        name(workflow.name()),
        counted(workflow.len() as u64, "task", "tasks"),
        counted(workflow.files() as u64, "file", "files"),
        case.scheduler,
    );
    let mut put = |what: &str, value: String| {
        writeln!(text, "{what:<14}{value}").expect("it is text");
    };
    put("makespan", short_time(makespan_s));
    if let (Some(recorded), Some(error)) = (&instance.recorded, error_percent(instance, makespan_s))
    {
        let recorded = short_time(recorded.makespan_s);
        put("recorded", format!("{recorded} (predicted {error:+.1}%)"));
    }
    put("core hours", format!("{:.3}", core_hours(&usages)));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is shown"
    )]
    put("bytes moved", count(case.prediction.moved_bytes() as u64));
    put(
        "utilization",
        percent(utilization(case, &usages)).trim().to_owned(),
    );
    text + "\n" + &hosts(case, &usages) + "\n" + &path(instance, case)
}

fn more(hidden: usize, what: &str) -> String {
    if hidden == 0 {
        return String::new();
    }
    format!("… {} more {what}\n", count(hidden as u64))
}

fn hosts(case: &Case, usages: &[Usage]) -> String {
    let heading = [
        ("host", Align::Left),
        ("cores", Align::Right),
        ("tasks", Align::Right),
        ("busy", Align::Right),
        ("utilization", Align::Right),
    ];
    let row = |it: &Usage| {
        vec![
            name(&case.machine.host_name(it.host)),
            case.machine.group(it.host).cores.to_string(),
            it.tasks.to_string(),
            short_time(it.core_s),
            percent(it.utilization).trim().to_owned(),
        ]
    };
    let shown: Vec<_> = usages.iter().take(SHOWN).map(row).collect();
    rows(&heading, &shown) + &more(usages.len() - shown.len(), "hosts")
}

fn path(instance: &Instance, case: &Case) -> String {
    let heading = [
        ("critical path", Align::Left),
        ("host", Align::Left),
        ("start", Align::Right),
        ("end", Align::Right),
        ("waited for", Align::Left),
    ];
    let steps = critical_path(&instance.workflow, &case.prediction);
    let row = |it: &Step| {
        let run = case.prediction.run(it.task);
        vec![
            name(instance.workflow.task_name(it.task)),
            name(&case.machine.host_name(run.host)),
            short_time(run.start_s),
            short_time(run.end_s),
            cause(it.cause).to_owned(),
        ]
    };
    let shown: Vec<_> = steps.iter().take(SHOWN).map(row).collect();
    rows(&heading, &shown) + &more(steps.len() - shown.len(), "tasks")
}

/// Describes what one prediction shows in numbers, without hosts and tasks.
fn numbers(instance: &Instance, case: &Case) -> Value {
    let usages = usages(&instance.workflow, &case.machine, &case.prediction);
    let makespan_s = case.prediction.makespan_s();
    json!({
        "scheduler": case.scheduler,
        "hosts": case.machine.len(),
        "cores": case.machine.cores(),
        "makespan_s": makespan_s,
        "error_percent": error_percent(instance, makespan_s),
        "core_hours": core_hours(&usages),
        "moved_bytes": case.prediction.moved_bytes(),
        "utilization": utilization(case, &usages),
    })
}

fn head(instance: &Instance) -> Value {
    json!({
        "workflow": instance.workflow.name(),
        "tasks": instance.workflow.len(),
        "files": instance.workflow.files(),
        "recorded_makespan_s": recorded_s(instance),
    })
}

/// All that one prediction shows, with the runs of all tasks.
pub(super) fn json(instance: &Instance, case: &Case) -> String {
    let workflow = &instance.workflow;
    let host = |it: &Usage| {
        json!({
            "name": case.machine.host_name(it.host),
            "cores": case.machine.group(it.host).cores,
            "tasks": it.tasks,
            "core_s": it.core_s,
            "utilization": it.utilization,
        })
    };
    let usages = usages(workflow, &case.machine, &case.prediction);
    let step =
        |it: &Step| json!({"task": workflow.task_name(it.task), "waited_for": cause(it.cause)});
    let run = |id| {
        let run = case.prediction.run(id);
        json!({
            "task": workflow.task_name(id),
            "host": case.machine.host_name(run.host),
            "ready_s": run.ready_s,
            "start_s": run.start_s,
            "end_s": run.end_s,
        })
    };
    let path = critical_path(workflow, &case.prediction);
    let mut value = head(instance);
    value["prediction"] = numbers(instance, case);
    value["hosts"] = usages.iter().map(host).collect();
    value["critical_path"] = path.iter().map(step).collect();
    value["runs"] = workflow.ids().map(run).collect();
    format!("{value:#}\n")
}

/// Several predictions, one a line; the shortest first one of each number of hosts is marked.
pub(super) fn comparison(instance: &Instance, cases: &[Case]) -> String {
    let heading = [
        ("hosts", Align::Right),
        ("cores", Align::Right),
        ("scheduler", Align::Left),
        ("makespan", Align::Right),
        ("utilization", Align::Right),
        ("core hours held", Align::Right),
        ("", Align::Left),
    ];
    let row = |case: &Case| {
        let usages = usages(&instance.workflow, &case.machine, &case.prediction);
        let makespan_s = case.prediction.makespan_s();
        let hosts = case.machine.len();
        let alike = cases.iter().filter(|it| it.machine.len() == hosts);
        let best_s = alike
            .map(|it| it.prediction.makespan_s())
            .fold(f64::INFINITY, f64::min);
        #[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
        let held = makespan_s * case.machine.cores() as f64 / 3600.0;
        vec![
            hosts.to_string(),
            case.machine.cores().to_string(),
            case.scheduler.clone(),
            short_time(makespan_s),
            percent(utilization(case, &usages)).trim().to_owned(),
            format!("{held:.3}"),
            (if makespan_s <= best_s { "best" } else { "" }).to_owned(),
        ]
    };
    rows(&heading, &cases.iter().map(row).collect::<Vec<_>>())
}

/// Several predictions as JSON.
pub(super) fn comparison_json(instance: &Instance, cases: &[Case]) -> String {
    let mut value = head(instance);
    value["predictions"] = cases.iter().map(|it| numbers(instance, it)).collect();
    format!("{value:#}\n")
}
