//! Reads Google Benchmark's JSON and CSV, in which benchmark names contain the arguments, and
//! pytest-benchmark's JSON.

use prophet_text::Problem;
use serde::Deserialize;

use std::collections::BTreeMap;

use crate::measurements::collector::{Collector, MeasuredRow, content, number, split};
use crate::measurements::scalar::Scalar;
use crate::measurements::unit::seconds;

/// Parts of a name that say how it was measured.
const MODIFIERS: &[&str] = &[
    "iterations",
    "repeats",
    "min_time",
    "min_warmup_time",
    "real_time",
    "process_time",
    "manual_time",
];

/// First columns of Google Benchmark's CSV, which comes after lines about the machine.
const COLUMNS: &str = "name,iterations,real_time,cpu_time,time_unit";

/// One run of a benchmark, or an aggregate of several runs.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Benchmark {
    name: String,
    run_name: Option<String>,
    #[serde(default)]
    run_type: String,
    #[serde(default)]
    aggregate_name: String,
    #[serde(default)]
    error_occurred: bool,
    real_time: Option<f64>,
    cpu_time: Option<f64>,
    #[serde(default = "nanoseconds")]
    time_unit: String,
    /// The times that pytest-benchmark measured, in seconds.
    stats: Option<Statistics>,
    #[serde(default)]
    params: Option<BTreeMap<String, Scalar>>,
}

#[derive(Debug, Deserialize)]
struct Statistics {
    #[serde(default)]
    data: Vec<f64>,
    median: Option<f64>,
    mean: Option<f64>,
}

fn nanoseconds() -> String {
    "ns".to_owned()
}

impl Benchmark {
    fn is_aggregate(&self) -> bool {
        self.run_type == "aggregate"
    }

    fn name(&self) -> &str {
        self.run_name.as_deref().unwrap_or(&self.name)
    }
}

pub(crate) fn add(collector: &mut Collector<'_>, benchmarks: &[Benchmark]) -> Result<(), Problem> {
    // If there are no single runs, use the medians of repetitions.
    let has_runs = benchmarks.iter().any(|it| !it.is_aggregate());
    let is_counted = |it: &&Benchmark| {
        let is_median = it.is_aggregate() && it.aggregate_name == "median";
        !it.error_occurred
            && if has_runs {
                !it.is_aggregate()
            } else {
                is_median
            }
    };
    for benchmark in benchmarks.iter().filter(is_counted) {
        if let Some(statistics) = &benchmark.stats {
            add_test(collector, benchmark, statistics)?;
            continue;
        }
        let (region, at) = arguments(benchmark.name());
        let at: Vec<(&str, f64)> = at.iter().map(|it| (&*it.0, it.1)).collect();
        let Some(unit) = seconds(&benchmark.time_unit) else {
            let why = format!(
                "`{}` has the unit `{}`; expected one of ns, us, ms, s",
                benchmark.name, benchmark.time_unit
            );
            return Err(collector.told(0, why));
        };
        let times = [
            ("real_time", benchmark.real_time),
            ("cpu_time", benchmark.cpu_time),
        ];
        for (metric, value) in times {
            let Some(value) = value else { continue };
            let row = MeasuredRow {
                region: &region,
                metric,
                unit: Some(unit),
                at: &at,
                value,
            };
            collector.add(0, &row)?;
        }
    }
    Ok(())
}

fn add_test(
    collector: &mut Collector<'_>,
    test: &Benchmark,
    statistics: &Statistics,
) -> Result<(), Problem> {
    let mut region = test.name.split('[').next().unwrap_or_default().to_owned();
    let mut at = Vec::new();
    for (name, value) in test.params.iter().flatten() {
        match (value.number(), value) {
            (Some(number), _) => at.push((name.as_str(), number)),
            (None, Scalar::Text(text)) => region.extend(["/", text]),
            (None, _) => {}
        }
    }
    let middle = statistics.median.or(statistics.mean);
    let middle = middle.filter(|_| statistics.data.is_empty());
    for value in statistics.data.iter().copied().chain(middle) {
        let row = MeasuredRow {
            region: &region,
            metric: "time",
            unit: Some(1.0),
            at: &at,
            value,
        };
        collector.add(0, &row)?;
    }
    Ok(())
}

