//! Predicts training iterations of large language models, and compares the sample `megatron` with
//! measured times.
//!
//! Three prices of the machine `a100` are fitted to a table of iterations; all other prices come
//! from other sources. `cargo run -p prophet-accuracy --bin training megatron` fits them again.

mod calculon;
mod fit;
mod held_out;
mod iteration;
mod nemo;
mod sample;

use std::fmt::Write as _;

use crate::{Errors, Found, Other, Places, Row};

pub use fit::{Known, Local, PRICES, Price, Prices, fit};
pub(crate) use held_out::found as found_held_out;
pub use held_out::{HeldOut, held_out};
pub use iteration::Iteration;
pub use nemo::{Nemo, nemo};
pub use sample::{Layout, Sample};

/// Reads the rows that the prices are fitted to: table 5 of V. Korthikanti et al., "Reducing
/// Activation Recomputation in Large Transformer Models" (2022).
///
/// # Errors
///
/// Returns an error if the file of measurements is missing.
pub fn measured(places: &Places) -> Result<Vec<Iteration>, String> {
    let table = places.measurements("llm/megatron_seqsel_table5.tsv")?;
    Ok(Iteration::all(&table))
}

/// Reads the sample `megatron` on the machine `a100`.
///
/// # Errors
///
/// Returns an error with the reason if the model can't be read.
pub fn megatron(places: &Places) -> Result<Sample, String> {
    Sample::new(places, ("megatron.uml", "a100"), fit::MEGATRON)
}

/// Predictions for a row, with prices that were fitted with and without this row.
#[derive(Debug, Clone, Copy)]
pub struct Predicted {
    /// Predicted time with prices fitted to all rows, in seconds.
    pub fitted_s: f64,
    /// Predicted time with prices fitted to all other rows, in seconds.
    pub left_out_s: f64,
}

/// Predicts each row, using the approximation near the prices that are fitted to all rows.
pub fn predictions(model: &Sample, local: &Local, rows: &[Iteration]) -> Vec<Predicted> {
    let measured_s: Vec<f64> = rows.iter().map(Iteration::measured_s).collect();
    let predicted = |(index, row): (usize, &Iteration)| Predicted {
        fitted_s: local.predicted_s[index],
        left_out_s: model.predict(&row.layout(), &local.step(&measured_s, Some(index))),
    };
    rows.iter().enumerate().map(predicted).collect()
}

fn errors(rows: &[Iteration], predicted_s: impl IntoIterator<Item = f64>) -> Errors {
    let measured = rows.iter().map(Iteration::measured_s);
    Errors::new(predicted_s.into_iter().zip(measured))
}

/// Predicts the seconds with the rule of 6 operations per weight and token, or 8 with full
/// recomputation, at a single speed for all GPUs. The speed comes from the other rows, or from all
/// rows.
fn by_operations(rows: &[Iteration], at: usize, leaves_out: bool) -> f64 {
    let operations = |row: &Iteration| {
        let each = if row.text("recompute") == "full" {
            8.0
        } else {
            6.0
        };
        let tokens = row.number("global_batch") * row.number("seq");
        each * row.number("params_b") * tokens / row.number("gpus")
    };
    let others = rows.iter().enumerate();
    let others = others.filter(|(index, _)| !leaves_out || *index != at);
    let logarithms = others.map(|(_, row)| (row.measured_s() / operations(row)).ln());
    let logarithms: Vec<f64> = logarithms.collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    mean.exp() * operations(&rows[at])
}

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let rows = measured(places)?;
    let model = megatron(places)?;
    let layouts: Vec<_> = rows.iter().map(Iteration::layout).collect();
    let local = Local::new(&model, &layouts, model.prices());
    let predicted = predictions(&model, &local, &rows);
    let row = |what, predicted_s: Vec<f64>, fitted, leaves_out| {
        let naive = (0..rows.len()).map(|at| by_operations(&rows, at, leaves_out));
        let published = rows.iter().map(|row| row.number("calculon_s"));
        Row {
            source: "Korthikanti et al. 2022, table 5",
            fitted,
            naive: Some(Other {
                name: "operations at one speed",
                mean: errors(&rows, naive).mean_percent(),
            }),
            published: vec![Other {
                name: "Calculon",
                mean: errors(&rows, published).mean_percent(),
            }],
            ..Row::new(what, &errors(&rows, predicted_s))
        }
    };
    let fitted_s = predicted.iter().map(|it| it.fitted_s).collect();
    let left_out_s = predicted.iter().map(|it| it.left_out_s).collect();
    let all = row("all rows", fitted_s, "the same 8 rows (3 prices)", false);
    let left_out = row(
        "each row from the others",
        left_out_s,
        "the other 7 rows (3 prices)",
        true,
    );
    Ok(Found {
        rows: vec![all, left_out],
        ..Found::default()
    })
}

/// Writes the table in `sample-models/megatron.md`. A test compares the two.
///
/// # Panics
///
/// Panics if a column is missing.
pub fn table(rows: &[Iteration], predictions: &[Predicted]) -> String {
    let mut text = "| model | recomputation | measured (s) | predicted (s) | error \
                    | without this row (s) | error | Calculon (s) | error |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let mut all = [const { Vec::new() }; 3];
    for (row, predicted) in rows.iter().zip(predictions) {
        let (name, kind) = (row.text("model"), row.text("recompute"));
        let kind = kind.split('+').next().unwrap_or(kind);
        let measured_s = row.measured_s();
        write!(text, "| {name} | {kind} | {measured_s:.2} ").expect("it is text");
        let published_s = row.number("calculon_s");
        let predicted_s = [predicted.fitted_s, predicted.left_out_s, published_s];
        for (all, predicted_s) in all.iter_mut().zip(predicted_s) {
            all.push(predicted_s);
            let error = 100.0 * (predicted_s / measured_s - 1.0);
            write!(text, "| {predicted_s:.2} | {error:+.1} % ").expect("it is text");
        }
        text += "|\n";
    }
    let means = all.map(|predicted_s| errors(rows, predicted_s).mean_percent());
    let means = means.map(|mean| format!("{mean:.1} %")).join(" | | ");
    text + "| mean of the absolute errors | | | | " + &means + " |\n"
}
