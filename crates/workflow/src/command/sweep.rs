//! Sweeps workflows: predicts a workflow, as `run` does, at each point of a space of flags and
//! parameters.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_frontend::rule_flags::RuleFlags;
use prophet_result::flag_name;
use prophet_runtime::RunHandle;
use prophet_sweep::{
    Axis, AxisPlace, AxisValue, Evaluate, METRICS, Metric, Plan, PointResults, Replications, Space,
    Subjects, SweepStudy,
};
use prophet_text::{FileRole, Problem, problem};

use super::cases::{Case, cases};
use super::files;
use super::flags::{Arguments as Run, rules};
use super::output::{core_hours, cost, utilization};
use super::parted;
use super::subject::{Subject, recorded};
use crate::wfformat::{Instance, LARGEST_BYTES};
use crate::{DrawnWorkflow, text_file, usages};

/// Flags of `run` that write files or choose a format, which a sweep does itself.
const WRITING: [&str; 7] = [
    "--out",
    "--report",
    "--expect",
    "--trace",
    "--save-schedule",
    "--format",
    "--what-if",
];
/// Maximum number of values of an axis to check before the first prediction. If there are more,
/// only both ends are checked.
const READ_MAX: u64 = 1_000;
/// Where to check an interval, as a share of its length. It isn't a simple fraction, so that the
/// value isn't an integer by chance.
const WITHIN: f64 = 0.381_966;

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::new(name, unit, about)
}

const RESULTS: [Metric; 9] = [
    metric("makespan_s", "s", "the makespan"),
    metric(
        "utilization",
        "",
        "time that tasks hold cores, as a share of the total core time",
    ),
    metric("core_hours", "h", "hours that tasks hold cores"),
    metric(
        "held_core_hours",
        "h",
        "makespan times the cores of all hosts",
    ),
    metric("cost", "", "cost of the core hours"),
    metric(
        "moved_bytes",
        "B",
        "bytes read, written or sent between hosts",
    ),
    metric("hosts", "", "hosts"),
    metric("cores", "", "cores of all hosts"),
    metric(
        "failed_replications",
        "",
        "replications in which the workflow fails",
    ),
];

/// Workflows as the subjects of sweeps.
#[derive(Debug, Clone, Copy)]
pub struct Workflows;

impl Subjects for Workflows {
    fn plan_format(&self) -> &'static str {
        prophet_text::WORKFLOW_PLAN
    }

    fn resources(&self) -> &'static [&'static str] {
        &["hosts", "cores"]
    }

    fn better_if_more(&self) -> &'static [&'static str] {
        &["utilization"]
    }

    fn has_records(&self) -> bool {
        false
    }

    fn read(
        &self,
        plan: &Plan,
        folder: &Path,
        rules: &RuleFlags,
    ) -> Result<Box<dyn SweepStudy>, Problem> {
        Ok(Box::new(WorkflowStudy::read(plan, folder, rules)?))
    }
}

#[derive(Debug)]
struct Lines {
    words: Vec<OsString>,
    space: Space,
    is_drawn: bool,
}

impl Lines {
    /// Returns the command line with these values, and the words of it that belong to a drawing.
    fn run(&self, values: &[AxisValue]) -> Result<(Run, Vec<OsString>), Problem> {
        let mut words = self.words.clone();
        for (axis, value) in self.space.axes().zip(values) {
            let flag = before(&axis.name);
            match flag.split_once(' ') {
                Some((flag, name)) => words.extend([flag.into(), format!("{name}{value}").into()]),
                None => words.push(format!("{flag}{value}").into()),
            }
        }
        let (own, others) = parted(words.into_iter(), self.is_drawn);
        let parsed = Run::read(None, own, self.is_drawn);
        let run = parsed.map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        })?;
        Ok((run, others))
    }

    /// Returns the first values of all axes, except that `axis` has `value`.
    fn with(&self, axis: &Axis, value: AxisValue) -> Vec<AxisValue> {
        let axes = self.space.axes();
        let mut values: Vec<AxisValue> = axes.map(|it| it.value_at(0.0)).collect();
        if let Some(at) = self.space.axes().position(|it| it.name == axis.name) {
            values[at] = value;
        }
        values
    }

    /// Returns the command lines for each value of each axis, combined with the first values of the
    /// other axes, so that invalid flags are reported before any prediction.
    fn command_lines(&self) -> Result<Vec<Run>, Problem> {
        let mut runs = Vec::new();
        for axis in self.space.axes() {
            let values: Vec<AxisValue> = match axis.count() {
                Some(count) if count <= READ_MAX => (0..count).map(|it| axis.value(it)).collect(),
                _ => [0.0, WITHIN, 1.0].map(|it| axis.value_at(it)).into(),
            };
            for value in values {
                runs.push(self.run(&self.with(axis, value))?.0);
            }
        }
        if runs.is_empty() {
            runs.push(self.run(&[])?.0);
        }
        Ok(runs)
    }
}

