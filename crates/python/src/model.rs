//! Reads, checks, predicts, sweeps and traces models.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by, check_source};
use prophet_interpreter::Interpreted;
use prophet_model::source::Source;
use prophet_model::vocabulary::StereotypeKind;
use prophet_runtime::{Configuration, Ran, RunError as RunFailure, RunHandle};
use prophet_sweep::{
    AxisForm, AxisValue, METRICS, PLAIN_METRICS, Replications, Space, Sweep, SweepRow,
};
use prophet_targets::form;
use prophet_text::markup::escaped;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::error::{self, ModelError, Problem, RunError};
use crate::explanation::Explanation;
use crate::flags;
use crate::prediction::Prediction;
use crate::table::{Column, Table};
use crate::waiting::{self, wait};

/// The arguments of [`Model::again`].
type Again<'a> = (String, PathBuf, Option<&'a str>, Vec<PathBuf>, bool);

/// Name of the program in command lines made from keywords.
const PROGRAM: &str = "performance_prophet";

/// A model: a drawing of a parallel program.
#[pyclass(frozen, module = "performance_prophet")]
pub(crate) struct Model {
    checked: Checked,
    /// How the model was read; needed to read it again in another process.
    origin: Origin,
    /// The program, or the reason why it can't run in this process.
    program: Result<Arc<Interpreted>, String>,
    /// The configuration of a run without flags.
    standard: OnceLock<Result<Configuration, prophet_text::Problem>>,
}

/// Everything that is needed to read a model, except its text.
struct Origin {
    /// The folder that contains the model's tables and included files.
    folder: PathBuf,
    main: Option<String>,
    rules: Vec<PathBuf>,
    assume: bool,
}

impl Model {
    fn of(checked: Checked, origin: Origin) -> Self {
        let program = Interpreted::new(&checked, &checked.source.name, true);
        Self {
            program: program
                .map(Arc::new)
                .map_err(|why| format!("{why}; only a compiled program can run it")),
            checked,
            origin,
            standard: OnceLock::new(),
        }
    }

    fn read(py: Python<'_>, source: Source, origin: Origin) -> PyResult<Self> {
        let rules = rules(&origin.rules, origin.assume)?;
        Ok(py.detach(|| {
            let checked = check_source(&rules, source, &origin.folder, origin.main.as_deref());
            Self::of(checked, origin)
        }))
    }

    /// Returns the program. If the model has errors, raises them.
    fn program(&self, py: Python<'_>) -> PyResult<&Arc<Interpreted>> {
        if self.checked.program.is_none() {
            return Err(error::model_error(py, &self.checked));
        }
        let program = self.program.as_ref();
        program.map_err(|why| RunError::new_err(why.clone()))
    }

    fn configuration(
        &self,
        program: &Interpreted,
        flags: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Configuration> {
        let model = program.model();
        let standard = self
            .standard
            .get_or_init(|| Configuration::read(model, &[""; 0]));
        let standard = { standard.as_ref() }.map_err(error::run_error)?;
        flags::configuration(model, standard, flags)
    }

    /// Runs the model with keywords as flags, and writes a file.
    fn run(
        &self,
        py: Python<'_>,
        flags: Option<&Bound<'_, PyDict>>,
        (flag, file): (&str, &Path),
    ) -> PyResult<Ran> {
        let program = self.program(py)?;
        let mut words = vec![OsString::from(PROGRAM)];
        words.extend({ flags::words(program.model(), flags)?.into_iter() }.map(OsString::from));
        words.extend([flag.into(), file.into()]);
        ended(waiting::run(py, |handle| program.evaluate(words, handle))?)
    }
}

/// Returns a completed run, or the exception that explains why the run failed.
fn ended(ran: Result<Ran, RunFailure>) -> PyResult<Ran> {
    let failed = match ran {
        Ok(Ran {
            failed: Some(failed),
            ..
        })
        | Err(failed) => failed,
        Ok(ran) => return Ok(ran),
    };
    Err(error::run_error(&failed.message))
}

/// Returns the built-in rules and the rules in these files. If `assume` is `true`, assumptions are
/// allowed.
fn rules(files: &[PathBuf], assume: bool) -> PyResult<RuleSet> {
    let mut rules = RuleSet::shipped();
    for file in files {
        rules.add_file(file).map_err(error::of_input)?;
    }
    if assume {
        rules.assume();
    }
    Ok(rules)
}

#[pymethods]
impl Model {
    /// Reads and checks a model file in any supported format.
    #[staticmethod]
    #[pyo3(signature = (path, *, main = None, rules = Vec::new(), assume = false))]
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        main: Option<String>,
        rules: Vec<PathBuf>,
        assume: bool,
    ) -> PyResult<Self> {
        let set = self::rules(&rules, assume)?;
        // In Python, an unreadable file raises an exception of its own.
        fs::metadata(&path).map_err(|why| error::unread(&path, &why))?;
        let checked = py.detach(|| check_by(&set, &path, main.as_deref()));
        let checked = checked.map_err(|it| ModelError::new_err(String::from(it)))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let origin = Origin {
            folder,
            main,
            rules,
            assume,
        };
        Ok(py.detach(|| Self::of(checked, origin)))
    }

