//! Represents the workflow to predict. It is the same for all seeds, or differs from seed to seed.

use std::ffi::OsString;
use std::path::PathBuf;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_result::Parameters;
use prophet_text::Problem;

use super::files;
use super::flags::Arguments;
use crate::DrawnWorkflow;
use crate::costs::{Factors, Laws};
use crate::wfformat::{Document, Instance};

const TASKS_MAX: usize = 20_000_000;

/// A drawn workflow that has been checked with its rules.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a> {
    pub checked: &'a Checked,
    pub rules: &'a RuleSet,
    /// The user's own files of rules.
    pub rule_files: &'a [PathBuf],
}

#[derive(Debug)]
pub(super) struct Subject {
    /// The workflow for each seed, or one workflow for all seeds.
    instances: Vec<Instance>,
    /// For each drawn workflow, the ids of its tasks' elements.
    elements: Vec<Vec<i64>>,
    /// Empty for a recording, and in sweeps.
    pub(super) parameters: Parameters,
    pub(super) document: Option<Document>,
    pub(super) files: Vec<String>,
}

impl Subject {
    pub(super) fn read(
        arguments: &Arguments,
        others: &[OsString],
        drawing: Option<Drawing<'_>>,
    ) -> Result<Self, Vec<Problem>> {
        if let Some(given) = drawing {
            let mut drawing = DrawnWorkflow::new(given.checked, &arguments.file, given.rules)?;
            let mut subject = Self::unrolled(&mut drawing, arguments, others)?;
            let parameters = drawing.parameters(others);
            subject.parameters = parameters.map_err(|it| vec![it])?;
            return Ok(subject);
        }
        let (document, instance) = recorded(arguments)?;
        let mut subject = Self::recorded(instance);
        subject.document = Some(document);
        Ok(subject)
    }

    pub(super) fn recorded(instance: Instance) -> Self {
        Self {
            instances: vec![instance],
            elements: Vec::new(),
            parameters: Parameters::default(),
            document: None,
            files: Vec::new(),
        }
    }

    /// Returns the tasks of a drawing, which has no recording.
    pub(super) fn unrolled(
        drawing: &mut DrawnWorkflow,
        arguments: &Arguments,
        others: &[OsString],
    ) -> Result<Self, Vec<Problem>> {
        let own = Arguments::names();
        let (mut instances, mut elements) = (Vec::new(), Vec::new());
        let mut tasks = 0;
        for seed in arguments.seeds() {
            let seed = drawing.is_random().then_some(seed);
            let workflow = drawing.workflow(others, &own, seed)?;
            tasks += workflow.len();
            if tasks > TASKS_MAX && !instances.is_empty() {
                let what = format!("the workflows of all seeds have more than {TASKS_MAX} tasks");
                return Err(vec![Problem::with_help(
                    what,
                    "Use fewer `--replications`.",
                )]);
            }
            elements.push(drawing.elements().to_vec());
            instances.push(Instance {
                workflow,
                recorded: None,
                engine: None,
                engine_version: String::new(),
                notes: Vec::new(),
            });
            if seed.is_none() {
                break;
            }
        }
        Ok(Self {
            instances,
            elements,
            parameters: Parameters::default(),
            document: None,
            files: drawing.files(),
        })
    }

    pub(super) fn first(&self) -> &Instance {
        &self.instances[0]
    }

    pub(super) fn of(&self, replication: usize) -> &Instance {
        &self.instances[replication.min(self.instances.len() - 1)]
    }

    /// Returns the id of the element of each task; empty for a recording.
    pub(super) fn elements(&self, replication: usize) -> &[i64] {
        let last = self.elements.len().saturating_sub(1);
        self.elements
            .get(replication.min(last))
            .map_or(&[], |it| it)
    }

    pub(super) fn is_random(&self) -> bool {
        self.instances.len() > 1 || self.first().workflow.may_fail()
    }
}

/// Returns a recorded workflow with the requested costs, and its document.
pub(super) fn recorded(arguments: &Arguments) -> Result<(Document, Instance), Vec<Problem>> {
    let (mut document, mut notes) =
        files::read(&arguments.file, &arguments.with, arguments.reading())?;
    if !arguments.costs_from.is_empty() {
        let executions = files::executions(&arguments.costs_from);
        let laws = executions
            .and_then(|it| Laws::fit(&it))
            .map_err(|it| vec![it])?;
        prophet_text::say_styled(&prophet_text::plain::lines(&laws.text()));
        notes.extend(laws.apply(&mut document)?);
    }
    if !arguments.short_runs.is_empty() {
        let factors = factors(&arguments.short_runs).map_err(|it| vec![it])?;
        prophet_text::say_styled(&prophet_text::plain::lines(&factors.text()));
        notes.extend(factors.apply(&mut document));
    }
    let instance = document.instance()?;
    for note in notes.iter().chain(&instance.notes) {
        prophet_text::tell!("note: {note}");
    }
    Ok((document, instance))
}

/// Compares two executions of a short workflow.
fn factors(paths: &[PathBuf]) -> Result<Factors, Problem> {
    let executions = files::executions(paths)?;
    let [there, here] = &executions[..] else {
        let found = prophet_text::counted(paths.len() as u64, "file", "files");
        let what = format!("expected two executions after `--short-runs`, found {found}");
        let help = "Name the execution on the machine of the task times first, and then the \
                    execution on the machine to predict for.";
        return Err(Problem::with_help(what, help));
    };
    Factors::between([there, here]).map_err(|it| it.in_file(crate::text_file::shown(&paths[1])))
}
