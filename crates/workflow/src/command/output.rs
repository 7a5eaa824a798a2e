//! Prints results as text and as JSON.

use std::fmt::Write as _;

use prophet_text::plain::{cell, line};
use prophet_text::{Align, count, counted, fitted, percent, short_time, table as rows};
use serde_json::{Value, json};

use super::cases::Case;
use super::flags::Arguments;
use super::result::{TaskRuns, WorkflowResult, common};
use super::subject::Subject;
use crate::report::Facts;
use crate::wfformat::Instance;
use crate::{CriticalStep, SiteUsage, Usage, WhatIf, critical_path, site_usages, usages};

const SHOWN: usize = 20;
/// Maximum width of a name in columns.
const WIDTH: usize = 40;

fn name(text: &str) -> String {
    fitted(&line(text), WIDTH)
}

pub(super) fn core_hours(usages: &[Usage]) -> f64 {
    usages.iter().map(|it| it.core_s).sum::<f64>() / 3600.0
}

pub(super) fn utilization(case: &Case, usages: &[Usage]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
    let all_s = case.prediction.makespan_s() * case.machine.cores() as f64;
    if all_s > 0.0 {
        core_hours(usages) * 3600.0 / all_s
    } else {
        0.0
    }
}

/// Returns the recorded makespan. In a file, 0 means that it wasn't recorded.
fn recorded_s(instance: &Instance) -> Option<f64> {
    let makespan_s = instance.recorded.as_ref()?.makespan_s;
    (makespan_s > 0.0).then_some(makespan_s)
}

/// Returns the prediction's error relative to the recording, as a signed percentage.
fn error_percent(instance: &Instance, makespan_s: f64) -> Option<f64> {
    Some(100.0 * (makespan_s / recorded_s(instance)? - 1.0))
}

/// Formats everything known about one prediction.
pub(super) fn table(instance: &Instance, case: &Case) -> String {
    let workflow = &instance.workflow;
    let usages = usages(workflow, &case.machine, &case.prediction);
    let engine = case.machine.queues[0].engine;
    let engine = engine.map_or(String::new(), |it| format!("; engine {}", it.name));
    let mut text = format!(
        "workflow {}: {}, {}; scheduler {}{engine}\n",
        name(workflow.name()),
        counted(workflow.len() as u64, "task", "tasks"),
        counted(workflow.files() as u64, "file", "files"),
        case.scheduler,
    );
    for (what, value) in facts(instance, case) {
        writeln!(text, "{what:<14}{value}").expect("it is text");
    }
    if case.machine.sites() > 1 || !case.prediction.jobs().is_empty() {
        text = text + "\n" + &sites(instance, case);
    }
    text = text + "\n" + &hosts(case, &usages) + "\n" + &path(instance, case);
    if !case.what_ifs.is_empty() {
        text = text + "\n" + &what_ifs(case);
    }
    text
}

/// Formats the makespan, with the half width of its interval if there is one.
fn makespan(case: &Case) -> String {
    let half = case.interval().map(|it| short_time(it.half_width));
    let half = half.map_or(String::new(), |it| format!(" ± {it}"));
    short_time(case.makespan_s()) + &half
}

pub(super) fn facts(instance: &Instance, case: &Case) -> Facts {
    let usages = usages(&instance.workflow, &case.machine, &case.prediction);
    let makespan_s = case.makespan_s();
    let interval = case.interval().map(|_| {
        let count = case.makespans.count();
        let which = if case.failures > 0 {
            " that succeed"
        } else {
            ""
        };
        format!(" (95% interval of the mean, {count} replications{which})")
    });
    let makespan = makespan(case) + &interval.unwrap_or_default();
    let mut facts = vec![("makespan", makespan)];
    if let Some(range) = &case.range {
        let [from, to] = [range.from_s, range.to_s].map(short_time);
        facts.push((
            "range of 90%",
            format!("{from} to {to}, by {}", range.source),
        ));
    }
    if let Some([low, high]) = failing(case) {
        let (count, all) = (case.failures, case.replications());
        let [low, high] = [low, high].map(|it| percent(it).trim().to_owned());
        let fails = format!("{count} of {all} replications (95% interval {low} to {high})");
        facts.push(("fails", fails));
    }
    if instance.workflow.may_fail() {
        let attempts = case.prediction.all_failed_attempts();
        let which = if case.replications() > 1 {
            format!(", in replication {}", case.replication + 1)
        } else {
            String::new()
        };
        facts.push(("failed", counted(attempts, "attempt", "attempts") + &which));
    }
    if let (Some(recorded), Some(error)) = (&instance.recorded, error_percent(instance, makespan_s))
    {
        let recorded = short_time(recorded.makespan_s);
        let error = prophet_text::signed_percent(error / 100.0);
        facts.push(("recorded", format!("{recorded} (predicted {error})")));
    }
    facts.push(("core hours", format!("{:.3}", core_hours(&usages))));
    if case.machine.prices.iter().any(|it| *it > 0.0) {
        facts.push(("cost", format!("{:.2}", cost(instance, case))));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is shown"
    )]
    facts.push(("bytes moved", count(case.prediction.moved_bytes() as u64)));
    let used = percent(utilization(case, &usages));
    facts.push(("utilization", used.trim().to_owned()));
    facts
}