#[derive(Debug)]
enum Source {
    Recorded(Box<Instance>),
    /// A drawing. Each thread unrolls its own copy.
    Drawn(Box<Drawn>),
}

#[derive(Debug)]
struct Drawn {
    file: PathBuf,
    checked: Checked,
    rules: RuleSet,
    idle: Mutex<Vec<DrawnWorkflow>>,
}

impl Drawn {
    /// Calls `act` with a drawing that no other thread uses.
    fn with<T>(
        &self,
        act: impl FnOnce(&mut DrawnWorkflow) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut drawing = match idle {
            Some(drawing) => drawing,
            None => {
                DrawnWorkflow::new(&self.checked, &self.file, &self.rules).map_err(join_problems)?
            }
        };
        let done = act(&mut drawing);
        lock().push(drawing);
        done
    }
}

#[derive(Debug)]
struct WorkflowStudy {
    name: String,
    lines: Lines,
    source: Source,
    has_seeds: bool,
    /// Texts of the workflow and of all files named by its flags.
    texts: Vec<String>,
    /// Other files of a drawing, relative to its folder.
    files: Vec<String>,
    named_files: Vec<String>,
}

impl WorkflowStudy {
    fn read(plan: &Plan, folder: &Path, rule_flags: &RuleFlags) -> Result<Self, Problem> {
        let file = folder.join(&plan.model);
        let text = text_file::read(&file, LARGEST_BYTES as u64)
            .map_err(|it| it.in_file(text_file::shown(&file)))?;
        let role = prophet_files::format_of(&file).map(|it| it.kind.role());
        let is_drawn = !matches!(role, Some(FileRole::Workflow | FileRole::WorkflowPart));
        let (space, replications) = plan.points()?;
        let words = words(plan, &file, &replications)?;
        let mut lines = Lines {
            words,
            space,
            is_drawn,
        };
        let first: Vec<AxisValue> = lines.space.axes().map(|it| it.value_at(0.0)).collect();
        let (run, others) = lines.run(&first)?;
        let source = if is_drawn {
            let rules = rules(rule_flags)?;
            let checked = check_by(&rules, &file, plan.main.as_deref())?;
            let drawing = DrawnWorkflow::new(&checked, &file, &rules).map_err(join_problems)?;
            let idle = Mutex::new(vec![drawing]);
            Source::Drawn(Box::new(Drawn {
                file: file.clone(),
                checked,
                rules,
                idle,
            }))
        } else {
            let (_, instance) = recorded(&run).map_err(join_problems)?;
            Source::Recorded(Box::new(instance))
        };
        lines.space = rounded(&lines, &source);
        let named_files = named_files(&lines.command_lines()?, &file)?;
        let mut texts = vec![text];
        for path in &named_files {
            texts.push(text_file::read(Path::new(path), u64::MAX).unwrap_or_default());
        }
        let mut files = Vec::new();
        if let Source::Drawn(drawn) = &source {
            texts.push(format!("{:?}", drawn.checked.source.text));
            drawn.with(|it| it.check_flags(&others, &Run::names()))?;
            files = drawn.with(|drawing| {
                // The first point shows which models determine tasks' costs. If it fails, its row
                // says why.
                let _ = Subject::unrolled(drawing, &run, &others);
                Ok(drawing.files())
            })?;
        }
        Ok(Self {
            name: file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            has_seeds: run.seeds().count() > 1,
            lines,
            source,
            texts,
            files,
            named_files,
        })
    }

    fn subject(&self, run: &Run, others: &[OsString]) -> Result<Subject, Problem> {
        match &self.source {
            Source::Recorded(recorded) => Ok(Subject::recorded((**recorded).clone())),
            Source::Drawn(drawn) => {
                drawn.with(|drawing| Subject::unrolled(drawing, run, others).map_err(join_problems))
            }
        }
    }
}

impl SweepStudy for WorkflowStudy {
    fn name(&self) -> &str {
        &self.name
    }

    fn space(&self) -> &Space {
        &self.lines.space
    }

    fn has_seeds(&self) -> bool {
        self.has_seeds
    }

