//! Fits cost functions to measurements.

use std::path::PathBuf;

use prophet_fit::law::{self, Options, Samples};
use prophet_fit::measurements::{self, Choice, Point};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;
use crate::table::{Column, Table};

/// A cost function fitted to measurements.
#[pyclass(frozen, module = "performance_prophet")]
#[derive(Debug)]
pub(crate) struct Fit {
    region: String,
    parameters: Vec<String>,
    law: law::Fit,
}

impl Fit {
    fn of(region: String, samples: Samples, signed: bool) -> PyResult<Self> {
        let options = Options {
            signed,
            ..Options::default()
        };
        let fit = law::fit(&samples, &options);
        let fit = fit.map_err(error::refused)?;
        Ok(Self {
            region,
            parameters: samples.parameters,
            law: fit,
        })
    }

    /// Returns the values of the parameters from keyword arguments.
    fn at(&self, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<f64>> {
        let mut at = vec![f64::NAN; self.parameters.len()];
        for (name, value) in given.into_iter().flatten() {
            let name: String = name.extract()?;
            let place = self.parameters.iter().position(|it| *it == name);
            let place = place.ok_or_else(|| self.expected(&name))?;
            at[place] = value.extract()?;
        }
        match at.iter().position(|it| it.is_nan()) {
            None => Ok(at),
            Some(place) => {
                let missing = format!("the parameter `{}` has no value", self.parameters[place]);
                Err(PyTypeError::new_err(missing))
            }
        }
    }

    fn expected(&self, name: &str) -> PyErr {
        let names = self.parameters.join(", ");
        PyTypeError::new_err(format!("unknown parameter `{name}`; choose one of {names}"))
    }
}

#[pymethods]
impl Fit {
    /// The region of the program that was measured; empty if the measurements don't name one.
    #[getter]
    fn region(&self) -> &str {
        &self.region
    }

    /// The names of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.parameters.clone()
    }

    /// The cost function as an expression of the cost language.
    #[getter]
    fn formula(&self) -> String {
        self.law.model.expression(&self.parameters)
    }

    /// The mean relative error when the largest scale is predicted from the smaller scales only.
    /// `None` if a parameter has fewer than four values.
    #[getter]
    fn error_left_out(&self) -> Option<f64> {
        self.law.error_left_out
    }

    /// Why the measurements don't determine the function; `None` if they do.
    #[getter]
    fn undecided(&self) -> Option<String> {
        self.law.undecided.clone()
    }

    /// Remarks about the measurements.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.law.notes.clone()
    }

    /// Returns the function's value for these parameters, given as keywords.
    #[pyo3(signature = (**at))]
    fn __call__(&self, at: Option<&Bound<'_, PyDict>>) -> PyResult<f64> {
        Ok(self.law.model.at(&self.at(at)?))
    }

    /// Returns the interval that contains a measurement with probability `level`.
    #[pyo3(signature = (level = 0.9, **at))]
    fn interval(&self, level: f64, at: Option<&Bound<'_, PyDict>>) -> PyResult<(f64, f64)> {
        if !(level > 0.0 && level < 1.0) {
            return Err(PyValueError::new_err("expected a level between 0 and 1"));
        }
        Ok(self.law.interval(level, &self.at(at)?))
    }

    /// The measured and the fitted value at each point.
    fn residuals(&self) -> PyResult<Table> {
        let residuals = &self.law.residuals;
        let mut columns = Vec::new();
        for (place, name) in self.parameters.iter().enumerate() {
            let values = residuals.iter().map(|it| it.at[place]).collect();
            columns.push((name.clone(), Column::Real(values)));
        }
        let measured = residuals.iter().map(|it| it.measured).collect();
        columns.push(("measured".to_owned(), Column::Real(measured)));
        let fitted = residuals.iter().map(|it| it.modeled).collect();
        columns.push(("fitted".to_owned(), Column::Real(fitted)));
        Table::of(columns)
    }

    fn __repr__(&self) -> String {
        format!("<Fit {}>", self.formula())
    }
}

/// Fits a function to each series of measurements in the files. They can have any format that the
/// `fit` command supports.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
#[pyo3(signature = (files, *, parameters = None, metric = None, signed = false))]
pub(crate) fn fit_files(
    py: Python<'_>,
    files: Vec<PathBuf>,
    parameters: Option<Vec<String>>,
    metric: Option<String>,
    signed: bool,
) -> PyResult<Vec<Fit>> {
    let choice = Choice {
        parameters: parameters.unwrap_or_default(),
        metric,
        ..Choice::default()
    };
    py.detach(|| {
        let series = measurements::read(&files, &choice).map_err(error::refused)?;
        let fits = series.into_iter().map(|series| {
            let samples = Samples {
                parameters: series.parameters,
                points: series.points,
            };
            Fit::of(series.region, samples, signed)
        });
        fits.collect()
    })
}

/// Fits a function to columns: one column for each parameter, and one with the measured values.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as Python calls it")]
pub(crate) fn fit_columns(
    py: Python<'_>,
    parameters: Vec<String>,
    columns: Vec<Vec<f64>>,
    values: Vec<f64>,
    signed: bool,
) -> PyResult<Fit> {
    if columns.iter().any(|it| it.len() != values.len()) || columns.len() != parameters.len() {
        return Err(PyValueError::new_err("the columns have different lengths"));
    }
    let points = { values.iter().enumerate() }.map(|(row, &value)| Point {
        at: columns.iter().map(|column| column[row]).collect(),
        values: vec![value],
    });
    let samples = Samples {
        parameters,
        points: points.collect(),
    };
    py.detach(|| Fit::of(String::new(), samples, signed))
}
