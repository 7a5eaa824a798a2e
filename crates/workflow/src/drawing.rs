//! Unrolls drawn workflows into tasks. A drawn workflow is a model whose main activity has the
//! stereotype `workflow`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_frontend::diagnostic::{Diagnostic, Severity};
use prophet_frontend::source::lines::Lines;
use prophet_interpreter::{Interpreted, NotUnrolled, TaskRun, Unrolled};
use prophet_result::{Parameters, flag_name};
use prophet_runtime::{Assignment, RunHandle, parameter_values, system_flags};
use prophet_text::Problem;
use prophet_text::did_you_mean;
use prophet_text::plain::{self, line};

use crate::{Draft, FileId, Task, TaskCost, TaskId, Workflow, quoted};

/// The only flag of a drawing that isn't named after a parameter.
const SET: &str = "set";

#[derive(Debug)]
pub struct DrawnWorkflow {
    name: String,
    folder: PathBuf,
    rules: RuleSet,
    interpreted: Interpreted,
    times: Times,
    elements: Vec<i64>,
    /// Files that the drawing reads, other than its own.
    files: BTreeSet<String>,
}

/// Predicted times of the models that determine task costs, by file and number of processes.
type Times = BTreeMap<(String, u32), f64>;

impl DrawnWorkflow {
    /// Reads and checks a model. `main` names the activity to start with, if there are several
    /// candidates.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is invalid or isn't a workflow.
    pub fn read(file: &Path, main: Option<&str>, rules: &RuleSet) -> Result<Self, Vec<Problem>> {
        Self::new(&checked(file, main, rules)?, file, rules)
    }

    /// Creates a workflow from a model that has already been checked with `rules`.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is invalid or isn't a workflow.
    pub fn new(checked: &Checked, file: &Path, rules: &RuleSet) -> Result<Self, Vec<Problem>> {
        let Some(program) = &checked.program else {
            return Err(errors(checked));
        };
        if !program.is_workflow {
            let help = "Apply the stereotype `workflow` to the main activity.";
            return Err(vec![Problem::with_help(
                "the model is not a workflow",
                help,
            )]);
        }
        let interpreted = Interpreted::workflow(checked, &checked.source.name);
        let interpreted = interpreted.map_err(|why| vec![cannot_run(&why.to_string())])?;
        Ok(Self {
            name: program.name.clone(),
            folder: file.parent().unwrap_or(Path::new("")).to_owned(),
            rules: rules.clone(),
            interpreted,
            times: Times::new(),
            elements: Vec::new(),
            files: beside(checked),
        })
    }

    /// Returns `true` if tasks can differ from seed to seed, because costs or decisions are random.
    pub fn is_random(&self) -> bool {
        self.interpreted.is_random()
    }

    /// Returns the id of the element that each task of the last generated workflow executes.
    pub fn elements(&self) -> &[i64] {
        &self.elements
    }

    /// Returns the values of the model's parameters with these flags.
    ///
    /// # Errors
    ///
    /// Returns an error if a flag is invalid.
    pub fn parameters(&self, flags: &[OsString]) -> Result<Parameters, Problem> {
        let words = std::iter::once("workflow".into()).chain(self.settings(flags));
        parameter_values(self.interpreted.model(), words)
    }

    /// Returns the drawing's tasks. `flags` set the model's parameters: `--NAME VALUE` or
    /// `--set NAME=VALUE`. Messages about unknown flags can suggest the flags in `others` too.
    ///
    /// # Errors
    ///
    /// Returns an error if a flag is invalid, or if the tasks can't be determined.
    pub fn workflow(
        &mut self,
        flags: &[OsString],
        others: &[String],
        seed: Option<u64>,
    ) -> Result<Workflow, Vec<Problem>> {
        self.check_flags(flags, others).map_err(|it| vec![it])?;
        let seed = seed.map(|it| format!("--seed={it}"));
        let words = ["workflow", "--processes", "1"].map(OsString::from);
        let words = words.into_iter().chain(seed.map(OsString::from));
        let words = words.chain(self.settings(flags));
        let unrolled = self.interpreted.unroll(words);
        let unrolled = unrolled.map_err(|why| vec![not_unrolled(&why)])?;
        self.elements = unrolled.tasks.iter().map(|it| it.id).collect();
        self.draft(unrolled)?.finish()
    }

