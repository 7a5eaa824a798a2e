//! Google Benchmark's JSON: arguments stand in the names of benchmarks.

use prophet_text::Problem;
use serde::Deserialize;

use crate::measurements::collector::{Collector, MeasuredRow, number};
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

/// One run of a benchmark, or a figure about several.
#[derive(Debug, Deserialize)]
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
    // Without single runs, the medians of repetitions stand for them.
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
        let (region, at) = arguments(benchmark.name());
        let at: Vec<(&str, f64)> = at.iter().map(|it| (&*it.0, it.1)).collect();
        let Some(unit) = seconds(&benchmark.time_unit) else {
            let why = format!(
                "`{}` has the unit `{}`, which is not one of ns, us, ms, s",
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

/// The region and the arguments in a name: `BM_Sort/1024/threads:4` is `BM_Sort` at n = 1024 and
/// threads = 4; several arguments without names are n1, n2, …
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

/// Splits a name at slashes outside of the arguments of templates.
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