/// Returns the 95 % confidence interval of the probability that the workflow fails (Wilson's score
/// interval); `None` if it never failed.
///
/// E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).
fn failing(case: &Case) -> Option<[f64; 2]> {
    const Z: f64 = 1.959_963_984_540_054;
    if case.failures == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 2^32 replications")]
    let (failures, all) = (case.failures as f64, case.replications() as f64);
    let share = failures / all;
    let center = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    Some([-1.0, 1.0].map(|it| ((center + it * half) / (1.0 + Z * Z / all)).clamp(0.0, 1.0)))
}

pub(super) fn cost(instance: &Instance, case: &Case) -> f64 {
    let sites = site_usages(&instance.workflow, &case.machine, &case.prediction);
    sites.iter().map(|it| it.price).sum()
}

fn sites(instance: &Instance, case: &Case) -> String {
    let heading = [
        ("site", Align::Left),
        ("cores", Align::Right),
        ("tasks", Align::Right),
        ("core hours", Align::Right),
        ("utilization", Align::Right),
        ("by others", Align::Right),
        ("cost", Align::Right),
    ];
    let sites = site_usages(&instance.workflow, &case.machine, &case.prediction);
    let row = |it: &SiteUsage| {
        vec![
            name(&case.machine.site_names[it.site]),
            case.machine.site_cores(it.site).to_string(),
            it.tasks.to_string(),
            format!("{:.3}", it.core_s / 3600.0),
            percent(it.utilization).trim().to_owned(),
            percent(it.others_utilization).trim().to_owned(),
            format!("{:.2}", it.price),
        ]
    };
    let shown: Vec<_> = sites.iter().take(SHOWN).map(row).collect();
    rows(&heading, &shown) + &more(sites.len() - shown.len(), "sites")
}

fn what_ifs(case: &Case) -> String {
    let heading = [
        ("twice as fast", Align::Left),
        ("tasks", Align::Right),
        ("makespan", Align::Right),
        ("saved", Align::Right),
    ];
    let makespan_s = case.prediction.makespan_s();
    let row = |it: &WhatIf| {
        vec![
            name(&it.task_type),
            it.tasks.to_string(),
            short_time(it.makespan_s),
            short_time(makespan_s - it.makespan_s),
        ]
    };
    rows(&heading, &case.what_ifs.iter().map(row).collect::<Vec<_>>())
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
    let row = |it: &CriticalStep| {
        let run = case.prediction.run(it.task);
        vec![
            name(instance.workflow.task_name(it.task)),
            name(&case.machine.host_name(run.host)),
            short_time(run.start_s),
            short_time(run.end_s),
            it.cause.name().to_owned(),
        ]
    };
    let shown: Vec<_> = steps.iter().take(SHOWN).map(row).collect();
    rows(&heading, &shown) + &more(steps.len() - shown.len(), "tasks")
}