    /// Checks the text of a model: XMI, our XML form, or `PlantUML`. `folder` contains the model's
    /// tables.
    #[staticmethod]
    #[pyo3(signature = (
        text, *, name = "model", folder = PathBuf::new(), main = None, assume = false
    ))]
    fn from_text(
        py: Python<'_>,
        text: String,
        name: &str,
        folder: PathBuf,
        main: Option<String>,
        assume: bool,
    ) -> PyResult<Self> {
        let origin = Origin {
            folder,
            main,
            rules: Vec::new(),
            assume,
        };
        Self::read(py, Source::new(name, text), origin)
    }

    /// Restores a model from [`Self::__reduce__`] in another process.
    #[staticmethod]
    #[pyo3(name = "_again")]
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn again(
        py: Python<'_>,
        source: String,
        folder: PathBuf,
        main: Option<String>,
        rules: Vec<PathBuf>,
        assume: bool,
    ) -> PyResult<Self> {
        let source = serde_json::from_str(&source);
        let source = source.map_err(|why| ModelError::new_err(why.to_string()))?;
        let origin = Origin {
            folder,
            main,
            rules,
            assume,
        };
        Self::read(py, source, origin)
    }

    /// Pickles the model's text and how it was read. Tables and rules are read again from their
    /// paths.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Again<'_>)> {
        let again = py.get_type::<Self>().getattr("_again")?;
        let Origin { main, assume, .. } = &self.origin;
        let folder = std::env::current_dir()?.join(&self.origin.folder);
        let rules: Result<_, _> = self.origin.rules.iter().map(std::path::absolute).collect();
        let source = serde_json::to_string(&self.checked.source);
        let source = source.map_err(|why| ModelError::new_err(why.to_string()))?;
        Ok((again, (source, folder, main.as_deref(), rules?, *assume)))
    }

    /// The model's name; empty if it has errors.
    #[getter]
    fn name(&self) -> &'static str {
        self.program.as_ref().map_or("", |it| it.model().name)
    }

    /// All errors and warnings, in file order.
    #[getter]
    fn problems(&self) -> Vec<Problem> {
        error::problems(&self.checked)
    }

    /// What was assumed where the drawing leaves something open.
    #[getter]
    fn assumptions(&self) -> Vec<String> {
        let program = self.checked.program.as_ref();
        program.map(|it| it.assumptions.clone()).unwrap_or_default()
    }

    /// The model's parameters with their default values; `None` if a parameter has no default and
    /// must be given.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        for parameter in self.program(py)?.model().parameters {
            let value = match (parameter.is_required, parameter.default) {
                (true, _) => py.None().into_bound(py),
                (false, prophet_runtime::Value::Int(it)) => it.into_pyobject(py)?.into_any(),
                (false, prophet_runtime::Value::Real(it)) => it.into_pyobject(py)?.into_any(),
                (false, prophet_runtime::Value::Bool(it)) => {
                    it.into_pyobject(py)?.to_owned().into_any()
                }
            };
            parameters.set_item(parameter.name, value)?;
        }
        Ok(parameters)
    }

    /// Raises `ModelError` if the model has errors; returns the warnings.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        if self.checked.program.is_none() {
            return Err(error::model_error(py, &self.checked));
        }
        Ok(self.problems())
    }

    /// Predicts how long the program runs. Keywords are `run`'s flags, with `_` for `-`, and model
    /// parameters.
    #[pyo3(signature = (**flags))]
    fn predict(&self, py: Python<'_>, flags: Option<&Bound<'_, PyDict>>) -> PyResult<Prediction> {
        let program = self.program(py)?;
        let configuration = self.configuration(program, flags)?;
        let ran = waiting::run(py, |handle| {
            program.evaluate_configured(&configuration, handle)
        })?;
        Ok(Prediction::new(Arc::clone(program), ended(ran)?))
    }

    /// Returns a run's trace as a table with one row for each activity of a unit.
    #[pyo3(signature = (**flags))]
    fn trace(&self, py: Python<'_>, flags: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("trace");
        self.run(py, flags, ("--trace", &file))?;
        let file = File::open(file)?;
        py.detach(|| Table::read(BufReader::new(file)))
    }

    /// Explains where the time of a run goes: the critical path, the gains from faster elements,
    /// the load balance, and an HTML page that shows all of these.
    #[pyo3(signature = (**flags))]
    fn explain(&self, py: Python<'_>, flags: Option<&Bound<'_, PyDict>>) -> PyResult<Explanation> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("report.html");
        let ran = self.run(py, flags, ("--report", &file))?;
        let data = ran
            .explanation
            .ok_or_else(|| RunError::new_err(ran.notes))?;
        Ok(Explanation::new(data))
    }

    /// Writes the model to a file in the format given by its extension: UML 2 with the profile next
    /// to it (`.uml`), the text form (`.puml`), or the XML form (`.prophet.xml`).
    #[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let Some(model) = &self.checked.model else {
            return Err(error::model_error(py, &self.checked));
        };
        let form = form::ModelForm::of(&path).map_err(error::refused)?;
        let text = form.of_model(model, &self.checked.source.name);
        let written = text.and_then(|text| form.write(&path, text));
        written.map_err(error::refused)
    }

    /// Predicts for every combination of the values in `axes`, using `jobs` threads (all CPUs by
    /// default). `progress` is called with the number of finished points and the total number;
    /// `True` shows a progress bar.
    #[pyo3(signature = (axes, *, jobs = None, seeds = None, progress = None, **flags))]
    fn sweep(
        &self,
        py: Python<'_>,
        axes: &Bound<'_, PyDict>,
        jobs: Option<usize>,
        seeds: Option<&str>,
        progress: Option<Bound<'_, PyAny>>,
        flags: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let program = self.program(py)?;
        let (names, space) = space(program, axes)?;
        let flags = self.configuration(program, flags)?;
        let replications = Replications::parse(seeds, None);
        let replications = replications.map_err(error::run_error)?;
        let sweep = Sweep::new(program, flags, &space, replications).map_err(error::run_error)?;
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        let (handle, done) = (RunHandle::default(), AtomicU64::new(0));
        let progress = progress.map_or(Ok(None), |it| shown(py, it))?;
        let work = || {
            let mut rows = Vec::new();
            let jobs = jobs.unwrap_or(cpus).max(1);
            sweep.evaluate(0..space.points(), jobs, &handle, |row| {
                rows.push(row);
                done.fetch_add(1, Ordering::Relaxed);
            });
            rows
        };
        let look = |_: Python<'_>| match &progress {
            None => Ok(()),
            Some(call) => {
                let done = done.load(Ordering::Relaxed);
                call.call1((done, space.points())).map(drop)
            }
        };
        let rows = wait(py, &handle, work, look)?;
        table(names, &space, &rows)
    }

    fn __repr__(&self) -> String {
        let name = &self.checked.source.name;
        match &self.checked.program {
            None => format!("<Model {name} with errors>"),
            Some(_) => format!("<Model {}: {name}>", self.name()),
        }
    }

    /// The main diagram, or the problems if the model has errors.
    fn _repr_html_(&self) -> String {
        let problems = error::problems(&self.checked);
        let drawing = match &self.program {
            Ok(program) => program.model().drawings.first().map(|it| it.svg),
            Err(_) => None,
        };
        let paragraph = |it: &Problem| format!("<p>{}</p>", escaped(&it.line()));
        let problems: String = problems.iter().map(paragraph).collect();
        drawing.unwrap_or_default().to_owned() + &problems
    }
}