    /// Rewrites flags that set a parameter with the same name as a program's flag, such as
    /// `--jobs`, to `--set NAME=VALUE`. Workflows don't have the program's flag.
    fn settings(&self, flags: &[OsString]) -> Vec<OsString> {
        let taken = system_flags();
        let parameters = self.interpreted.model().parameters;
        let mut words = Vec::new();
        let mut rest = flags.iter().peekable();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy();
            let flag = text.strip_prefix("--").unwrap_or_default();
            let (flag, value) = flag
                .split_once('=')
                .map_or((flag, None), |it| (it.0, Some(it.1)));
            let named = parameters.iter().find(|it| flag_name(it.name) == flag);
            let Some(parameter) = named.filter(|_| taken.contains(flag)) else {
                words.push(word.clone());
                continue;
            };
            let next = |it: &&OsString| value.is_none() && !it.to_string_lossy().starts_with("--");
            let next = rest.next_if(next).map(|it| it.to_string_lossy());
            let value = value.or(next.as_deref()).unwrap_or("true");
            words.push(format!("--set={}={value}", parameter.name).into());
        }
        words
    }

    pub(crate) fn check_flags(&self, flags: &[OsString], others: &[String]) -> Result<(), Problem> {
        let parameters = self.interpreted.model().parameters;
        let known: Vec<String> = { parameters.iter().map(|it| flag_name(it.name)) }
            .chain([SET.to_owned()])
            .collect();
        for flag in flags {
            let flag = flag.to_string_lossy();
            let Some(name) = flag.strip_prefix("--") else {
                continue;
            };
            let name = name.split('=').next().unwrap_or_default();
            if !known.iter().any(|it| it == name) {
                let all = known.iter().chain(others).map(String::as_str);
                let meant = did_you_mean(name, all);
                let what = format!("unknown flag {}{meant}", quoted(&format!("--{name}")));
                let help =
                    "List the flags with `-- --help`; the parameters of the model are also flags.";
                return Err(Problem::with_help(what, help));
            }
        }
        Ok(())
    }

    /// Returns `true` if the drawing has this parameter and it accepts the value.
    pub(crate) fn takes(&self, parameter: &str, value: &str) -> bool {
        Assignment::read(self.interpreted.model(), parameter, value).is_ok()
    }

    /// Returns the other files that were read, relative to the drawing's folder: tables, files with
    /// called activities, and models that determine task costs.
    pub(crate) fn files(&self) -> Vec<String> {
        self.files.iter().cloned().collect()
    }

    /// Moves the tasks into a draft, without copying anything.
    fn draft(&mut self, unrolled: Unrolled) -> Result<Draft, Vec<Problem>> {
        let mut draft = Draft::new(self.name.clone());
        for file in unrolled.files {
            if file.is_input {
                draft.input(&file.name, file.size_bytes);
            } else {
                draft.file(&file.name, file.size_bytes);
            }
        }
        for run in unrolled.tasks {
            let seconds = self.cost_s(&run).map_err(|it| vec![it])?;
            let task = draft.task(
                &run.name,
                Task {
                    cores: run.cores,
                    memory_bytes: run.memory_bytes,
                    failure_probability: run.failure_probability,
                    retries: run.retries,
                    ..Task::new(TaskCost::Seconds(seconds))
                },
            );
            if let Some(program) = &run.program {
                draft.runs(task, program);
            }
            for parent in run.waits.iter() {
                draft.waits(task, TaskId(*parent));
            }
            for file in run.inputs.iter().flat_map(|it| it.iter()) {
                draft.reads(task, FileId(*file));
            }
            for file in &run.outputs {
                draft.writes(task, FileId(*file));
            }
        }
        Ok(draft)
    }

    /// Returns a task's cost: its own, or the predicted time of its model.
    fn cost_s(&mut self, run: &TaskRun) -> Result<f64, Problem> {
        let Some(model) = &run.model else {
            return Ok(run.cost_s);
        };
        if let Some(seconds) = self.times.get(model) {
            return Ok(*seconds);
        }
        let seconds = self.predicted_s(&model.0, model.1).map_err(|problem| {
            let place = format!("task {}, model {}", quoted(&run.name), quoted(&model.0));
            problem.in_part(place)
        })?;
        self.times.insert(model.clone(), seconds);
        Ok(seconds)
    }

    /// Returns the predicted time of a model in the drawing's folder, with one CPU per process.
    fn predicted_s(&mut self, name: &str, processes: u32) -> Result<f64, Problem> {
        let file = self.folder.join(name);
        prophet_files::beside(&file, name).map_err(|why| Problem::unread(name.as_ref(), why))?;
        let checked = checked(&file, None, &self.rules);
        let checked = checked.map_err(|mut problems| problems.swap_remove(0))?;
        self.files.insert(name.to_owned());
        self.files.extend(beside(&checked));
        let interpreted = Interpreted::new(&checked, name, false);
        let interpreted = interpreted.map_err(|why| cannot_run(&why.to_string()))?;
        let count = processes.to_string();
        let words = ["model", "--nodes", "1", "--cpus-per-node", &count];
        let words = words.into_iter().chain(["--processes", &count]);
        let ran = interpreted.evaluate(words.map(OsString::from), &RunHandle::default());
        let ran = ran.map_err(|error| cannot_run(&error.message))?;
        match ran.failed {
            Some(error) => Err(cannot_run(&error.message)),
            None => Ok(ran.prediction.outcome.predicted_time_s),
        }
    }
}

