//! Exact answers to what if: the workflow is simulated again with one type of tasks faster.

use std::collections::BTreeMap;

use crate::{Cost, Machine, Prediction, Problem, Scheduler, TaskId, Workflow, simulate};

/// Types that are tried, those that hold cores longest.
const MOST: usize = 10;

/// The makespan if the tasks of one type were faster.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// The type.
    pub task_type: String,
    /// Number of tasks of it.
    pub tasks: usize,
    /// Seconds that they hold cores in the prediction.
    pub core_s: f64,
    /// Makespan with them faster.
    pub makespan_s: f64,
}

/// The type of a task: its name without the number at its end.
///
/// ```
/// assert_eq!(prophet_workflow::task_type("individuals_ID0000012"), "individuals");
/// assert_eq!(prophet_workflow::task_type("map-3"), "map");
/// assert_eq!(prophet_workflow::task_type("stage2#7"), "stage2");
/// assert_eq!(prophet_workflow::task_type("42"), "42");
/// ```
pub fn task_type(name: &str) -> &str {
    // Executions of one task of a drawing.
    if let Some((task, number)) = name.rsplit_once('#')
        && number.bytes().all(|it| it.is_ascii_digit())
    {
        return task;
    }
    let is_number = |it: char| it.is_ascii_digit() || matches!(it, '_' | '-' | '.' | '#');
    let trimmed = name.trim_end_matches(is_number);
    let trimmed = trimmed.strip_suffix("_ID").unwrap_or(trimmed);
    if trimmed.is_empty() { name } else { trimmed }
}

/// Simulates the workflow again for each type of tasks, with their costs times `factor`.
///
/// # Errors
///
/// As of [`simulate`].
pub fn what_if(
    workflow: &Workflow,
    machine: &Machine,
    prediction: &Prediction,
    factor: f64,
    scheduler: &mut dyn FnMut() -> Result<Box<dyn Scheduler>, Problem>,
) -> Result<Vec<WhatIf>, Problem> {
    let mut types: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for task in workflow.ids() {
        let of_type = types
            .entry(task_type(workflow.task_name(task)))
            .or_default();
        let run = prediction.run(task);
        of_type.0 += 1;
        of_type.1 += (run.end_s - run.start_s) * f64::from(workflow.task(task).cores);
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by(|left, right| right.1.1.total_cmp(&left.1.1).then(left.0.cmp(right.0)));
    types.truncate(MOST);
    let mut found = Vec::new();
    for (name, (tasks, core_s)) in types {
        let is_faster = |it: TaskId| task_type(workflow.task_name(it)) == name;
        let faster = workflow.scaled(factor, is_faster);
        let prediction = simulate(&faster, machine, &mut *scheduler()?)?;
        found.push(WhatIf {
            task_type: name.to_owned(),
            tasks,
            core_s,
            makespan_s: prediction.makespan_s(),
        });
    }
    Ok(found)
}

impl Workflow {
    /// This workflow with the costs of some tasks times a factor.
    fn scaled(&self, factor: f64, is_scaled: impl Fn(TaskId) -> bool) -> Self {
        let mut workflow = self.clone();
        for id in self.ids().filter(|it| is_scaled(*it)) {
            workflow.tasks[id.index()].cost = match self.task(id).cost {
                Cost::Seconds(seconds) => Cost::Seconds(seconds * factor),
                Cost::Work(operations) => Cost::Work(operations * factor),
                // A row of its own, since other tasks may have the old one.
                Cost::Row(row) => {
                    let rows = workflow.table.len() / self.columns;
                    let cells = 0..self.columns;
                    let scaled = cells.map(|column| self.cell_s(row, column) * factor);
                    workflow.table.extend(scaled);
                    Cost::Row(u32::try_from(rows).unwrap_or(row))
                }
            };
        }
        workflow
    }
}
