//! Writes traces as trace event JSON for Perfetto and Chrome.
//!
//! Hosts appear as processes, and cores as threads. A task is a complete event (`X`) on its first
//! core, and a dependency between hosts is an arrow (from `s` to `f`). `crates/export` writes the
//! same format for traces of MPI programs, which contain no host names.

use std::io::{self, Write};

use prophet_text::plain::json;
use serde_json::{Value, json};

use crate::lanes::{Bar, LaneHolder, bars};
use crate::{HostId, TaskId, Workflow, WorkflowMachine, WorkflowPrediction};

fn micros(seconds: f64) -> f64 {
    seconds * 1e6
}

/// Writes the trace of a prediction.
///
/// # Errors
///
/// Returns an error if the output can't be written.
pub fn write(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    out: &mut impl Write,
) -> io::Result<()> {
    let about = json!({
        "workflow": workflow.name(),
        "predicted_time_s": prediction.makespan_s(),
    });
    let about = json(&about.to_string());
    write!(
        out,
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{about},\"traceEvents\":["
    )?;
    let mut gap = "\n";
    let mut put = |event: &Value| {
        let written = write!(out, "{gap}{}", json(&event.to_string()));
        gap = ",\n";
        written
    };
    let bars = bars(workflow, machine, prediction);
    let mut cores = vec![0; workflow.len()];
    let mut last: Option<HostId> = None;
    for bar in &bars {
        if last != Some(bar.host) {
            last = Some(bar.host);
            put(&json!({
                "ph": "M", "name": "process_name", "pid": bar.host.0, "tid": 0,
                "args": {"name": machine.host_name(bar.host)},
            }))?;
        }
        if let LaneHolder::Task(task) = bar.holder {
            cores[task.index()] = bar.core;
        }
        put(&event(workflow, prediction, bar))?;
    }
    for task in workflow.ids() {
        for parent in workflow.parents(task) {
            if prediction.run(parent).host != prediction.run(task).host {
                for end in arrow(prediction, &cores, parent, task) {
                    put(&end)?;
                }
            }
        }
    }
    writeln!(out, "\n]}}")
}

fn event(workflow: &Workflow, prediction: &WorkflowPrediction, bar: &Bar) -> Value {
    let (name, category, args) = match bar.holder {
        LaneHolder::Task(task) => {
            let run = prediction.run(task);
            let name = workflow.task_name(task);
            let args = json!({"cores": workflow.task(task).cores, "ready_s": run.ready_s});
            (name.to_owned(), workflow.task_type(task), args)
        }
        LaneHolder::Job(number) => {
            let job = prediction.jobs()[number].job;
            let args = json!({"cores": bar.count});
            (format!("job {} of others", job + 1), "others", args)
        }
    };
    json!({
        "ph": "X", "name": name, "cat": category, "pid": bar.host.0, "tid": bar.core,
        "ts": micros(bar.start_s), "dur": micros(bar.end_s) - micros(bar.start_s), "args": args,
    })
}

fn arrow(
    prediction: &WorkflowPrediction,
    cores: &[u32],
    parent: TaskId,
    child: TaskId,
) -> [Value; 2] {
    let [from, to] = [parent, child].map(|it| prediction.run(it));
    let id = format!("{:#x}{:08x}", parent.0, child.0);
    let end = |host: HostId, core: u32, time_s: f64, phase: &str| {
        json!({
            "ph": phase, "name": "dependency", "cat": "dependency", "id": id, "pid": host.0,
            "tid": core, "ts": micros(time_s), "bp": "e",
        })
    };
    [
        // An arrow starts inside its task.
        end(from.host, cores[parent.index()], from.start_s, "s"),
        end(to.host, cores[child.index()], to.start_s, "f"),
    ]
}
