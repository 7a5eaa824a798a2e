//! Exceptions, and problems of a model.

use prophet_codegen::generate::Checked;
use prophet_model::diagnostic::render_json;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde::Deserialize;

create_exception!(
    performance_prophet,
    ProphetError,
    PyException,
    "Base of the exceptions of this package."
);
create_exception!(
    performance_prophet,
    ModelError,
    ProphetError,
    "A model with errors; `problems` has them with their places."
);
create_exception!(
    performance_prophet,
    RunError,
    ProphetError,
    "A run that could not begin or go on."
);

/// A problem of a model at a place in its file.
#[expect(
    clippy::unsafe_derive_deserialize,
    reason = "PyO3 adds the methods; none relies on the values of fields"
)]
#[pyclass(frozen, get_all, module = "performance_prophet")]
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Problem {
    /// Code of the kind of problem, such as `PM0610`.
    code: String,
    /// `error` or `warning`.
    severity: String,
    /// The problem in one line.
    message: String,
    /// Path of the element, such as `Model::Main::A1`; may be empty.
    element: String,
    /// Name of the file.
    file: String,
    /// Line, from 1.
    line: usize,
    /// Column, from 1.
    column: usize,
    /// Advice; may be empty.
    help: String,
}

#[pymethods]
impl Problem {
    fn __repr__(&self) -> String {
        let Self {
            code,
            severity,
            message,
            file,
            line,
            column,
            ..
        } = self;
        format!("<{severity} {code} at {file}:{line}:{column}: {message}>")
    }

    fn __str__(&self) -> String {
        self.line()
    }
}

impl Problem {
    /// The problem in one line, with its place first.
    pub(crate) fn line(&self) -> String {
        let Self {
            code,
            severity,
            message,
            file,
            line,
            column,
            help,
            ..
        } = self;
        let help = if help.is_empty() {
            String::new()
        } else {
            format!(" ({help})")
        };
        format!("{file}:{line}:{column}: {severity} {code}: {message}{help}")
    }
}

/// The problems of a model, in order.
pub(crate) fn problems(checked: &Checked) -> Vec<Problem> {
    let text = render_json(&checked.source, &checked.diagnostics);
    // The text is our own, with these keys.
    serde_json::from_str(&text).unwrap_or_default()
}

/// The exception of a model with errors.
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

/// The exception of a run, with the message of a command line without its hints of usage.
pub(crate) fn run_error(message: &str) -> PyErr {
    let problem = message.split("\n\n").next().unwrap_or(message);
    RunError::new_err(problem.to_owned())
}
