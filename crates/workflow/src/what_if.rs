//! Answers what-if questions exactly: makes the tasks of one type faster, and simulates the
//! workflow again.

use prophet_text::Problem;

use crate::analysis::type_usages;
use crate::{Scheduler, TaskCost, TaskId, Workflow, WorkflowMachine, WorkflowPrediction, simulate};

/// Maximum number of types to try. The types that occupy cores longest are tried first.
const MOST: usize = 10;

/// The makespan with faster tasks of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    pub task_type: String,
    pub tasks: usize,
    /// Core seconds of these tasks in the original prediction.
    pub core_s: f64,
    /// Makespan with the faster tasks, in seconds.
    pub makespan_s: f64,
}

/// Simulates the workflow again for each task type, with the costs of its tasks multiplied by
/// `factor`.
///
/// # Errors
///
/// Returns the same errors as [`simulate`].
pub fn what_if(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    prediction: &WorkflowPrediction,
    factor: f64,
    scheduler: &mut dyn FnMut() -> Result<Box<dyn Scheduler>, Problem>,
) -> Result<Vec<WhatIf>, Problem> {
    let mut found = Vec::new();
    for usage in type_usages(workflow, prediction).into_iter().take(MOST) {
        let name = usage.task_type;
        let is_faster = |it: TaskId| workflow.task_type(it) == name;
        let faster = workflow.scaled(factor, is_faster);
        let prediction = simulate(&faster, machine, &mut *scheduler()?)?;
        found.push(WhatIf {
            task_type: name.to_owned(),
            tasks: usage.tasks,
            core_s: usage.core_s,
            makespan_s: prediction.makespan_s(),
        });
    }
    Ok(found)
}

impl Workflow {
    /// Returns this workflow with the costs of some tasks multiplied by a factor.
    fn scaled(&self, factor: f64, is_scaled: impl Fn(TaskId) -> bool) -> Self {
        let mut workflow = self.clone();
        for id in self.ids().filter(|it| is_scaled(*it)) {
            workflow.tasks[id.index()].cost = match self.task(id).cost {
                TaskCost::Seconds(seconds) => TaskCost::Seconds(seconds * factor),
                TaskCost::Work(operations) => TaskCost::Work(operations * factor),
                // It needs its own row, because other tasks can use the old one.
                TaskCost::Row(row) => {
                    let rows = workflow.table.len() / self.columns;
                    let cells = 0..self.columns;
                    let scaled = cells.map(|column| self.cell_s(row, column) * factor);
                    workflow.table.extend(scaled);
                    TaskCost::Row(u32::try_from(rows).unwrap_or(row))
                }
            };
        }
        workflow
    }
}
