//! Converts keyword arguments to flags of `run`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use prophet_runtime::{Assignment, Configuration, Model};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

use crate::error::run_error;

/// Flags for output files. Other methods return what these flags would write.
const OUTPUTS: [&str; 7] = [
    "all-processes",
    "format",
    "help",
    "record",
    "report",
    "trace",
    "version",
];

static FLAGS: LazyLock<BTreeSet<String>> = LazyLock::new(prophet_runtime::system_flags);

/// A keyword argument: a parameter of the model, or a flag with its values. A flag without a value
/// has none.
enum Keyword {
    Flag(String, Vec<String>),
    Parameter(String, String),
}

/// Returns the configuration that keyword arguments describe. A keyword is a flag of `run`, with
/// `_` in place of `-`, or otherwise a parameter of the model. The keyword `parameters` takes a
/// dictionary of only parameters. `standard` is the configuration without keywords.
///
/// Flags with a single value, the usual case, are assigned directly, because parsing a command line
/// takes longer than most runs.
///
/// # Errors
///
/// Raises `TypeError` for an unknown name, and `RunError` for an invalid value.
pub(crate) fn configuration(
    model: &Model,
    standard: &Configuration,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Configuration> {
    let (mut words, mut assigned) = (Vec::new(), Vec::new());
    for keyword in keywords(model, given)? {
        let (name, value) = match &keyword {
            Keyword::Parameter(name, value) if Assignment::is_flag(name) => {
                (format!("set.{name}"), value)
            }
            Keyword::Parameter(name, value) => (name.clone(), value),
            Keyword::Flag(name, values) => match values.as_slice() {
                [value] if Assignment::is_flag(name) => (name.clone(), value),
                _ => {
                    words.extend(keyword.words());
                    continue;
                }
            },
        };
        let assignment = Assignment::read(model, &name, value);
        assigned.push(assignment.map_err(run_error)?);
    }
    let mut configuration = if words.is_empty() {
        standard.clone()
    } else {
        Configuration::read(model, &words).map_err(run_error)?
    };
    for assignment in &assigned {
        configuration.assign(assignment);
    }
    Ok(configuration)
}

/// Converts keyword arguments to words of a command line, with the same rules as [`configuration`].
///
/// # Errors
///
/// Raises `TypeError` if a name is neither a flag nor a parameter.
pub(crate) fn words(model: &Model, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let keywords = keywords(model, given)?;
    Ok(keywords.iter().flat_map(Keyword::words).collect())
}

fn keywords(model: &Model, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Keyword>> {
    let mut keywords = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if name == "parameters" {
            for (name, value) in &value.cast_into::<PyDict>()? {
                keywords.push(parameter(model, name.extract()?, &value)?);
            }
            continue;
        }
        match flag(&name) {
            Some(flag) => keywords.extend(Keyword::of_flag(flag, &value)?),
            None => keywords.push(parameter(model, name, &value)?),
        }
    }
    Ok(keywords)
}

impl Keyword {
    /// Creates a flag with its values; `None` if the flag isn't set.
    fn of_flag(flag: String, value: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if value.is_none() {
            return Ok(None);
        }
        if let Ok(is_set) = value.cast::<PyBool>() {
            return Ok(is_set.is_true().then(|| Self::Flag(flag, Vec::new())));
        }
        let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
        let values = if is_list {
            let items = value.try_iter()?.map(|item| text(&item?));
            items.collect::<PyResult<Vec<_>>>()?
        } else {
            vec![text(value)?]
        };
        Ok((!values.is_empty()).then_some(Self::Flag(flag, values)))
    }

    fn words(&self) -> Vec<String> {
        match self {
            Self::Parameter(name, value) => vec![format!("--set={name}={value}")],
            Self::Flag(flag, values) if values.is_empty() => vec![format!("--{flag}")],
            Self::Flag(flag, values) => { values.iter() }
                .map(|it| format!("--{flag}={it}"))
                .collect(),
        }
    }
}

fn parameter(model: &Model, name: String, value: &Bound<'_, PyAny>) -> PyResult<Keyword> {
    if !model.parameters.iter().any(|it| it.name == name) {
        return Err(unknown(model, &name));
    }
    let value = match value.cast::<PyBool>() {
        Ok(is_true) => is_true.is_true().to_string(),
        Err(_) => text(value)?,
    };
    Ok(Keyword::Parameter(name, value))
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.str()?.to_string())
}

/// Returns the name of a sweep's axis: the flag or parameter that the keyword means.
pub(crate) fn axis(name: &str) -> String {
    flag(name).unwrap_or_else(|| name.to_owned())
}

fn flag(name: &str) -> Option<String> {
    let flag = name.replace('_', "-");
    (FLAGS.contains(&flag) && !OUTPUTS.contains(&flag.as_str())).then_some(flag)
}

fn unknown(model: &Model, name: &str) -> PyErr {
    let flags = FLAGS.iter().filter(|it| !OUTPUTS.contains(&it.as_str()));
    let flags: Vec<String> = flags.map(|it| it.replace('-', "_")).collect();
    let parameters = model.parameters.iter().map(|it| it.name);
    let all = flags.iter().map(String::as_str).chain(parameters.clone());
    let meant = prophet_text::did_you_mean(name, all);
    let parameters: Vec<&str> = parameters.collect();
    let parameters = match parameters.as_slice() {
        [] => "it has no parameters".to_owned(),
        names => names.join(", "),
    };
    PyTypeError::new_err(format!(
        "`{name}` is neither a flag of `run` nor a parameter of the model ({parameters}){meant}"
    ))
}