fn numbers(instance: &Instance, case: &Case) -> Value {
    let usages = usages(&instance.workflow, &case.machine, &case.prediction);
    let makespan_s = case.makespan_s();
    json!({
        "scheduler": case.scheduler,
        "hosts": case.machine.len(),
        "cores": case.machine.cores(),
        "makespan_s": makespan_s,
        "makespan_half_width_s": case.interval().map(|it| it.half_width),
        "range": case.range,
        "replications": case.replications(),
        "failed_replications": case.failures,
        "failed_replications_interval": failing(case),
        "failed_attempts": case.prediction.all_failed_attempts(),
        "error_percent": error_percent(instance, makespan_s),
        "core_hours": core_hours(&usages),
        "cost": cost(instance, case),
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

/// Returns everything known about one prediction as indented JSON, including when and where each
/// task runs.
pub(super) fn json(arguments: &Arguments, subject: &Subject, case: &Case) -> String {
    let text = serde_json::to_string_pretty(&result(arguments, subject, case));
    prophet_text::plain::json(&text.expect("all keys are text")) + "\n"
}

/// Returns everything known about one prediction.
pub(super) fn result<'a>(
    arguments: &Arguments,
    subject: &'a Subject,
    case: &'a Case,
) -> WorkflowResult<'a> {
    let instance = subject.of(case.replication);
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
    let step = |it: &CriticalStep| {
        let (task, waited_for) = (workflow.task_name(it.task), it.cause.name());
        json!({"task": task, "waited_for": waited_for})
    };
    let path = critical_path(workflow, &case.prediction);
    let mut value = head(instance);
    value["prediction"] = numbers(instance, case);
    let site = |it: &SiteUsage| {
        json!({
            "name": case.machine.site_names[it.site],
            "cores": case.machine.site_cores(it.site),
            "tasks": it.tasks,
            "core_s": it.core_s,
            "utilization": it.utilization,
            "others_utilization": it.others_utilization,
            "cost": it.price,
        })
    };
    let sites = site_usages(workflow, &case.machine, &case.prediction);
    value["sites"] = sites.iter().map(site).collect();
    let faster = |it: &WhatIf| json!({"type": it.task_type, "makespan_s": it.makespan_s});
    value["what_if"] = case.what_ifs.iter().map(faster).collect();
    value["hosts"] = usages.iter().map(host).collect();
    value["critical_path"] = path.iter().map(step).collect();
    let Value::Object(own) = value else {
        unreachable!("the head is an object");
    };
    WorkflowResult {
        common: common(arguments, subject, case),
        own: own.into_iter().collect(),
        runs: TaskRuns { workflow, case },
    }
}

/// Formats several predictions, one per line. For each number of hosts, the shortest one is marked
/// (the first one, if several are equal).
pub(super) fn comparison(subject: &Subject, cases: &[Case]) -> String {
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
        let workflow = &subject.of(case.replication).workflow;
        let usages = usages(workflow, &case.machine, &case.prediction);
        let makespan_s = case.makespan_s();
        let hosts = case.machine.len();
        let alike = cases.iter().filter(|it| it.machine.len() == hosts);
        let best_s = alike.map(Case::makespan_s).fold(f64::INFINITY, f64::min);
        #[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
        let held = makespan_s * case.machine.cores() as f64 / 3600.0;
        vec![
            hosts.to_string(),
            case.machine.cores().to_string(),
            case.scheduler.clone(),
            makespan(case),
            percent(utilization(case, &usages)).trim().to_owned(),
            format!("{held:.3}"),
            (if makespan_s <= best_s { "best" } else { "" }).to_owned(),
        ]
    };
    rows(&heading, &cases.iter().map(row).collect::<Vec<_>>())
}

pub(super) fn comparison_json(subject: &Subject, cases: &[Case]) -> String {
    let mut value = head(subject.first());
    let numbers = |it: &Case| numbers(subject.of(it.replication), it);
    value["predictions"] = cases.iter().map(numbers).collect();
    prophet_text::plain::json(&format!("{value:#}\n"))
}

const COLUMNS: [&str; 12] = [
    "scheduler",
    "hosts",
    "cores",
    "replications",
    "makespan_s",
    "makespan_half_width_s",
    "error_percent",
    "core_hours",
    "cost",
    "moved_bytes",
    "utilization",
    "failed_replications",
];

/// Returns the predictions as CSV, one per row. Unknown values are empty.
pub(super) fn csv(cases: &[Case], subject: &Subject) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for case in cases {
        let numbers = numbers(subject.of(case.replication), case);
        let cell = |name: &&str| match &numbers[*name] {
            Value::Null => String::new(),
            Value::String(text) => cell(text),
            number => number.to_string(),
        };
        let cells: Vec<String> = COLUMNS.iter().map(cell).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}
