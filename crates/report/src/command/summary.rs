//! Summarizes a page's data for terminals and programs.

use std::fmt::Write as _;

use crate::page::{Data, NO_ELEMENT, RunSummary, SegmentState, UtilizationData, WhatIfElement};
use prophet_text::{
    columns, count, counted, fitted, left, percent, ratio, right, short_time, time,
};
use serde_json::{Value, json};

const ROWS_MAX: usize = 12;
/// Maximum number of runs whose elements are shown next to each other.
const COLUMNS_MAX: usize = 4;
const NAME_WIDTH: usize = 24;
const TIME_WIDTH: usize = 12;

/// Renders the findings as text of at most 80 columns.
pub(crate) fn summary_text(data: &Data) -> String {
    let mut text = format!(
        "Predicted time  {}\nModel           {}\n",
        short_time(data.run.predicted_time_s),
        fitted(&data.run.model, 60)
    );
    for fact in &data.run.energy {
        let (name, value) = (left(&fitted(&fact.name, 14), 14), fitted(&fact.value, 64));
        let _ = writeln!(text, "{name}  {value}");
    }
    add_efficiency(data, &mut text);
    add_path(data, &mut text);
    add_what_if(data, &mut text);
    add_utilization(data, &mut text);
    add_runs(&data.runs, &mut text);
    for note in &data.notes {
        let _ = writeln!(text, "\nNote: {}", wrapped(note));
    }
    text
}

/// Breaks a sentence into lines of at most 80 columns.
fn wrapped(sentence: &str) -> String {
    let (mut text, mut column) = (String::new(), "Note:".len());
    for word in sentence.split(' ') {
        let columns = columns(word);
        if column + 1 + columns > 80 {
            text.push('\n');
            column = 0;
        } else if !text.is_empty() {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += columns;
    }
    text
}

fn add_efficiency(data: &Data, text: &mut String) {
    if let Some(imbalance) = &data.imbalance {
        let accelerated = data.records.as_ref().is_some_and(|it| !it.lanes.is_empty());
        let name = if accelerated {
            "CPU efficiency"
        } else {
            "Efficiency    "
        };
        let _ = writeln!(
            text,
            "{name}  {} = load balance {} x communication {}",
            percent(imbalance.parallel_efficiency),
            percent(imbalance.load_balance),
            percent(imbalance.communication_efficiency)
        );
    }
}

fn element(data: &Data, index: u32) -> &str {
    let element = data.elements.get(index as usize);
    element.map_or("(no element)", |element| &element.name)
}

fn add_path(data: &Data, text: &mut String) {
    let Some(path) = &data.critical_path else {
        return;
    };
    let _ = writeln!(
        text,
        "\n{}  {}  {}   Share",
        left("Critical path", NAME_WIDTH),
        left("", 11),
        right("Time", TIME_WIDTH)
    );
    for part in path.parts.iter().take(ROWS_MAX) {
        let state = SegmentState::name_of(part.state);
        let state = if part.element == NO_ELEMENT {
            "unknown"
        } else {
            state
        };
        let _ = writeln!(
            text,
            "{}  {}  {}  {}",
            left(&fitted(element(data, part.element), NAME_WIDTH), NAME_WIDTH),
            left(state, 11),
            right(&time(part.total_s), TIME_WIDTH),
            right(&percent(part.total_s / data.run.predicted_time_s), 6)
        );
    }
    add_hidden(path.parts.len(), text);
}

fn add_hidden(rows: usize, text: &mut String) {
    if rows > ROWS_MAX {
        let _ = writeln!(text, "… and {} more", count((rows - ROWS_MAX) as u64));
    }
}

fn add_what_if(data: &Data, text: &mut String) {
    let Some(what_if) = &data.what_if else { return };
    let _ = writeln!(
        text,
        "\n{}  {}  {}    Gain  Known",
        left(
            &format!("{:.0}% faster", 100.0 * what_if.reduction),
            NAME_WIDTH
        ),
        right("Then", TIME_WIDTH),
        right("Gain", TIME_WIDTH)
    );
    let brings = |row: &&WhatIfElement| row.gain_s != 0.0;
    let some: Vec<_> = what_if.elements.iter().filter(brings).collect();
    for row in some.iter().take(ROWS_MAX) {
        let _ = writeln!(
            text,
            "{}  {}  {}  {}  {}",
            left(&fitted(element(data, row.element), NAME_WIDTH), NAME_WIDTH),
            right(&time(row.predicted_time_s), TIME_WIDTH),
            right(&time(row.gain_s), TIME_WIDTH),
            right(&percent(row.gain_s / data.run.predicted_time_s), 6),
            if row.exact { "exactly" } else { "at most" }
        );
    }
    add_hidden(some.len(), text);
    let others = what_if.elements.len() - some.len();
    if others > 0 {
        let _ = writeln!(
            text,
            "{} without a gain",
            counted(others as u64, "other element", "other elements")
        );
    }
}

/// Returns the mean of each device over all intervals.
fn means(series: &UtilizationData) -> Vec<f64> {
    let steps = series.steps.max(1);
    let devices = series.values.chunks(steps as usize);
    let mean = |values: &[f32]| values.iter().copied().map(f64::from).sum::<f64>();
    devices
        .map(|values| mean(values) / f64::from(steps))
        .collect()
}

fn add_utilization(data: &Data, text: &mut String) {
    let shares = data
        .utilization
        .iter()
        .filter(|series| series.unit.is_empty());
    for (row, series) in shares.enumerate() {
        if row == 0 {
            let head = left("Utilization", NAME_WIDTH);
            let _ = writeln!(text, "\n{head}  {}  Busiest", right("Mean", TIME_WIDTH));
        }
        let means = means(series);
        let most = (0..means.len())
            .rev()
            .max_by(|a, b| means[*a].total_cmp(&means[*b]));
        let Some(most) = most else { continue };
        #[expect(clippy::cast_precision_loss, reason = "some dozens")]
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let _ = writeln!(
            text,
            "{}  {}  {} {}",
            left(&series.title, NAME_WIDTH),
            right(&percent(mean), TIME_WIDTH),
            right(&percent(means[most]), 7),
            fitted(&series.names[most], 30)
        );
    }
}

/// Returns the speedup of a run over the first run, and its efficiency: the speedup divided by the
/// growth in processing units (processes times threads). `runs compare` shows the same numbers.
fn speed_up(first: &RunSummary, run: &RunSummary) -> (f64, f64) {
    let units = |it: &RunSummary| f64::from(it.run.processes) * f64::from(it.run.threads.max(1));
    let faster = first.run.predicted_time_s / run.run.predicted_time_s;
    (faster, faster * units(first) / units(run))
}

fn add_runs(runs: &[RunSummary], text: &mut String) {
    if runs.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{}  Processes  {}  Speed-up  Efficiency",
        left("Run", NAME_WIDTH),
        right("Predicted", TIME_WIDTH)
    );
    for run in runs {
        let (faster, efficiency) = speed_up(&runs[0], run);
        let _ = writeln!(
            text,
            "{}  {}  {}  {}  {}",
            left(&fitted(&run.label, NAME_WIDTH), NAME_WIDTH),
            right(&count(run.run.processes.into()), 9),
            right(&time(run.run.predicted_time_s), TIME_WIDTH),
            right(&ratio(faster), 8),
            right(&percent(efficiency), 10)
        );
    }
    for shown in runs.chunks(COLUMNS_MAX) {
        add_elements(&runs[0], shown, text);
    }
}

