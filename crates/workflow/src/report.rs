//! Renders a page that explains a prediction, as a single HTML file that works offline.

use std::collections::BTreeMap;

use prophet_page::{Column, Page};
use serde::Serialize;

use crate::analysis::type_usages;
use crate::lanes::{Bar, LaneHolder, bars};
use crate::{
    CriticalStep, HostId, SiteUsage, Usage, WhatIf, Workflow, WorkflowMachine, WorkflowPrediction,
    critical_path, site_usages, usages,
};

/// Maximum number of bars in the chart. If there are more, only the longest are shown.
const BARS_MAX: usize = 20_000;
/// Maximum number of rows in the chart. Further hosts are left out.
const LANES_MAX: u32 = 2_000;
/// Number of task types with their own color.
const COLORS: usize = 7;
const ROWS_MAX: usize = 1_000;

/// A workflow's page. A test checks its content security policy, and rewrites it if
/// `UPDATE_EXPECT=1`.
const PAGE: Page = Page {
    styles: &[include_str!("report/report.css")],
    scripts: &[
        include_str!("report/table.js"),
        include_str!("report/gantt.js"),
        include_str!("report/main.js"),
    ],
    policy: include_str!("report/policy.txt"),
};

pub(crate) fn policy() -> &'static str {
    PAGE.policy()
}

