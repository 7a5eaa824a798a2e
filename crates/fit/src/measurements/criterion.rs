//! Reads the files of Criterion.rs: `estimates.json`, in a folder named after the benchmark, and
//! `raw.csv`.

use std::path::{Component, Path};

use prophet_text::Problem;
use serde::Deserialize;

use crate::measurements::benchmark::arguments;
use crate::measurements::collector::{Collector, MeasuredRow, number};
use crate::measurements::unit::seconds;

/// Statistics in `estimates.json` that are times. The first one is used unless the user chooses
/// another.
pub(crate) const STATISTICS: [&str; 3] = ["mean", "median", "slope"];
const RAW: [&str; 8] = [
    "group",
    "function",
    "value",
    "throughput_num",
    "throughput_type",
    "sample_measured_value",
    "unit",
    "iteration_count",
];
const ROOT: &str = "criterion";

/// A Criterion statistic, or another tool's value under the same key.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Estimate {
    Of { point_estimate: f64 },
    Other(crate::measurements::scalar::Scalar),
}

pub(crate) fn add(
    collector: &mut Collector<'_>,
    estimates: &[(String, f64)],
) -> Result<(), Problem> {
    let name = benchmark(Path::new(collector.file())).map_err(|why| collector.told(0, why))?;
    let (region, at) = arguments(&name);
    let at: Vec<(&str, f64)> = at.iter().map(|it| (&*it.0, it.1)).collect();
    let chosen = collector.choice().metric.as_deref();
    let chosen = estimates.iter().find(|it| Some(&*it.0) == chosen);
    let of = |name: &&str| estimates.iter().find(|it| it.0 == **name);
    let Some((metric, value)) = chosen.or_else(|| STATISTICS.iter().find_map(of)) else {
        return Ok(());
    };
    let row = MeasuredRow {
        region: &region,
        metric,
        unit: Some(1e-9),
        at: &at,
        value: *value,
    };
    collector.add(0, &row)
}

/// Derives the name of a benchmark from its file, `GROUP/FUNCTION/VALUE/new/estimates.json`.
fn benchmark(file: &Path) -> Result<String, &'static str> {
    let folders = file.parent().map(Path::components).into_iter().flatten();
    let names = folders.filter_map(|it| match it {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    let mut names: Vec<String> = names.collect();
    match names.last().map(String::as_str) {
        Some("change") => {
            return Err("it contains changes between two runs; use the file in `new` instead");
        }
        Some("new" | "base") => {
            names.pop();
        }
        _ => {}
    }
    let root = names.iter().rposition(|it| it == ROOT);
    // Outside Criterion's folder, it is unknown where the name starts.
    let from = root.map_or(names.len().saturating_sub(3), |at| at + 1);
    let name = names.split_off(from).join("/");
    if name.is_empty() {
        return Err(
            "Criterion names an estimate by its folder; pass its path, such as \
                    target/criterion/sort/1024/new/estimates.json",
        );
    }
    Ok(name)
}

pub(crate) fn is_raw(names: &[String]) -> bool {
    RAW.iter().eq(names)
}

/// Adds a row of `raw.csv`: a sample with its number of iterations.
pub(crate) fn add_raw(
    collector: &mut Collector<'_>,
    line: usize,
    cells: &[String],
) -> Result<(), Problem> {
    let [group, function, value, _, _, measured, unit, iterations] = cells else {
        let why = format!(
            "the row has {} cells, but the header has {}",
            cells.len(),
            RAW.len()
        );
        return Err(collector.told(line, why));
    };
    let count = number(iterations).filter(|it| *it > 0.0);
    let (Some(measured), Some(count)) = (number(measured), count) else {
        let why = format!("`{measured}` in `{iterations}` iterations is not a valid time");
        return Err(collector.told(line, why));
    };
    let Some(unit) = seconds(unit) else {
        let why = format!("unknown unit `{unit}`; expected one of ns, us, ms, s");
        return Err(collector.told(line, why));
    };
    let parameter = number(value);
    let words = [group, function, value].into_iter();
    let words = words.take(if parameter.is_some() { 2 } else { 3 });
    let words: Vec<&str> = words
        .map(String::as_str)
        .filter(|it| !it.is_empty())
        .collect();
    let at: Vec<(&str, f64)> = parameter.map(|it| ("n", it)).into_iter().collect();
    let row = MeasuredRow {
        region: &words.join("/"),
        metric: "time",
        unit: Some(unit),
        at: &at,
        value: measured / count,
    };
    collector.add(line, &row)
}
