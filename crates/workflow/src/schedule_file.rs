//! Reads and writes static schedules: JSON files that list each host's tasks in order.

use std::collections::BTreeMap;

use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::schedulers::Plan;
use crate::{DecisionTime, HostId, TaskId, Workflow, WorkflowMachine, WorkflowPrediction, quoted};

const HELP: &str = "Save the schedule of this workflow and machine with `--save-schedule`.";

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    workflow: String,
    scheduler: String,
    /// When the scheduler decides where tasks run; omitted for plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided: Option<DecisionTime>,
    /// All tasks in the order of their starts, if hosts are decided only when tasks start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    order: Vec<String>,
    hosts: Vec<Host>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    host: String,
    tasks: Vec<String>,
}

/// Returns the schedule of a prediction as text: each host that runs tasks, with its tasks in
/// order.
///
/// # Panics
///
/// Never panics, because every schedule can be written as JSON.
pub fn text(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    scheduler: &str,
) -> String {
    let mut hosts: BTreeMap<HostId, Vec<String>> = BTreeMap::new();
    for &task in prediction.started() {
        let of_host = hosts.entry(prediction.run(task).host).or_default();
        of_host.push(workflow.task_name(task).to_owned());
    }
    let hosts = hosts.into_iter().map(|(host, tasks)| Host {
        host: machine.host_name(host),
        tasks,
    });
    let decided = prediction.decided();
    let name = |it: &TaskId| workflow.task_name(*it).to_owned();
    let order = match decided {
        DecisionTime::Plan | DecisionTime::Submission => Vec::new(),
        DecisionTime::Start => prediction.started().iter().map(name).collect(),
    };
    let document = Document {
        workflow: workflow.name().to_owned(),
        scheduler: scheduler.to_owned(),
        decided: Some(decided).filter(|it| *it != DecisionTime::Plan),
        order,
        hosts: hosts.collect(),
    };
    let text = serde_json::to_string_pretty(&document);
    prophet_text::plain::json(&text.expect("all keys are text")) + "\n"
}

/// Parses a schedule for a workflow on a machine.
///
/// # Errors
///
/// Returns an error if the text isn't a schedule, if a task or host is unknown or duplicate, if a
/// task is missing, if tasks in this order would wait for each other forever, or if `order`
/// contradicts it.
pub fn parse(text: &str, workflow: &Workflow, machine: &WorkflowMachine) -> Result<Plan, Problem> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let what = prophet_text::plain::line(&error.to_string());
        let what = what.rsplit_once(" at line ").map_or(&*what, |it| it.0);
        let place = format!("line {}, column {}", error.line(), error.column());
        Problem::with_help(format!("the file is not a schedule: {what}"), HELP).in_part(place)
    })?;
    let tasks: BTreeMap<&str, TaskId> = { workflow.ids() }
        .map(|it| (workflow.task_name(it), it))
        .collect();
    let mut hosts: BTreeMap<String, Option<HostId>> = BTreeMap::new();
    for host in machine.hosts() {
        // A duplicate name doesn't identify a host.
        let named = hosts.entry(machine.host_name(host));
        named.and_modify(|it| *it = None).or_insert(Some(host));
    }
    let mut plan = Plan {
        hosts: vec![HostId(0); workflow.len()],
        starts_s: vec![f64::NAN; workflow.len()],
        decided: document.decided.unwrap_or_default(),
    };
    let mut orders = Vec::new();
    for entry in &document.hosts {
        let Some(&Some(host)) = hosts.get(&entry.host) else {
            let what = format!(
                "expected one host named {}, found none or several",
                quoted(&entry.host)
            );
            return Err(Problem::with_help(what, HELP));
        };
        let mut order = Vec::new();
        for name in &entry.tasks {
            let place = || format!("host {}", quoted(&entry.host));
            let Some(&task) = tasks.get(&**name) else {
                let what = format!("the task {} is not in the workflow", quoted(name));
                return Err(Problem::with_help(what, HELP).in_part(place()));
            };
            if !plan.starts_s[task.index()].is_nan() {
                let what = format!("duplicate task {}", quoted(name));
                return Err(Problem::with_help(what, HELP).in_part(place()));
            }
            plan.hosts[task.index()] = host;
            plan.starts_s[task.index()] = 0.0;
            order.push(task);
        }
        orders.push(order);
    }
    if let Some(missing) = workflow.ids().find(|it| plan.starts_s[it.index()].is_nan()) {
        let what = format!(
            "the task {} has no host",
            quoted(workflow.task_name(missing))
        );
        return Err(Problem::with_help(what, HELP));
    }
    if plan.decided == DecisionTime::Start {
        let order = document.order.iter().map(|it| tasks.get(&**it).copied());
        orders = vec![one_order(order.collect(), &orders, workflow)?];
    }
    number(&orders, workflow, &mut plan)?;
    Ok(plan)
}

/// Returns the order of all tasks, which must respect the order on each host.
fn one_order(
    order: Option<Vec<TaskId>>,
    of_hosts: &[Vec<TaskId>],
    workflow: &Workflow,
) -> Result<Vec<TaskId>, Problem> {
    let order = order.filter(|it| it.len() == workflow.len());
    let mut places = vec![usize::MAX; workflow.len()];
    for (place, task) in order.iter().flatten().enumerate() {
        places[task.index()] = place;
    }
    let is_same = |it: &Vec<TaskId>| it.is_sorted_by_key(|task| places[task.index()]);
    let is_whole = !places.contains(&usize::MAX) && of_hosts.iter().all(is_same);
    order.filter(|_| is_whole).ok_or_else(|| {
        let what = "`order` lacks a task, or differs from the order on a host";
        let help = "List all tasks in the order in which they start, or remove `order` and \
                    `decided` to use the order of each host.";
        Problem::with_help(what, help)
    })
}

/// Numbers the starts of tasks so that each task follows its parents and the earlier tasks on its
/// host. Returns an error if the orders make this impossible.
fn number(orders: &[Vec<TaskId>], workflow: &Workflow, plan: &mut Plan) -> Result<(), Problem> {
    let mut next = vec![None; workflow.len()];
    let mut left: Vec<usize> = workflow
        .ids()
        .map(|it| workflow.parents(it).len())
        .collect();
    for pair in orders.iter().flat_map(|it| it.windows(2)) {
        next[pair[0].index()] = Some(pair[1]);
        left[pair[1].index()] += 1;
    }
    let mut ready: Vec<TaskId> = workflow.ids().filter(|it| left[it.index()] == 0).collect();
    let mut done = 0;
    while let Some(&task) = ready.get(done) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are at most 50 million tasks"
        )]
        let start_s = done as f64;
        plan.starts_s[task.index()] = start_s;
        done += 1;
        for after in workflow.children(task).chain(next[task.index()]) {
            left[after.index()] -= 1;
            if left[after.index()] == 0 {
                ready.push(after);
            }
        }
    }
    match workflow.ids().find(|it| left[it.index()] > 0) {
        None => Ok(()),
        Some(task) => {
            let what = "the task waits for a task that comes later in a host's order";
            let help = "Put each task after its parents.";
            let place = format!("task {}", quoted(workflow.task_name(task)));
            Err(Problem::with_help(what, help).in_part(place))
        }
    }
}
