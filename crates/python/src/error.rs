//! Defines the exceptions, and represents problems in models.

use std::io;
use std::path::Path;

use prophet_frontend::checked::Checked;
use prophet_model::diagnostic::Diagnostic;
use prophet_model::source::Source;
use prophet_model::source::lines::Lines;
use prophet_text::plain;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    performance_prophet,
    ProphetError,
    PyException,
    "Base class of this package's exceptions."
);
create_exception!(
    performance_prophet,
    ModelError,
    ProphetError,
    "A model with errors; `problems` lists them with line and column."
);
create_exception!(
    performance_prophet,
    RunError,
    ProphetError,
    "A run that could not start or continue."
);

pub(crate) fn of_input(problem: impl Into<String>) -> PyErr {
    ProphetError::new_err(problem.into())
}

/// Creates Python's exception for a file that can't be read. Its message is the same as in all
/// commands.
pub(crate) fn unread(file: &Path, why: &io::Error) -> PyErr {
    let problem = prophet_text::Problem::unread(file, why);
    io::Error::new(why.kind(), String::from(problem)).into()
}

/// A problem, with its place in a model's file.
#[pyclass(frozen, get_all, module = "performance_prophet")]
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    /// Code of the kind of problem, such as `PM0610`.
    code: String,
    /// `error` or `warning`.
    severity: &'static str,
    /// The message, a single line.
    message: String,
    /// Path of the element, such as `Model::Main::A1`; may be empty.
    element: String,
    /// Name of the file with the problem.
    file: String,
    /// Line, counted from 1.
    line: usize,
    /// Column, counted from 1.
    column: usize,
    /// Advice; may be empty.
    help: String,
}

#[pymethods]
impl Problem {
    fn __repr__(&self) -> String {
        let (severity, code, place) = (self.severity, &self.code, self.place());
        let message = plain::line(&self.message);
        format!("<{severity} {code} at {place}: {message}>")
    }

    fn __str__(&self) -> String {
        self.line()
    }
}

impl Problem {
    fn of(found: &Diagnostic, source: &Source, lines: &Lines<'_>) -> Self {
        let (line, column) = lines.place(found.span.start);
        Self {
            code: found.code.clone().into_owned(),
            severity: found.severity.name(),
            message: found.message.clone(),
            element: found.element.clone(),
            file: source.name_at(found.span.start).to_owned(),
            line,
            column,
            help: found.help.clone(),
        }
    }

    fn place(&self) -> String {
        format!("{}:{}:{}", plain::line(&self.file), self.line, self.column)
    }

    /// Returns the problem as a line that starts with its place. Hidden characters are shown as
    /// numbers.
    pub(crate) fn line(&self) -> String {
        let (severity, code, place) = (self.severity, &self.code, self.place());
        let message = plain::line(&self.message);
        let help = if self.help.is_empty() {
            String::new()
        } else {
            format!(" ({})", plain::line(&self.help))
        };
        format!("{place}: {severity} {code}: {message}{help}")
    }
}

pub(crate) fn problems(checked: &Checked) -> Vec<Problem> {
    let lines = Lines::of(&checked.source);
    let found = checked.diagnostics.iter();
    found
        .map(|it| Problem::of(it, &checked.source, &lines))
        .collect()
}

/// Creates the exception for a model with errors.
pub(crate) fn model_error(py: Python<'_>, checked: &Checked) -> PyErr {
    let problems = problems(checked);
    let errors: Vec<String> = { problems.iter() }
        .filter(|it| it.severity == "error")
        .map(Problem::line)
        .collect();
    let error = ModelError::new_err(errors.join("\n"));
    match error.value(py).setattr("problems", problems) {
        Ok(()) => error,
        Err(error) => error,
    }
}

/// Creates the exception for a rejected input or output.
pub(crate) fn refused(why: impl std::fmt::Display) -> PyErr {
    ProphetError::new_err(why.to_string())
}

/// Creates the exception for a failed run. Its message omits the hints for the command line.
pub(crate) fn run_error(why: impl std::fmt::Display) -> PyErr {
    let message = why.to_string();
    let problem = message.split("\n\n").next().unwrap_or(&message);
    RunError::new_err(problem.to_owned())
}
