//! Formats what was found, for people and programs.

use std::collections::BTreeMap;

use crate::evaluate::{Metric, SweepRow};
use crate::plan::Method;
use crate::search::{Expression, Indices};
use crate::space::AxisValue;
use serde::Serialize;

#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) text: String,
    pub(crate) data: ShownFinding,
    pub(crate) mark: Option<Mark>,
}

#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) title: String,
    /// A sentence about how the points were found.
    pub(crate) about: String,
    /// The expressions that determined which points were found.
    pub(crate) columns: Vec<String>,
    /// The best points, followed by points that are nearly as good.
    pub(crate) rows: Vec<SweepRow>,
    pub(crate) points: usize,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ShownFinding {
    Minimum(ShownMinimum),
    Compromises(Compromises),
    Sensitivity(ShownSensitivity),
}

#[derive(Debug, Serialize)]
pub(crate) struct ShownMinimum {
    pub(super) minimize: String,
    pub(super) subject_to: Vec<String>,
    /// Number of points in the space; `None` if they can't be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) points: Option<u64>,
    pub(super) evaluated: u64,
    pub(super) proven: bool,
    pub(super) failed: u64,
    pub(super) best: Vec<ShownPoint>,
}

/// The points that no other point beats.
#[derive(Debug, Serialize)]
pub(crate) struct Compromises {
    pub(super) pareto: Vec<String>,
    pub(super) subject_to: Vec<String>,
    pub(super) points: u64,
    pub(super) failed: u64,
    pub(super) front: Vec<ShownPoint>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ShownSensitivity {
    pub(crate) of: String,
    pub(crate) method: Method,
    pub(crate) evaluated: u64,
    pub(crate) failed: u64,
    pub(crate) parameters: Vec<ShownInfluence>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ShownInfluence {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) shares: Indices,
    /// Why the axes don't matter; `None` if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct ShownPoint {
    pub(super) index: u64,
    pub(super) values: BTreeMap<String, serde_json::Value>,
    pub(super) objectives: Vec<f64>,
    pub(super) results: BTreeMap<&'static str, f64>,
}

impl ShownPoint {
    pub(super) fn new(
        names: &[String],
        results: &'static [Metric],
        row: &SweepRow,
        objectives: Vec<f64>,
    ) -> Self {
        let value = |value: &AxisValue| match value {
            AxisValue::Whole(whole) => (*whole).into(),
            AxisValue::Real(real) => (*real).into(),
            AxisValue::Text(text) => (**text).into(),
        };
        let metrics = row.found.iter().flat_map(|found| {
            let pairs = results.iter().zip(found.metrics);
            pairs.map(|(metric, value)| (metric.name, value))
        });
        Self {
            index: row.index,
            values: names
                .iter()
                .cloned()
                .zip(row.values.iter().map(value))
                .collect(),
            objectives,
            results: metrics.filter(|(_, value)| value.is_finite()).collect(),
        }
    }
}

pub(crate) fn json(findings: &[Finding]) -> String {
    let data: Vec<&ShownFinding> = findings.iter().map(|it| &it.data).collect();
    let text = match data[..] {
        [one] => serde_json::to_string_pretty(one),
        _ => serde_json::to_string_pretty(&data),
    };
    text.map_or_else(
        |error| error.to_string(),
        |text| prophet_text::plain::json(&text) + "\n",
    )
}

/// Describes the constraints in a phrase that follows the objective.
pub(super) fn met(constraints: &[Expression]) -> String {
    let texts: Vec<&str> = constraints.iter().map(Expression::text).collect();
    if texts.is_empty() {
        return String::new();
    }
    format!(" where {}", texts.join(" and "))
}

/// Formats the values at a point, as in `nodes=4 network=fast`.
pub(super) fn place(names: &[String], row: &SweepRow) -> String {
    let pairs = names.iter().zip(&row.values);
    let pairs: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    prophet_text::plain::line(&pairs.join(" "))
}

pub(super) fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) {
        return format!("{value:.5e}");
    }
    let text = format!("{value:.6}");
    let whole = text.find('.').unwrap_or(text.len());
    let kept = text[..text.len().min(whole.max(1) + 7)].to_owned();
    if kept.contains('.') {
        kept.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        kept
    }
}