    fn metrics(&self) -> &'static [Metric] {
        &RESULTS
    }

    fn flag(&self, axis: &str) -> Option<String> {
        Some(before(axis))
    }

    fn texts(&self) -> Vec<&str> {
        self.texts.iter().map(String::as_str).collect()
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn named_files(&self, _: &Plan) -> Vec<String> {
        self.named_files.clone()
    }

    fn sweep(&self) -> Result<Box<dyn Evaluate + '_>, Problem> {
        Ok(Box::new(self))
    }

    fn bounds(&self, _: &str) -> Result<Box<dyn Evaluate + '_>, Problem> {
        Err("only models of programs have lower bounds: remove --bound".into())
    }
}

impl Evaluate for &WorkflowStudy {
    fn space(&self) -> &Space {
        &self.lines.space
    }

    fn results_at(&self, places: &[AxisPlace], _: &RunHandle) -> Result<PointResults, String> {
        let (run, others) = self.lines.run(&self.lines.space.values(places))?;
        let subject = self.subject(&run, &others)?;
        let cases = cases(&run, &subject)?;
        let [case] = &*cases else {
            return Err(
                "each point needs exactly one scheduler and one number of hosts".to_owned(),
            );
        };
        Ok(PointResults {
            metrics: metrics(subject.of(case.replication), case),
            half_width_s: case.interval().map_or(f64::NAN, |it| it.half_width),
            seeds: case.replications(),
        })
    }

    fn identity_texts(&self) -> Vec<String> {
        vec![format!("{:?}", self.lines)]
    }

    fn record(&self, _: u64, _: &RunHandle) -> Option<Vec<u8>> {
        None
    }
}

fn words(plan: &Plan, file: &Path, replications: &Replications) -> Result<Vec<OsString>, Problem> {
    if plan.precision.is_some() {
        return Err("workflows need a fixed number of seeds: remove --precision".into());
    }
    let is_writing = |it: &&String| WRITING.contains(&it.split('=').next().unwrap_or_default());
    if let Some(word) = plan.flags.iter().find(is_writing) {
        return Err(problem!(
            "sweeps do not support the flag `{word}`: remove it"
        ));
    }
    let mut words: Vec<OsString> = vec!["run".into(), file.into()];
    if let Some(seeds) = replications.seeds() {
        let count = (seeds.end() - seeds.start()).saturating_add(1);
        words.push(format!("--seed={}", seeds.start()).into());
        words.push(format!("--replications={count}").into());
    }
    words.extend(plan.flags.iter().map(OsString::from));
    Ok(words)
}

/// Returns the space. Intervals of flags and parameters that accept only integers contain only
/// integers.
fn rounded(lines: &Lines, source: &Source) -> Space {
    let own = Run::names();
    let takes = |axis: &Axis| {
        let value = axis.value_at(WITHIN);
        match source {
            Source::Drawn(drawn) if !own.contains(&axis.name) => {
                let read = drawn.with(|it| Ok(it.takes(&axis.name, &value.to_string())));
                read.unwrap_or(false)
            }
            _ => lines.run(&lines.with(axis, value)).is_ok(),
        }
    };
    let is_whole =
        |axis: &Axis| axis.count().is_none() && !takes(axis) && takes(&axis.clone().rounded());
    lines.space.clone().rounded(is_whole)
}

/// Returns the files named on the command lines, except for the workflow.
fn named_files(runs: &[Run], file: &Path) -> Result<Vec<String>, Problem> {
    let mut named = BTreeSet::new();
    for run in runs {
        for path in files::listed(&run.read_files())? {
            if path != file {
                named.insert(path.display().to_string());
            }
        }
    }
    Ok(named.into_iter().collect())
}

/// Returns the text before an axis's value on a command line: a flag, or a parameter's name.
fn before(axis: &str) -> String {
    if flag_name(axis) == axis {
        format!("--{axis}=")
    } else {
        format!("--set {axis}=")
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
fn metrics(instance: &Instance, case: &Case) -> [f64; METRICS.len()] {
    let usages = usages(&instance.workflow, &case.machine, &case.prediction);
    let makespan_s = case.makespan_s();
    let cores = case.machine.cores() as f64;
    let found = [
        makespan_s,
        utilization(case, &usages),
        core_hours(&usages),
        makespan_s * cores / 3600.0,
        cost(instance, case),
        case.prediction.moved_bytes(),
        case.machine.len() as f64,
        cores,
        case.failures as f64,
    ];
    let mut metrics = [f64::NAN; METRICS.len()];
    metrics[..found.len()].copy_from_slice(&found);
    metrics
}

fn join_problems(problems: Vec<Problem>) -> Problem {
    let texts: Vec<String> = problems.into_iter().map(String::from).collect();
    texts.join("\nerror: ").into()
}