/// Returns what to call to show progress: a bar for `True`, or nothing for `False`.
fn shown<'py>(py: Python<'py>, progress: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match progress.cast::<PyBool>() {
        Err(_) if progress.is_none() => Ok(None),
        Err(_) => Ok(Some(progress)),
        Ok(is_shown) if is_shown.is_true() => {
            let bar = PyModule::import(py, "performance_prophet._progress")?.getattr("Bar")?;
            bar.call0().map(Some)
        }
        Ok(_) => Ok(None),
    }
}

/// Returns the space of these axes. Each axis has a name and values, given as a list or as the text
/// of a range.
fn space(program: &Interpreted, axes: &Bound<'_, PyDict>) -> PyResult<(Vec<String>, Space)> {
    let (mut names, mut dimensions) = (Vec::new(), Vec::new());
    for (name, values) in axes {
        let name = name.extract::<String>()?;
        let values = if let Ok(text) = values.cast::<PyString>() {
            text.to_string()
        } else {
            let values: PyResult<Vec<String>> = { values.try_iter()? }
                .map(|value| Ok(value?.str()?.to_string()))
                .collect();
            values?.join(",")
        };
        dimensions.push(format!("{}={values}", flags::axis(&name)));
        names.push(name);
    }
    let space = Space::parse(&dimensions, None).map_err(error::run_error)?;
    Ok((names, Sweep::rounded(program, space)))
}

