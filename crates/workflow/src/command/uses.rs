//! Finds how the tasks of each element, or of each type in a recording, use the machine.

use std::collections::BTreeMap;

use super::cases::Case;
use super::subject::Subject;
use crate::critical_path;

/// How an element's tasks use the machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementUse {
    /// Id of the element in the drawing, or number of the task type in a recording.
    pub element: i64,
    /// Name of the element's first task, or the task type.
    pub name: String,
    pub tasks: u64,
    /// Sum of the tasks' run times, in seconds.
    pub total_s: f64,
    /// Longest run time of any of the tasks, in seconds.
    pub max_s: f64,
    /// Core seconds of the tasks.
    pub core_s: f64,
    /// Core seconds of the tasks, as a share of the core seconds of all tasks.
    pub share: f64,
    /// How much of the critical path these tasks take, in seconds.
    pub critical_s: f64,
}

/// Returns how the tasks of each element use the machine, sorted by element.
pub(super) fn uses(subject: &Subject, case: &Case) -> Vec<ElementUse> {
    let workflow = &subject.of(case.replication).workflow;
    let drawn = subject.elements(case.replication);
    let mut types: BTreeMap<&str, i64> = BTreeMap::new();
    let mut uses: BTreeMap<i64, ElementUse> = BTreeMap::new();
    let mut elements = Vec::with_capacity(workflow.len());
    let mut all_s = 0.0;
    for task in workflow.ids() {
        let run = case.prediction.run(task);
        let seconds = run.end_s - run.start_s;
        let core_s = seconds * f64::from(workflow.task(task).cores);
        all_s += core_s;
        let (element, name) = if let Some(element) = drawn.get(task.index()) {
            (*element, workflow.task_name(task))
        } else {
            let (name, next) = (workflow.task_type(task), types.len());
            let next = i64::try_from(next).unwrap_or(i64::MAX);
            (*types.entry(name).or_insert(next), name)
        };
        elements.push(element);
        let of = uses.entry(element).or_insert_with(|| ElementUse {
            element,
            name: name.to_owned(),
            tasks: 0,
            total_s: 0.0,
            max_s: 0.0,
            core_s: 0.0,
            share: 0.0,
            critical_s: 0.0,
        });
        of.tasks += 1;
        of.total_s += seconds;
        of.max_s = of.max_s.max(seconds);
        of.core_s += core_s;
    }
    for step in critical_path(workflow, &case.prediction) {
        let run = case.prediction.run(step.task);
        if let Some(of) = uses.get_mut(&elements[step.task.index()]) {
            of.critical_s += run.end_s - run.start_s;
        }
    }
    for of in uses.values_mut() {
        of.share = if all_s > 0.0 { of.core_s / all_s } else { 0.0 };
    }
    uses.into_values().collect()
}
