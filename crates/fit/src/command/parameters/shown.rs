//! Prints fitted parameters for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_runtime::Assignment;
use prophet_text::Align;
use serde::Serialize;

use super::runs::Compared;
use super::{Found, ParameterEstimate};

use crate::cost::fitted::{chance, model_range, place};

impl Compared {
    fn error(&self) -> f64 {
        self.predicted_s / self.measured_s - 1.0
    }
}

/// Returns the flags of `sweep` that pass the estimates to a model. `run` accepts them too, except
/// for `--vary`.
pub(super) fn flags(parameters: &[ParameterEstimate]) -> Vec<String> {
    let flag = |it: &ParameterEstimate| match it.parameter {
        Some(parameter) => format!("--set {parameter}={}", it.value),
        None if Assignment::is_flag(&it.name) => format!("--{} {}", it.name, it.value),
        None => format!("--vary {}={}", it.name, it.value),
    };
    parameters.iter().map(flag).collect()
}

/// Returns a table of the parameters, with remarks.
pub(super) fn human(found: &Found, level: f64) -> String {
    let interval = model_range(&chance(level));
    let heading = [
        ("parameter", Align::Left),
        ("estimate", Align::Right),
        (interval.as_str(), Align::Left),
    ];
    let row = |it: &ParameterEstimate| {
        let range = it.range.as_ref();
        let range = range.map(|[low, high]| format!("{low} to {high}"));
        let unknown = || "not determined".to_owned();
        vec![
            prophet_text::plain::line(&it.name),
            it.value.clone(),
            range.unwrap_or_else(unknown),
        ]
    };
    let rows: Vec<Vec<String>> = found.parameters.iter().map(row).collect();
    let mut text = prophet_text::table(&heading, &rows);
    let mut line = |title: &str, content: &str| {
        let _ = writeln!(text, "{title:<14}{content}");
    };
    line("fitted to", &errors(&found.rows));
    if let Some(error) = found.error_left_out {
        let why = "mean error of each run, predicted from the other runs";
        line(
            "left out",
            &format!("{}, {why}", prophet_text::percent(error)),
        );
    }
    if let Some(rows) = &found.held_out {
        line("held out", &errors(rows));
    }
    let (vary, run): (Vec<&str>, Vec<&str>) = found
        .flags
        .iter()
        .map(String::as_str)
        .partition(|it| it.starts_with("--vary"));
    if !run.is_empty() {
        line("flags", &run.join(" "));
    }
    if !vary.is_empty() {
        line("of a sweep", &vary.join(" "));
    }
    for note in &found.notes {
        line("note", note);
    }
    text
}

/// Describes how many runs there are, and how accurate their predictions are.
fn errors(rows: &[Compared]) -> String {
    let errors = rows.iter().map(|it| it.error().abs());
    #[expect(clippy::cast_precision_loss, reason = "few runs")]
    let mean = errors.sum::<f64>() / rows.len() as f64;
    let mut told = format!(
        "{}, mean error {}",
        prophet_text::counted(rows.len() as u64, "run", "runs"),
        prophet_text::percent(mean)
    );
    let worst = { rows.iter() }.max_by(|a, b| a.error().abs().total_cmp(&b.error().abs()));
    if let Some(worst) = worst {
        let (names, values): (Vec<String>, Vec<f64>) = worst.settings.iter().cloned().unzip();
        let error = prophet_text::percent(worst.error().abs());
        let _ = write!(told, ", worst {error} at {}", place(&names, &values));
    }
    told
}

#[derive(Debug, Serialize)]
struct JsonReport<'f> {
    parameters: Vec<Parameter<'f>>,
    level: f64,
    error_left_out: Option<f64>,
    flags: &'f [String],
    notes: &'f [String],
    runs: Vec<Run<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<Vec<Run<'f>>>,
}

#[derive(Debug, Serialize)]
struct Parameter<'f> {
    name: &'f str,
    value: &'f str,
    low: Option<&'f str>,
    high: Option<&'f str>,
}

#[derive(Debug, Serialize)]
struct Run<'f> {
    settings: BTreeMap<&'f str, f64>,
    measured_s: f64,
    predicted_s: f64,
}

impl<'f> Run<'f> {
    fn of(run: &'f Compared) -> Self {
        let settings = run.settings.iter();
        Self {
            settings: settings.map(|(name, at)| (&**name, *at)).collect(),
            measured_s: run.measured_s,
            predicted_s: run.predicted_s,
        }
    }
}

pub(super) fn json(found: &Found, level: f64) -> String {
    let document = JsonReport {
        parameters: found
            .parameters
            .iter()
            .map(|it| Parameter {
                name: &it.name,
                value: &it.value,
                low: it.range.as_ref().map(|it| it[0].as_str()),
                high: it.range.as_ref().map(|it| it[1].as_str()),
            })
            .collect(),
        level,
        error_left_out: found.error_left_out,
        flags: &found.flags,
        notes: &found.notes,
        runs: found.rows.iter().map(Run::of).collect(),
        held_out: { found.held_out.as_ref() }.map(|rows| rows.iter().map(Run::of).collect()),
    };
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    format!("{text}\n")
}