/// Names and values to show with the prediction.
pub(crate) type Facts = Vec<(&'static str, String)>;

#[derive(Debug, Serialize)]
struct ReportData {
    workflow: String,
    facts: Facts,
    gantt: Gantt,
    sites: Vec<ReportRow>,
    hosts: Vec<ReportRow>,
    path: Vec<ReportRow>,
    what_if: Vec<ReportRow>,
    left_out: Vec<String>,
}

type ReportRow = Vec<serde_json::Value>;

#[derive(Debug, Default, Serialize)]
struct Gantt {
    end_s: f64,
    /// Name of each host, and its number of rows.
    hosts: Vec<(String, u32)>,
    types: Vec<String>,
    lane: Column<f64>,
    count: Column<f64>,
    start_s: Column<f64>,
    bar_end_s: Column<f64>,
    color: Column<f64>,
    names: Vec<String>,
}

pub(crate) fn render(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    what_ifs: &[WhatIf],
    facts: Facts,
) -> String {
    let mut left_out = Vec::new();
    let usages = usages(workflow, machine, prediction);
    let steps = critical_path(workflow, prediction);
    let mut keep = |length: usize, what: &str| {
        if length > ROWS_MAX {
            left_out.push(format!("{} {what}", length - ROWS_MAX));
        }
    };
    keep(usages.len(), "hosts of the table");
    keep(steps.len(), "tasks of the critical path");
    let host = |it: &Usage| host_row(machine, it);
    let step = |it: &CriticalStep| step_row(workflow, machine, prediction, *it);
    let sites = site_usages(workflow, machine, prediction);
    let data = ReportData {
        workflow: workflow.name().to_owned(),
        facts,
        sites: sites.iter().map(|it| site_row(machine, it)).collect(),
        hosts: usages.iter().take(ROWS_MAX).map(host).collect(),
        path: steps.iter().take(ROWS_MAX).map(step).collect(),
        what_if: what_ifs
            .iter()
            .map(|it| what_if_row(prediction, it))
            .collect(),
        gantt: gantt(workflow, machine, prediction, &mut left_out),
        left_out,
    };
    PAGE.render(&format!("{}: prediction", workflow.name()), &data)
}

fn site_row(machine: &WorkflowMachine, it: &SiteUsage) -> ReportRow {
    vec![
        machine.site_names[it.site].clone().into(),
        machine.site_cores(it.site).into(),
        it.tasks.into(),
        (it.core_s / 3600.0).into(),
        it.utilization.into(),
        it.others_utilization.into(),
        it.price.into(),
    ]
}

fn host_row(machine: &WorkflowMachine, it: &Usage) -> ReportRow {
    vec![
        machine.host_name(it.host).into(),
        machine.group(it.host).cores.into(),
        it.tasks.into(),
        it.core_s.into(),
        it.utilization.into(),
    ]
}

fn step_row(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    it: CriticalStep,
) -> ReportRow {
    let run = prediction.run(it.task);
    vec![
        workflow.task_name(it.task).into(),
        machine.host_name(run.host).into(),
        run.start_s.into(),
        run.end_s.into(),
        it.cause.name().into(),
    ]
}

fn what_if_row(prediction: &WorkflowPrediction, it: &WhatIf) -> ReportRow {
    vec![
        it.task_type.clone().into(),
        it.tasks.into(),
        it.core_s.into(),
        it.makespan_s.into(),
        (prediction.makespan_s() - it.makespan_s).into(),
    ]
}

/// Returns the chart. Its bars are sorted by host and core.
fn gantt(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    left_out: &mut Vec<String>,
) -> Gantt {
    let mut bars = bars(workflow, machine, prediction);
    let usages = type_usages(workflow, prediction).into_iter().take(COLORS);
    let types: Vec<String> = usages.map(|it| it.task_type.to_owned()).collect();
    let (hosts, first_lanes) = lanes(machine, &bars);
    let all = bars.len();
    bars.retain(|it| first_lanes.contains_key(&it.host));
    if bars.len() > BARS_MAX {
        let length = |it: &Bar| it.end_s - it.start_s;
        bars.sort_by(|left, right| length(right).total_cmp(&length(left)));
        bars.truncate(BARS_MAX);
    }
    if bars.len() < all {
        left_out.push(format!("{} bars of the chart", all - bars.len()));
    }
    let color = |it: &Bar| match it.holder {
        LaneHolder::Task(task) => {
            let name = workflow.task_type(task);
            let place = types.iter().position(|it| it == name);
            place.unwrap_or(COLORS)
        }
        LaneHolder::Job(_) => COLORS + 1,
    };
    let name = |it: &Bar| match it.holder {
        LaneHolder::Task(task) => workflow.task_name(task).to_owned(),
        LaneHolder::Job(_) => "job of others".to_owned(),
    };
    let numbers = |of: &dyn Fn(&Bar) -> f64| bars.iter().map(of).collect::<Column<f64>>();
    let end_s = prediction.makespan_s();
    Gantt {
        end_s,
        lane: numbers(&|it| f64::from(first_lanes[&it.host] + it.core)),
        count: numbers(&|it| f64::from(it.count)),
        start_s: numbers(&|it| it.start_s.max(0.0)),
        bar_end_s: numbers(&|it| it.end_s.min(end_s)),
        #[expect(clippy::cast_precision_loss, reason = "there are few colors")]
        color: numbers(&|it| color(it) as f64),
        names: bars.iter().map(name).collect(),
        hosts,
        types,
    }
}

/// Returns each host's name and number of rows, and the first row of each host.
fn lanes(machine: &WorkflowMachine, bars: &[Bar]) -> (Vec<(String, u32)>, BTreeMap<HostId, u32>) {
    let mut cores: BTreeMap<HostId, u32> = BTreeMap::new();
    for bar in bars {
        let most = cores.entry(bar.host).or_default();
        *most = (*most).max(bar.core + bar.count);
    }
    let mut hosts = Vec::new();
    let mut firsts = BTreeMap::new();
    let mut lane = 0;
    for (host, count) in cores {
        if lane + count > LANES_MAX && lane > 0 {
            break;
        }
        firsts.insert(host, lane);
        hosts.push((machine.host_name(host), count));
        lane += count;
    }
    (hosts, firsts)
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use prophet_page::base64;
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_what_is_in_the_page() {
        let policy = PAGE.policy_with(|text| base64(&Sha256::digest(text)));
        expect_file!["report/policy.txt"].assert_eq(&policy);
    }
}
