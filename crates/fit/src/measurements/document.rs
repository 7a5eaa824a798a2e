//! Reads a JSON document, and detects which tool wrote it.

use std::fmt;

use prophet_text::Problem;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};

use crate::measurements::benchmark::Benchmark;
use crate::measurements::collector::Collector;
use crate::measurements::criterion::{self, Estimate, STATISTICS};
use crate::measurements::experiment::Experiment;
use crate::measurements::hyperfine::Command;
use crate::measurements::sacct::{self, JsonJob};
use crate::measurements::scalar::Scalar;
use crate::measurements::{benchmark, caliper, hyperfine};

/// Maximum size of a document in bytes. Its values take several times as much memory.
const BYTES_MAX: usize = 64 << 20;

/// The parts of a document that are used. Each tool has keys that no other tool has.
#[derive(Debug, Default)]
struct ToolDocument {
    benchmarks: Option<Vec<Benchmark>>,
    results: Option<Vec<Command>>,
    jobs: Option<Vec<JsonJob>>,
    estimates: Vec<(String, f64)>,
    profile: caliper::CaliperProfile,
    experiment: Experiment,
}

impl<'de> Deserialize<'de> for ToolDocument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Keys)
    }
}

/// Reads a document key by key, so that unused parts don't take memory.
struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = ToolDocument;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a JSON object from Caliper, Criterion, Extra-P, Google Benchmark, hyperfine, \
             pytest-benchmark or sacct",
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ToolDocument, A::Error> {
        let mut document = ToolDocument::default();
        while let Some(key) = map.next_key::<String>()? {
            let profile = &mut document.profile;
            match key.as_str() {
                "benchmarks" => document.benchmarks = Some(map.next_value()?),
                "results" => document.results = Some(map.next_value()?),
                "jobs" => document.jobs = Some(map.next_value()?),
                "parameters" => document.experiment.parameters = map.next_value()?,
                "measurements" => document.experiment.measurements = Some(map.next_value()?),
                "callpaths" => document.experiment.callpaths = map.next_value()?,
                "metrics" => document.experiment.metrics = map.next_value()?,
                "coordinates" => document.experiment.coordinates = map.next_value()?,
                "data" => profile.data = Some(map.next_value()?),
                "columns" => profile.columns = map.next_value()?,
                "column_metadata" => profile.metadata = map.next_value()?,
                "nodes" => profile.nodes = map.next_value()?,
                name if STATISTICS.contains(&name) => match map.next_value()? {
                    Estimate::Of { point_estimate } => {
                        document.estimates.push((key, point_estimate));
                    }
                    Estimate::Other(value) => {
                        profile.globals.extend(value.number().map(|it| (key, it)));
                    }
                },
                _ => {
                    let value: Scalar = map.next_value()?;
                    profile.globals.extend(value.number().map(|it| (key, it)));
                }
            }
        }
        Ok(document)
    }
}

/// Returns the reason of an error, without its line.
pub(crate) fn why(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if error.is_eof() {
        return prophet_text::json_mistake(text);
    }
    let reason = text.split(" at line ").next().unwrap_or_default();
    // Some tools write these although JSON doesn't allow them.
    let hint = match reason {
        "expected value" | "number out of range" => {
            ", where a finite number is needed: remove NaN and infinities"
        }
        _ => "",
    };
    format!("{reason} (column {}){hint}", error.column())
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    if text.len() > BYTES_MAX {
        let most = BYTES_MAX >> 20;
        return Err(collector.told(
            0,
            format!(
                "documents of more than {most} MiB are not supported; export the values as CSV"
            ),
        ));
    }
    let document: ToolDocument = serde_json::from_str(text).map_err(|error| {
        collector.told(
            error.line(),
            format!("it is not JSON of a supported tool: {}", why(&error)),
        )
    })?;
    match document {
        ToolDocument {
            benchmarks: Some(benchmarks),
            ..
        } => benchmark::add(collector, &benchmarks),
        ToolDocument {
            results: Some(results),
            ..
        } => hyperfine::add(collector, &results),
        ToolDocument {
            jobs: Some(jobs), ..
        } => sacct::add_json(collector, jobs),
        ToolDocument { experiment, .. } if experiment.measurements.is_some() => {
            experiment.add(collector)
        }
        ToolDocument { profile, .. } if profile.data.is_some() => caliper::add(collector, &profile),
        ToolDocument { estimates, .. } if !estimates.is_empty() => {
            criterion::add(collector, &estimates)
        }
        ToolDocument { .. } => {
            let why = "it is JSON, but not from a supported tool: Google Benchmark writes \
                       `benchmarks`, hyperfine `results`, sacct `jobs`, Criterion (estimates.json) \
                       `mean`, Caliper (json-split) `data`, Extra-P `measurements`, or lines with \
                       `params`";
            Err(collector.told(0, why))
        }
    }
}
