//! Prints cost functions as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cost::fitted::{FittedCost, Prediction};

#[derive(Debug, Serialize)]
struct Cost<'f> {
    region: &'f str,
    metric: &'f str,
    unit: Option<&'f str>,
    parameters: &'f [String],
    #[serde(rename = "cost")]
    expression: String,
    points: usize,
    values: usize,
    error_left_out: Option<f64>,
    level: f64,
    largest: Predicted<'f>,
    predicted: Vec<Predicted<'f>>,
    undecided: Option<&'f str>,
    measure_next: Option<BTreeMap<&'f str, f64>>,
    notes: &'f [String],
    residuals: Vec<JsonResidual<'f>>,
}

#[derive(Debug, Serialize)]
struct Predicted<'f> {
    at: BTreeMap<&'f str, f64>,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    measured: Option<f64>,
}

#[derive(Debug, Serialize)]
struct JsonResidual<'f> {
    at: BTreeMap<&'f str, f64>,
    measured: f64,
    modeled: f64,
}

pub(crate) fn json(fits: &[FittedCost], level: f64) -> String {
    let regions: Vec<Cost<'_>> = fits.iter().map(|it| region(it, level)).collect();
    let text = serde_json::to_string_pretty(&regions).unwrap_or_default();
    prophet_text::plain::json(&text) + "\n"
}

fn region(fitted: &FittedCost, level: f64) -> Cost<'_> {
    let residual = |it: &crate::law::Residual| JsonResidual {
        at: place(fitted, &it.at),
        measured: it.measured,
        modeled: it.modeled,
    };
    let asked = fitted.asked.iter();
    let next = fitted.fit.measure_next.as_ref();
    Cost {
        region: &fitted.region,
        metric: &fitted.metric,
        unit: fitted.unit(),
        parameters: &fitted.parameters,
        expression: fitted.expression(),
        points: fitted.points.len(),
        values: fitted.values(),
        error_left_out: fitted.fit.error_left_out,
        level,
        largest: predicted(fitted, &fitted.largest),
        predicted: asked.map(|it| predicted(fitted, it)).collect(),
        undecided: fitted.fit.undecided.as_deref(),
        measure_next: next.map(|at| place(fitted, at)),
        notes: &fitted.fit.notes,
        residuals: fitted.fit.residuals.iter().map(residual).collect(),
    }
}

fn predicted<'f>(fitted: &'f FittedCost, prediction: &Prediction) -> Predicted<'f> {
    Predicted {
        at: place(fitted, &prediction.at),
        value: prediction.value,
        low: prediction.range.map(|it| it.0),
        high: prediction.range.map(|it| it.1),
        measured: prediction.measured,
    }
}

fn place<'f>(fitted: &'f FittedCost, at: &[f64]) -> BTreeMap<&'f str, f64> {
    let names = fitted.parameters.iter().map(String::as_str);
    names.zip(at.iter().copied()).collect()
}
