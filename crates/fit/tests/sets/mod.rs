//! Scaling measurements of others, split where predictions of them begin.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prophet_fit::{Options, Point, Series, fit};
use serde_json::Value;

/// Set of measurements, the scales that are fitted, and those that are predicted.
pub(crate) struct Split {
    pub(crate) name: &'static str,
    file: &'static str,
    parameters: &'static [&'static str],
    /// Smallest mean of a region, as a share of the largest one's.
    share: f64,
    fitted: fn(&[f64]) -> bool,
    predicted: fn(&[f64]) -> bool,
    /// Mean error in percent of Extra-P 4.2.5 by default, and of the best naive prediction.
    pub(crate) extra_p: f64,
    pub(crate) naive: f64,
}

/// Splits of `EXTRA-P.md`, each with the figures listed there.
pub(crate) const SPLITS: [Split; 5] = [
    Split {
        name: "relearn, p = 512",
        file: "relearn",
        parameters: &["p", "n"],
        share: 0.01,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 15.4,
        naive: 26.8,
    },
    Split {
        name: "relearn, p = 512, n = 9000",
        file: "relearn",
        parameters: &["p", "n"],
        share: 0.01,
        fitted: |at| at[0] <= 256.0 && at[1] <= 8000.0,
        predicted: |at| at[0] == 512.0 && at[1] == 9000.0,
        extra_p: 12.4,
        naive: 25.9,
    },
    Split {
        name: "mpi_collectives, p = 512",
        file: "mpi_collectives",
        parameters: &["p"],
        share: 0.0,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 50.4,
        naive: 14.8,
    },
    Split {
        name: "mpi_collectives_mean, p = 512",
        file: "mpi_collectives_mean",
        parameters: &["p"],
        share: 0.0,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 102.0,
        naive: 32.3,
    },
    Split {
        name: "lulesh_weak, p = 343",
        file: "lulesh_weak",
        parameters: &["p"],
        share: 0.01,
        fitted: |at| at[0] <= 216.0,
        predicted: |at| at[0] == 343.0,
        extra_p: 61.0,
        naive: 17.4,
    },
];

/// Predictions of a set.
pub(crate) struct Outcome {
    /// Relative errors.
    pub(crate) errors: Vec<f64>,
    /// Number of measurements within their 90 % interval.
    pub(crate) held: usize,
    /// Predictions that are negative.
    pub(crate) negative: usize,
}

impl Outcome {
    pub(crate) fn mean_percent(&self) -> f64 {
        100.0 * self.errors.iter().sum::<f64>() / self.errors.len() as f64
    }
}

impl Split {
    /// Predictions of all regions; none if the folder has no such file.
    pub(crate) fn outcome(&self, folder: &Path) -> Option<Outcome> {
        let text = fs::read_to_string(folder.join(format!("{}.jsonl", self.file))).ok()?;
        let regions = regions(&text, self.parameters);
        let means = regions
            .values()
            .map(|points| mean(points.iter().map(|point| point.1)));
        let smallest = self.share * means.fold(0.0, f64::max);
        let mut outcome = Outcome {
            errors: Vec::new(),
            held: 0,
            negative: 0,
        };
        for points in regions.values() {
            if mean(points.iter().map(|point| point.1)) >= smallest {
                self.predict(points, &mut outcome);
            }
        }
        Some(outcome)
    }

    fn predict(&self, points: &[(Vec<f64>, f64)], outcome: &mut Outcome) {
        let small = points.iter().filter(|point| (self.fitted)(&point.0));
        let series = Series {
            parameters: self.parameters.iter().map(ToString::to_string).collect(),
            points: small
                .map(|(at, y)| Point {
                    at: at.clone(),
                    values: vec![*y],
                })
                .collect(),
        };
        let fit = fit(&series, &Options::default()).expect("a fit");
        let mut large: Vec<&Vec<f64>> = points.iter().map(|point| &point.0).collect();
        large.retain(|at| (self.predicted)(at));
        large.dedup();
        for at in large {
            let measured = mean(
                points
                    .iter()
                    .filter(|point| point.0 == *at)
                    .map(|point| point.1),
            );
            let (low, high) = fit.interval(0.9, at);
            outcome
                .errors
                .push((fit.model.at(at) / measured - 1.0).abs());
            outcome.held += usize::from((low..=high).contains(&measured));
            outcome.negative += usize::from(fit.model.at(at) < 0.0);
        }
    }
}

type Regions = BTreeMap<String, Vec<(Vec<f64>, f64)>>;

/// Measurements of each region, in the order of the file.
fn regions(text: &str, parameters: &[&str]) -> Regions {
    let mut regions = Regions::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        let number = |value: &Value| value.as_f64().expect("a number");
        let at = parameters
            .iter()
            .map(|name| number(&line["params"][name]))
            .collect();
        let region = line["callpath"].as_str().expect("a region");
        regions
            .entry(region.to_string())
            .or_default()
            .push((at, number(&line["value"])));
    }
    regions
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}
