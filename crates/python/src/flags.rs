//! Keyword arguments as the flags of a run.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use prophet_runtime::Model;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

/// Flags that name outputs: what they write is a result of other methods.
const OUTPUTS: [&str; 7] = [
    "all-processes",
    "format",
    "help",
    "record",
    "report",
    "trace",
    "version",
];

/// Names of all flags of a run, made once.
static FLAGS: LazyLock<BTreeSet<String>> = LazyLock::new(prophet_runtime::system_flags);

/// Words of a command line for keyword arguments: a flag of `run`, with `_` for `-`, or else a
/// parameter of the model; `parameters` is a dictionary of parameters alone.
///
/// # Errors
///
/// `TypeError` for a name that is neither.
pub(crate) fn words(model: &Model, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let mut words = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if name == "parameters" {
            for (name, value) in &value.cast_into::<PyDict>()? {
                set(model, &name.extract::<String>()?, &value, &mut words)?;
            }
            continue;
        }
        match flag(&name) {
            Some(flag) => add(&flag, &value, &mut words)?,
            None => set(model, &name, &value, &mut words)?,
        }
    }
    Ok(words)
}

/// Name of an axis of a sweep: the flag or parameter that the keyword names.
pub(crate) fn axis(name: &str) -> String {
    flag(name).unwrap_or_else(|| name.to_owned())
}

/// The flag that a keyword names.
fn flag(name: &str) -> Option<String> {
    let flag = name.replace('_', "-");
    (FLAGS.contains(&flag) && !OUTPUTS.contains(&flag.as_str())).then_some(flag)
}

/// Adds a flag, once for each value of a list.
fn add(flag: &str, value: &Bound<'_, PyAny>, words: &mut Vec<String>) -> PyResult<()> {
    if value.is_none() {
        return Ok(());
    }
    if let Ok(is_set) = value.cast::<PyBool>() {
        if is_set.is_true() {
            words.push(format!("--{flag}"));
        }
        return Ok(());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        for item in value.try_iter()? {
            words.push(format!("--{flag}={}", item?.str()?));
        }
        return Ok(());
    }
    words.push(format!("--{flag}={}", value.str()?));
    Ok(())
}

/// Adds the value of a parameter of the model.
fn set(
    model: &Model,
    name: &str,
    value: &Bound<'_, PyAny>,
    words: &mut Vec<String>,
) -> PyResult<()> {
    let mut names = model.parameters.iter().map(|it| it.name);
    if !names.any(|it| it == name) {
        return Err(unknown(model, name));
    }
    let text = match value.cast::<PyBool>() {
        Ok(is_true) => is_true.is_true().to_string(),
        Err(_) => value.str()?.to_string(),
    };
    words.push(format!("--set={name}={text}"));
    Ok(())
}

fn unknown(model: &Model, name: &str) -> PyErr {
    let flags = FLAGS.iter().filter(|it| !OUTPUTS.contains(&it.as_str()));
    let flags: Vec<String> = flags.map(|it| it.replace('-', "_")).collect();
    let parameters = model.parameters.iter().map(|it| it.name);
    let all = flags.iter().map(String::as_str).chain(parameters.clone());
    let meant = prophet_text::did_you_mean(name, all);
    let parameters: Vec<&str> = parameters.collect();
    let parameters = match parameters.as_slice() {
        [] => "it has none".to_owned(),
        names => names.join(", "),
    };
    PyTypeError::new_err(format!(
        "`{name}` is neither a flag of `run` nor a parameter of the model ({parameters}){meant}"
    ))
}
