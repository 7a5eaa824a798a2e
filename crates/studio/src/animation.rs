//! Animates runs: finds where each process is at any time, and the values of its variables then.

use prophet_text::{Context as _, Problem, problem};
mod rows;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use prophet_frontend::checked::Checked;
use prophet_interpreter::{Interpreted, Moment, Scope, Variable};
use prophet_runtime::{RunHandle, Trace, Value};
use serde::{Deserialize, Serialize};

use crate::folder::Folder;
use crate::predict::{only_compiled, scratch, words};
use crate::workflow;
use rows::Rows;

/// Approximate maximum number of records to animate. There can be a few thousand more.
const RECORDS_MAX: u64 = 1 << 17;

#[derive(Debug, Deserialize)]
pub(crate) struct TraceRequest {
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct VariablesRequest {
    revision: u64,
    #[serde(default)]
    flags: BTreeMap<String, String>,
    process: u32,
    number: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Animation {
    end_s: f64,
    /// Why the run failed; `None` if it didn't.
    failure: Option<String>,
    /// When the animation stops; `None` if it covers the whole run.
    until_s: Option<f64>,
    left_out: u64,
    #[serde(flatten)]
    rows: Rows,
}

/// A variable with its values as text.
#[derive(Debug, Serialize)]
pub(crate) struct Seen {
    name: String,
    scope: &'static str,
    values: Vec<String>,
    length: Option<u32>,
}

/// Runs a model with these flags, and returns an animation of the run.
pub(crate) fn trace(
    checked: &Checked,
    request: &TraceRequest,
    folder: &Folder,
    run: &RunHandle,
) -> Result<Animation, Problem> {
    trace_at_most(RECORDS_MAX, checked, request, folder, run)
}

/// Predicts the workflow in a file with these flags, and returns an animation. A running task is
/// shown at its element. Hosts are shown as processes, and cores as threads.
pub(crate) fn of_workflow(
    checked: &Checked,
    request: &TraceRequest,
    file: &Path,
) -> Result<Animation, Problem> {
    let predicted = workflow::predicted(checked, &request.flags, file)?;
    let mut stays = predicted.stays();
    let most = usize::try_from(RECORDS_MAX).unwrap_or(usize::MAX);
    let until_s = stays.get(most).map(|it| it.times_s[0]);
    let left_out = stays.len().saturating_sub(most);
    stays.truncate(most);
    Ok(Animation {
        end_s: predicted.makespan_s(),
        failure: None,
        until_s,
        left_out: left_out as u64,
        rows: Rows::of_tasks(&stays, until_s.is_none()),
    })
}

fn trace_at_most(
    records: u64,
    checked: &Checked,
    request: &TraceRequest,
    folder: &Folder,
    run: &RunHandle,
) -> Result<Animation, Problem> {
    let (interpreted, words) = prepare(checked, &request.flags, folder)?;
    let mut trace = Trace::scratch(scratch()).at_most(records);
    let outcome = interpreted.observe(words, Some(&mut trace), run);
    if let Err(why) = &outcome
        && trace.read().is_err()
    {
        return Err(why.clone());
    }
    trace.written().map_err(ToString::to_string)?;
    let mut reader = trace.read().told()?;
    let left_out = trace.left_out();
    let rows = Rows::read(&mut reader, &interpreted, left_out.is_none());
    let rows = rows.told()?;
    Ok(Animation {
        end_s: reader.results().predicted_time_s,
        failure: outcome.err().map(String::from),
        until_s: left_out.map(|it| it.from_s),
        left_out: left_out.map_or(0, |it| it.records),
        rows,
    })
}

/// Runs a model again up to a moment in a process, and returns the values of the variables at that
/// moment.
pub(crate) fn variables(
    checked: &Checked,
    revision: u64,
    request: &VariablesRequest,
    folder: &Folder,
    run: &RunHandle,
) -> Result<Vec<Seen>, Problem> {
    if request.revision != revision {
        return Err("the model has changed since the animation was made".into());
    }
    if workflow::is_workflow(checked) {
        return Err("workflows consist of tasks, not of processes with variables".into());
    }
    let (mut interpreted, words) = prepare(checked, &request.flags, folder)?;
    let VariablesRequest {
        process, number, ..
    } = *request;
    let seen = interpreted.variables_at(Moment { process, number }, words, run)?;
    let seen = seen.ok_or_else(|| problem!("process {process} does not reach moment {number}"))?;
    Ok(seen.into_iter().map(Seen::from).collect())
}

/// Prepares the program for observation, and builds the command line of a run.
fn prepare(
    checked: &Checked,
    flags: &BTreeMap<String, String>,
    folder: &Folder,
) -> Result<(Interpreted, Vec<OsString>), Problem> {
    let mut flags = flags.clone();
    // An animation needs all iterations in time order. Neither flag changes the prediction.
    flags.retain(|name, _| name != "engine" && name != "repetition");
    let words = words(checked, &flags, folder)?;
    let interpreted = Interpreted::observed(checked, &checked.source.name);
    let interpreted = interpreted.map_err(|why| only_compiled(&why))?;
    Ok((interpreted, words))
}

impl From<Variable> for Seen {
    fn from(variable: Variable) -> Self {
        Self {
            name: variable.name,
            scope: match variable.scope {
                Scope::Diagram => "diagram",
                Scope::Process => "process",
                Scope::Run => "run",
            },
            values: variable.values.iter().map(text).collect(),
            length: variable.length,
        }
    }
}

/// Writes a value as C does: real numbers have a decimal point or an exponent.
fn text(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Real(value) => format!("{value:?}"),
        Value::Bool(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