fn add_elements(first: &RunSummary, shown: &[RunSummary], text: &mut String) {
    let _ = write!(text, "\n{}", left("Element (total)", NAME_WIDTH));
    for run in shown {
        let label = fitted(&run.label, TIME_WIDTH);
        let _ = write!(text, "  {}", right(&label, TIME_WIDTH));
    }
    text.push('\n');
    for row in first.elements.iter().take(ROWS_MAX) {
        let _ = write!(text, "{}", left(&fitted(&row.name, NAME_WIDTH), NAME_WIDTH));
        for run in shown {
            let found = run.elements.iter().find(|element| element.id == row.id);
            let total = found.map_or("-".to_owned(), |element| time(element.total_s));
            let _ = write!(text, "  {}", right(&total, TIME_WIDTH));
        }
        text.push('\n');
    }
    add_hidden(first.elements.len(), text);
}

/// Renders the findings as JSON for other programs, with all rows.
pub(crate) fn summary_json(data: &Data) -> Value {
    let name = |index: u32| {
        let element = data.elements.get(index as usize)?;
        Some(json!({ "name": element.name, "id": element.id.parse::<i64>().ok() }))
    };
    let path = data.critical_path.as_ref().map(|path| {
        let parts = path.parts.iter().map(|part| {
            json!({
                "element": name(part.element),
                "state": SegmentState::name_of(part.state),
                "segments": part.count,
                "total_s": part.total_s,
            })
        });
        parts.collect::<Vec<Value>>()
    });
    let what_if = data.what_if.as_ref().map(|what_if| {
        let elements = what_if.elements.iter().map(|row| {
            json!({
                "element": name(row.element),
                "predicted_time_s": row.predicted_time_s,
                "gain_s": row.gain_s,
                "exact": row.exact,
            })
        });
        json!({
            "reduction": what_if.reduction,
            "method": what_if.method,
            "elements": elements.collect::<Vec<Value>>(),
        })
    });
    let efficiency = data.imbalance.as_ref().map(|imbalance| {
        json!({
            "parallel": imbalance.parallel_efficiency,
            "load_balance": imbalance.load_balance,
            "communication": imbalance.communication_efficiency,
        })
    });
    json!({
        "model": data.run.model,
        "predicted_time_s": data.run.predicted_time_s,
        "efficiency": efficiency,
        "critical_path": path,
        "what_if": what_if,
        "utilization": data.utilization.iter().map(utilization_json).collect::<Vec<Value>>(),
        "runs": runs_json(&data.runs),
        "notes": data.notes,
    })
}

fn utilization_json(series: &UtilizationData) -> Value {
    let devices = series.names.iter().zip(means(series));
    let device = |(name, mean)| json!({ "name": name, "mean": mean });
    json!({
        "title": series.title,
        "unit": series.unit,
        "devices": devices.map(device).collect::<Vec<Value>>(),
    })
}

fn runs_json(runs: &[RunSummary]) -> Vec<Value> {
    let row = |run: &RunSummary| {
        let (faster, efficiency) = speed_up(&runs[0], run);
        let elements = run.elements.iter().map(|element| {
            json!({
                "name": element.name,
                "id": element.id.parse::<i64>().ok(),
                "count": element.count,
                "total_s": element.total_s,
            })
        });
        json!({
            "label": run.label,
            "processes": run.run.processes,
            "predicted_time_s": run.run.predicted_time_s,
            "speed_up": faster,
            "efficiency": efficiency,
            "elements": elements.collect::<Vec<Value>>(),
        })
    };
    runs.iter().map(row).collect()
}

#[cfg(test)]
mod tests;