fn checked(file: &Path, main: Option<&str>, rules: &RuleSet) -> Result<Checked, Vec<Problem>> {
    let checked = check_by(rules, file, main);
    let checked = checked.map_err(|why| vec![cannot_run(&why.message)])?;
    if checked.program.is_some() {
        return Ok(checked);
    }
    Err(errors(&checked))
}

/// Returns the files that a model reads in addition to its own.
fn beside(checked: &Checked) -> BTreeSet<String> {
    let tables = checked.program.iter().flat_map(|it| &it.tables);
    let called = checked.source.files.iter().map(|it| it.path.clone());
    tables.map(|it| it.file.clone()).chain(called).collect()
}

fn errors(checked: &Checked) -> Vec<Problem> {
    let lines = Lines::of(&checked.source);
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let errors = checked.diagnostics.iter().filter(is_error).take(100);
    let mut problems: Vec<Problem> = errors.map(|it| problem(it, &lines)).collect();
    if problems.is_empty() {
        problems.push(cannot_run("the model has no program"));
    }
    problems
}

fn problem(found: &Diagnostic, lines: &Lines<'_>) -> Problem {
    let what = format!("{} ({})", line(&found.message), found.code);
    let help = if found.help.is_empty() {
        "Run `check` to see where the error is.".to_owned()
    } else {
        plain::lines(&found.help)
    };
    let (number, _) = lines.place(found.span.start);
    Problem::with_help(what, help)
        .on_line(number as u64)
        .in_part(&found.element)
}

/// Returns an error that says why the tasks can't be determined, with the place in the model.
fn not_unrolled(why: &NotUnrolled) -> Problem {
    let problem = cannot_run(&why.message);
    let Some(place) = &why.place else {
        return problem;
    };
    let line = format!("line {}, column {}", place.line, place.column);
    problem.in_part(line).in_file(&place.file)
}

fn cannot_run(why: &str) -> Problem {
    Problem::with_help(plain::lines(why.trim()), "Correct the model or its flags.")
}
