//! The result of a workflow: what every prediction has, and what only workflows have.

use std::borrow::Cow;
use std::collections::BTreeMap;

use prophet_result::{ElementOutcome, Evaluation, RunResult, SystemSize};
use prophet_text::counted;
use prophet_text::plain::line;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::cases::Case;
use super::flags::Arguments;
use super::subject::Subject;
use super::uses::{ElementUse, uses};
use crate::Workflow;

/// Name of the engine in results.
const ENGINE: &str = "workflow";

/// Returns the result in the form that all predictions have. `processes` is the number of cores,
/// and elements are the elements of the drawing, or the task types of a recording.
pub(super) fn common(arguments: &Arguments, subject: &Subject, case: &Case) -> RunResult<'static> {
    let machine = &case.machine;
    let hosts = machine.len();
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    RunResult {
        model: subject.of(case.replication).workflow.name().to_owned(),
        system: SystemSize {
            nodes: small(hosts as u64),
            cpus_per_node: small(machine.cores().div_ceil(hosts.max(1) as u64)),
            processes: small(machine.cores()),
            threads: 1,
        },
        parameters: subject.parameters.clone(),
        machine: arguments.machine_name().map_or_else(
            || counted(hosts as u64, "host", "hosts"),
            |name| line(&name.display().to_string()),
        ),
        seed: arguments.seed(),
        predicted_time_s: case.makespan_s(),
        predicted_time_half_width_s: case.interval().map(|it| it.half_width),
        range: case.range.clone(),
        replications: small(case.replications()),
        random: subject.is_random() || machine.is_random(),
        partial: false,
        costs: String::new(),
        evaluation: Evaluation {
            engine: ENGINE.into(),
            threads: 1,
            evaluated: "interpreted".into(),
            wall_s: case.wall_s,
            ..Evaluation::default()
        },
        efficiency: None,
        processes: Cow::default(),
        elements: uses(subject, case).iter().map(element).collect(),
        accelerators: Cow::default(),
        training: None,
        energy: None,
        cost: None,
        extrapolations: Cow::default(),
        assumptions: Vec::new(),
    }
}

fn element(of: &ElementUse) -> ElementOutcome {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^32 tasks")]
    let mean_s = of.total_s / of.tasks as f64;
    ElementOutcome {
        name: line(of.name.rsplit('/').next().unwrap_or_default()),
        id: of.element,
        kind: "task".into(),
        count: of.tasks,
        total_s: of.total_s,
        mean_s,
        max_s: of.max_s,
        share: of.share,
    }
}

/// The result as JSON: what every prediction has, then what only workflows have, by key.
#[derive(Serialize)]
pub(super) struct WorkflowResult<'a> {
    #[serde(flatten)]
    pub(super) common: RunResult<'a>,
    #[serde(flatten)]
    pub(super) own: BTreeMap<String, Value>,
    pub(super) runs: TaskRuns<'a>,
}

/// The runs of all tasks. They are written one at a time to save memory.
pub(super) struct TaskRuns<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) case: &'a Case,
}

#[derive(Serialize)]
struct TaskRow<'a> {
    end_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_attempts: Option<u32>,
    host: String,
    ready_s: f64,
    start_s: f64,
    task: &'a str,
}

impl Serialize for TaskRuns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Case {
            machine,
            prediction,
            ..
        } = self.case;
        to.collect_seq(self.workflow.ids().map(|id| {
            let run = prediction.run(id);
            let may_fail = self.workflow.may_fail();
            TaskRow {
                end_s: run.end_s,
                failed_attempts: may_fail.then(|| prediction.failed_attempts(id)),
                host: machine.host_name(run.host),
                ready_s: run.ready_s,
                start_s: run.start_s,
                task: self.workflow.task_name(id),
            }
        }))
    }
}