/// Converts the rows of a sweep to a table: the axes by keyword, the results, and the reasons for
/// missing results.
fn table(names: Vec<String>, space: &Space, rows: &[SweepRow]) -> PyResult<Table> {
    let is_axis = |metric: &str| names.iter().any(|it| it == metric);
    let metrics: Vec<_> = { METRICS.iter().enumerate() }
        .filter(|(_, metric)| !is_axis(metric.name))
        .collect();
    let mut columns = Vec::new();
    for (place, (name, axis)) in names.into_iter().zip(space.axes()).enumerate() {
        let values = rows.iter().map(|row| &row.values[place]);
        let column = match axis.form() {
            AxisForm::Whole => Column::Whole(values.map(whole).collect()),
            AxisForm::Real => {
                let numbers = values.map(|it| it.number().unwrap_or(f64::NAN));
                Column::Real(numbers.collect())
            }
            AxisForm::Text => Column::Text(values.map(|it| Some(it.to_string())).collect()),
        };
        columns.push((name, column));
    }
    for (place, metric) in metrics {
        let value = |row: &SweepRow| {
            let found = row.found.as_ref().ok();
            let value = found.and_then(|it| it.metric(metric.name));
            value.unwrap_or(f64::NAN)
        };
        let values: Vec<f64> = rows.iter().map(value).collect();
        // Machines without power data have no energy.
        if place < PLAIN_METRICS || values.iter().any(|value| !value.is_nan()) {
            // A mean over seeds can be fractional.
            let is_whole = values.iter().all(|it| it.is_nan() || it.fract() == 0.0);
            let column = if metric.is_count() && is_whole {
                Column::Whole(values.into_iter().map(whole_number).collect())
            } else {
                Column::Real(values)
            };
            columns.push((metric.name.to_owned(), column));
        }
    }
    let errors = rows.iter().map(|row| row.found.as_ref().err().cloned());
    columns.push(("error".to_owned(), Column::Text(errors.collect())));
    Table::of(columns)
}

/// Converts a count to an integer; `None` if the row has no result. Counts are less than 2^53.
#[expect(clippy::cast_possible_truncation, reason = "it is a whole number")]
fn whole_number(value: f64) -> Option<i64> {
    (!value.is_nan()).then_some(value as i64)
}

fn whole(value: &AxisValue) -> Option<i64> {
    match value {
        AxisValue::Whole(whole) => Some(*whole),
        AxisValue::Real(_) | AxisValue::Text(_) => None,
    }
}

/// Lists the stereotypes of the profile.
#[pyfunction]
pub(crate) fn stereotypes() -> Vec<&'static str> {
    StereotypeKind::ALL.iter().map(|it| it.name()).collect()
}
