//! Creates documents from workflows and predictions.

use prophet_text::Problem;
use serde_json::{Map, Number, Value, json};

use super::{
    Body, Cpu, Document, Execution, FileEntry, MachineRecord, Specification, TaskEntry, TaskRecord,
    VERSION,
};
use crate::{FileId, TaskId, Workflow, WorkflowMachine, WorkflowPrediction};

impl Document {
    /// Creates a document from a workflow, with a prediction as the execution.
    ///
    /// # Errors
    ///
    /// Returns an error if JSON can't represent a time.
    pub fn new(
        workflow: &Workflow,
        machine: &WorkflowMachine,
        prediction: &WorkflowPrediction,
    ) -> Result<Self, Problem> {
        let tasks = |ids: &mut dyn Iterator<Item = TaskId>| -> Vec<_> {
            ids.map(|it| workflow.task_name(it).into()).collect()
        };
        let files = |ids: &mut dyn Iterator<Item = FileId>| -> Vec<_> {
            ids.map(|it| workflow.file_name(it).into()).collect()
        };
        let task = |id| TaskEntry {
            name: workflow.task_name(id).to_owned(),
            id: workflow.task_name(id).to_owned(),
            parents: Some(tasks(&mut workflow.parents(id))),
            children: Some(tasks(&mut workflow.children(id))),
            input_files: Some(files(&mut workflow.inputs(id))),
            output_files: Some(files(&mut workflow.outputs(id))),
            rest: Map::new(),
        };
        let file = |id| FileEntry {
            id: workflow.file_name(id).to_owned(),
            size_in_bytes: workflow.size_bytes(id).into(),
            rest: Map::new(),
        };
        let mut document = Self {
            name: workflow.name().to_owned(),
            version: VERSION.to_owned(),
            workflow: Body {
                specification: Specification {
                    tasks: workflow.ids().map(task).collect(),
                    files: Some(workflow.file_ids().map(file).collect()),
                    rest: Map::new(),
                },
                execution: None,
                rest: Map::new(),
            },
            rest: Map::new(),
        };
        document.predict(workflow, machine, prediction)?;
        Ok(document)
    }

    /// Replaces the recorded execution with a prediction. Everything else stays unchanged.
    ///
    /// `startInSeconds` of each task counts from the start of the workflow.
    ///
    /// # Errors
    ///
    /// Returns an error if JSON can't represent a time.
    pub fn predict(
        &mut self,
        workflow: &Workflow,
        machine: &WorkflowMachine,
        prediction: &WorkflowPrediction,
    ) -> Result<(), Problem> {
        let mut tasks = Vec::with_capacity(workflow.len());
        for id in workflow.ids() {
            let run = prediction.run(id);
            let start = Value::Number(number(run.start_s)?);
            tasks.push(TaskRecord {
                id: workflow.task_name(id).to_owned(),
                runtime_in_seconds: number(run.end_s - run.start_s)?,
                executed_at: None,
                core_count: Some(workflow.task(id).cores.into()),
                memory_in_bytes: Some(workflow.task(id).memory_bytes)
                    .filter(|it| *it > 0)
                    .map(Into::into),
                machines: Some(vec![machine.host_name(run.host)]),
                rest: rest(start, workflow.program(id)),
            });
        }
        let host = |id| MachineRecord {
            node_name: machine.host_name(id),
            cpu: Some(Cpu {
                core_count: Some(machine.group(id).cores.into()),
                rest: Map::new(),
            }),
            memory_in_bytes: Some(machine.group(id).memory_bytes)
                .filter(|it| *it < u64::MAX)
                .map(Into::into),
            rest: Map::new(),
        };
        self.workflow.execution = Some(Execution {
            makespan_in_seconds: number(prediction.makespan_s())?,
            tasks,
            machines: Some(machine.hosts().map(host).collect()),
            rest: Map::new(),
        });
        Ok(())
    }
}

/// Returns the entries of a record that have no field: the start, and the program if known.
fn rest(start: Value, program: Option<&str>) -> Map<String, Value> {
    let mut rest = Map::from_iter([("startInSeconds".to_owned(), start)]);
    if let Some(program) = program {
        rest.insert("command".to_owned(), json!({"program": program}));
    }
    rest
}

fn number(value: f64) -> Result<Number, Problem> {
    let help = "This is a bug; please report it.";
    Number::from_f64(value)
        .ok_or_else(|| Problem::with_help(format!("{value} is not a number"), help))
}