/// Returns the number of the header line if a text is Google Benchmark's CSV.
pub(crate) fn header(text: &str) -> Option<usize> {
    let mut lines = content(text).take(100);
    let found = lines.find(|(_, line)| line.starts_with(COLUMNS));
    found.map(|(line, _)| line)
}

pub(crate) fn add_table(
    collector: &mut Collector<'_>,
    text: &str,
    header: usize,
) -> Result<(), Problem> {
    let mut benchmarks = Vec::new();
    let mut cells = Vec::new();
    for (line, row) in content(text).skip_while(|it| it.0 <= header) {
        split(row, Some(','), &mut cells);
        let [name, _, real, cpu, unit, rest @ ..] = cells.as_slice() else {
            let why = format!(
                "the row has {} cells, but `{COLUMNS}` needs at least 5",
                cells.len()
            );
            return Err(collector.told(line, why));
        };
        let error_occurred = rest.get(3).is_some_and(|it| it == "true");
        let time = |text: &str| {
            let why = || {
                collector.told(
                    line,
                    format!("expected a number in `{name}`, found `{text}`"),
                )
            };
            let value = number(text).map(Some).ok_or_else(why);
            if error_occurred { Ok(None) } else { value }
        };
        let figure = ["mean", "median", "stddev", "cv"]
            .into_iter()
            .find_map(|figure| {
                let run = name.strip_suffix(figure)?.strip_suffix('_')?;
                Some((run.to_owned(), figure.to_owned()))
            });
        let run_type = if figure.is_some() { "aggregate" } else { "" };
        let (run_name, aggregate_name) = figure.unzip();
        benchmarks.push(Benchmark {
            name: name.clone(),
            run_name,
            run_type: run_type.to_owned(),
            aggregate_name: aggregate_name.unwrap_or_default(),
            error_occurred,
            real_time: time(real)?,
            cpu_time: time(cpu)?,
            time_unit: unit.clone(),
            ..Benchmark::default()
        });
    }
    add(collector, &benchmarks)
}

/// Splits a name into a region and arguments. For example, `BM_Sort/1024/threads:4` is `BM_Sort` at
/// n = 1024 and threads = 4. If there are several unnamed arguments, they are called n1, n2, …
pub(crate) fn arguments(name: &str) -> (String, Vec<(String, f64)>) {
    let (mut region, mut at) = (String::new(), Vec::new());
    for part in parts(name) {
        let (key, value) = part.split_once(':').unwrap_or(("", part));
        if MODIFIERS.contains(&key) || MODIFIERS.contains(&part) {
            continue;
        }
        match number(value) {
            Some(value) if !region.is_empty() => at.push((key.to_owned(), value)),
            _ if region.is_empty() => part.clone_into(&mut region),
            _ => region = format!("{region}/{part}"),
        }
    }
    let unnamed = at.iter().filter(|it: &&(String, f64)| it.0.is_empty());
    let is_alone = unnamed.count() == 1;
    let nameless = at.iter_mut().filter(|it| it.0.is_empty());
    for (index, argument) in nameless.enumerate() {
        argument.0 = if is_alone {
            "n".to_owned()
        } else {
            format!("n{}", index + 1)
        };
    }
    (region, at)
}

/// Splits a name at slashes outside template arguments.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    name.split(move |c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == '/' && depth <= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_in_names() {
        let cases = [
            ("BM_Sort/1024", "BM_Sort", vec![("n", 1024.0)]),
            (
                "BM_Copy<a/b>/8/16/real_time",
                "BM_Copy<a/b>",
                vec![("n1", 8.0), ("n2", 16.0)],
            ),
            (
                "F/x:3/threads:4/min_time:0.5",
                "F",
                vec![("x", 3.0), ("threads", 4.0)],
            ),
            ("F/cold/5", "F/cold", vec![("n", 5.0)]),
        ];
        for (name, region, expected) in cases {
            let (found, at) = arguments(name);
            let at: Vec<(&str, f64)> = at.iter().map(|it| (&*it.0, it.1)).collect();
            assert_eq!((found.as_str(), at), (region, expected), "{name}");
        }
    }
}
