//! Runs the command `sweep`.

mod arguments;
mod records;
mod rows;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::evaluate::threads;
use crate::output::{Format, check_words};
use prophet_files::Inputs;
use prophet_text::{Problem, problem};

use crate::goal::{Bound, OpenGoals};
use crate::readers::{Page, Readers, RowTally};
use crate::study::{self, Subjects};
use crate::terminal::STOPPED;
pub use arguments::Arguments;
use arguments::Here;
use rows::Rows;

/// How this process was called.
#[derive(Debug, Clone, Copy)]
pub struct Called<'a> {
    /// What the user typed to run the command, such as `cargo xtask sweep`.
    pub program: &'a str,
    /// The words up to the command on this process's command line, such as `sweep`.
    pub words: &'a [OsString],
}

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the sweep can't be read, evaluated or written.
pub fn run(
    arguments: &Arguments,
    called: Called<'_>,
    subjects: &dyn Subjects,
) -> Result<ExitCode, Problem> {
    match &arguments.task {
        Some(task) => task.run((called.program, called.words), subjects),
        None => sweep(called.program, &arguments.here, subjects),
    }
}

/// The file that a sweep is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A plan in chunks, which has all files in it.
    Chunks(PathBuf),
    /// A model or a workflow, and the activity that it starts with.
    Named(PathBuf, Option<String>),
}

impl Arguments {
    /// Returns the subject. A list of points that can't be read stands for itself, because reading
    /// it again says why.
    pub fn subject(&self) -> Option<Subject> {
        let (file, points) = match &self.task {
            Some(task) => task.subject(),
            None => (self.here.model.as_deref()?, Some(&self.here.points)),
        };
        let Some(points) = points else {
            return Some(Subject::Chunks(file.to_owned()));
        };
        let Ok((mut plan, folder)) = study::plan(file) else {
            return Some(Subject::Named(file.to_owned(), None));
        };
        points.change(&mut plan);
        Some(Subject::Named(folder.join(plan.model), plan.main))
    }
}

fn sweep(program: &str, arguments: &Here, subjects: &dyn Subjects) -> Result<ExitCode, Problem> {
    let given = arguments.model.as_ref().ok_or("name a model or a plan")?;
    let (mut plan, folder) = study::plan(given)?;
    arguments.points.change(&mut plan);
    arguments.goals.change(&mut plan.find);
    if arguments.print_plan {
        plan.points()?;
        let text = prophet_text::plain::json(&plan.to_string());
        prophet_text::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let study = subjects.read(&plan, &folder, &arguments.rules)?;
    let (study, sweep) = (&*study, study.sweep()?);
    let bound = plan.find.bound.as_deref();
    let bounds = bound.map(|flag| study.bounds(flag)).transpose()?;
    let goals = OpenGoals::read(&plan.find, study.space(), study.metrics(), false)?;
    if plan.vary.is_empty() && !study.has_seeds() {
        prophet_text::tell!("note: nothing varies; add for example `--vary nodes=1,2,4`");
    }
    let model = folder.join(&plan.model);
    let mut inputs = study.inputs(&model, &plan, &arguments.rules);
    inputs.extend([given]);
    arguments.check(&inputs, goals.is_some())?;
    let format = Format::choose(arguments.format, arguments.out.as_deref())?;
    let chosen = goals.as_ref().is_some_and(OpenGoals::choose_points);
    if arguments.records.is_some() && !subjects.has_records() {
        return Err("--records is not supported for workflows: remove it".into());
    }
    if arguments.records.is_some() && (chosen || study.has_seeds()) {
        return Err(problem!(
            "--records needs exactly one result for every point: remove --seeds, --precision and \
             the search that chooses points"
        ));
    }
    let file = model.to_string_lossy();
    let page = arguments.report.as_ref();
    let page = page.map(|_| Page::new((program, &file), &plan, (subjects, study), goals.as_ref()));
    let mut readers = Readers {
        goals,
        page,
        tally: RowTally::default(),
    };
    let rows = Rows {
        study,
        sweep: &*sweep,
        bound: bound
            .zip(bounds.as_deref())
            .map(|(flag, sweep)| Bound { sweep, flag }),
        jobs: threads(arguments.jobs),
        out: arguments.out.as_deref(),
        format,
        goals: format!("{:?}", plan.find),
    };
    if !rows.write(&mut readers)? {
        return Ok(ExitCode::from(STOPPED));
    }
    if let Some(path) = &arguments.records
        && !records::write(path, &*sweep, rows.jobs)?
    {
        return Ok(ExitCode::from(STOPPED));
    }
    readers.finish(arguments.json, arguments.report.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

impl Here {
    /// Rejects flags that have no effect, and flags that would overwrite an input.
    fn check(&self, inputs: &Inputs, has_goals: bool) -> Result<(), Problem> {
        let outputs = [
            ("--out", &self.out),
            ("--report", &self.report),
            ("--records", &self.records),
        ];
        inputs
            .refuse({ outputs.into_iter() }.filter_map(|(flag, it)| Some((flag, it.as_ref()?))))?;
        check_words(
            has_goals,
            self.json,
            self.format.filter(|_| self.out.is_none()),
        )
    }
}
