//! Splits other people's scaling measurements into small and large scales, and compares the
//! predictions that `fit`, Extra-P and naive methods make for the large scales.

#![expect(clippy::float_cmp, reason = "scales are whole numbers")]

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_fit::law::{Options, Samples, fit};
use prophet_fit::measurements::Point;
use prophet_sim::statistics::mean;
use serde_json::Value;

use crate::least_squares::power_law;
use crate::sealed::Sealed;
use crate::{Errors, Found, Other, Places, Row, unseen};

/// A set of measurements, split into scales that models are fitted to and scales that are
/// predicted.
#[derive(Debug)]
pub struct Split {
    pub name: &'static str,
    source: &'static str,
    file: &'static str,
    parameters: &'static [&'static str],
    /// Smallest mean of a region at small scales, relative to the largest region's.
    share: f64,
    fitted: fn(&[f64]) -> bool,
    predicted: fn(&[f64]) -> bool,
    /// Mean error in percent of Extra-P 4.2.5 with its default settings.
    pub extra_p: f64,
}

/// The sets of measurements, each with the measured error of Extra-P 4.2.5, a program by the
/// authors of Extra-P's method.
pub const SPLITS: [Split; 5] = [
    Split {
        name: "RELeARN, 512 processes",
        source: "Extra-P's tests",
        file: "relearn",
        parameters: &["p", "n"],
        share: 0.01,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 15.4,
    },
    Split {
        name: "RELeARN, 512 processes with 9000 neurons",
        source: "Extra-P's tests",
        file: "relearn",
        parameters: &["p", "n"],
        share: 0.01,
        fitted: |at| at[0] <= 256.0 && at[1] <= 8000.0,
        predicted: |at| at[0] == 512.0 && at[1] == 9000.0,
        extra_p: 12.4,
    },
    Split {
        name: "MPI collectives, 512 processes, medians",
        source: "Extra-P's tests",
        file: "mpi_collectives",
        parameters: &["p"],
        share: 0.0,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 50.4,
    },
    Split {
        name: "MPI collectives, 512 processes, means",
        source: "Extra-P's tests",
        file: "mpi_collectives_mean",
        parameters: &["p"],
        share: 0.0,
        fitted: |at| at[0] <= 256.0,
        predicted: |at| at[0] == 512.0,
        extra_p: 102.0,
    },
    Split {
        name: "LULESH, 343 processes",
        source: "LLNL's Thicket tutorial",
        file: "lulesh_weak",
        parameters: &["p"],
        share: 0.01,
        fitted: |at| at[0] <= 216.0,
        predicted: |at| at[0] == 343.0,
        extra_p: 61.0,
    },
];

/// How well the large scales of a set were predicted.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Errors of `fit`'s predictions.
    pub errors: Errors,
    /// Errors of a power law that was fitted to the same points.
    pub power_law: Errors,
    /// Errors if the last value is used as the prediction.
    pub last_value: Errors,
    /// Number of measurements that are within their 90% interval.
    pub held: usize,
    /// Number of predictions that are negative.
    pub negative: usize,
}

impl Outcome {
    /// Returns the better of the two predictions that need no model: the power law and the last
    /// value.
    pub fn naive(&self) -> Other {
        let (law, last) = (
            self.power_law.mean_percent(),
            self.last_value.mean_percent(),
        );
        if law <= last {
            Other {
                name: "power law",
                mean: law,
            }
        } else {
            Other {
                name: "last value",
                mean: last,
            }
        }
    }
}

impl Split {
    /// Predicts the large scales of all regions in the set.
    ///
    /// # Errors
    ///
    /// Returns an error if the file of measurements is missing.
    pub fn outcome(&self, places: &Places) -> Result<Outcome, String> {
        let text = places.measurements(&format!("{}.jsonl", self.file))?;
        let mut regions = regions(&text, self.parameters);
        let means = |points: &Vec<MeasuredSet>| {
            let small = points.iter().filter(|it| (self.fitted)(&it.0));
            mean(small.map(|it| it.1))
        };
        let smallest = self.share * regions.values().map(means).fold(0.0, f64::max);
        regions.retain(|_, points| means(points) >= smallest);
        let mut rows = Vec::new();
        let mut ways = [const { Vec::new() }; 5];
        for points in regions.values() {
            self.predict(points, &mut rows, &mut ways);
        }
        let sealed = Sealed::new(self.name, rows.len(), |row| {
            let (points, at) = rows[row];
            let here = points.iter().filter(|point| point.0 == *at);
            Some(mean(here.map(|point| point.1)))
        });
        let names = ["fit", "low", "high", "power law", "last value"];
        let measured = sealed.open(places, names, ways.each_ref().map(|it| &it[..]))?;
        let errors = |of: &[f64]| Errors::new(of.iter().copied().zip(measured.iter().copied()));
        let [predicted, low, high, law, last] = &ways;
        let held = |row: &usize| (low[*row]..=high[*row]).contains(&measured[*row]);
        Ok(Outcome {
            errors: errors(predicted),
            power_law: errors(law),
            last_value: errors(last),
            held: (0..measured.len()).filter(held).count(),
            negative: predicted.iter().filter(|it| **it < 0.0).count(),
        })
    }

    /// Adds predictions of the large scales of a region, by each way.
    fn predict<'m>(
        &self,
        points: &'m [MeasuredSet],
        rows: &mut Vec<(&'m [MeasuredSet], &'m Vec<f64>)>,
        ways: &mut [Vec<f64>; 5],
    ) {
        let mut small = points.to_vec();
        small.retain(|point| (self.fitted)(&point.0));
        let series = Samples {
            parameters: self.parameters.iter().map(ToString::to_string).collect(),
            points: small
                .iter()
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
            let (low, high) = fit.interval(0.9, at);
            let law = law(&small, at);
            let all = [fit.model.at(at), low, high, law, last_value(&small, at)];
            for (way, value) in ways.iter_mut().zip(all) {
                way.push(value);
            }
            rows.push((points, at));
        }
    }
}

/// Computes the rows of the table, and how many measurements the intervals contain.
pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let (mut rows, mut held) = (Vec::new(), HELD.to_owned());
    for split in &SPLITS {
        let outcome = split.outcome(places)?;
        let share = 100.0 * outcome.held as f64 / outcome.errors.count() as f64;
        writeln!(
            held,
            "| {} | {} | {share:.0} % |",
            split.name,
            outcome.errors.count()
        )
        .expect("it is text");
        rows.push(Row {
            source: split.source,
            fitted: "smaller scales of the region",
            naive: Some(outcome.naive()),
            published: vec![Other {
                name: "Extra-P",
                mean: split.extra_p,
            }],
            ..Row::new(split.name, &outcome.errors)
        });
    }
    rows.push(together(&rows));
    Ok(Found {
        rows,
        details: format!("{held}\n{}", unseen::table(places)?),
    })
}

const HELD: &str = "| measurements | points | in the 90 % interval |\n|---|---|---|\n";

fn together(rows: &[Row]) -> Row {
    let mean = |of: fn(&Row) -> f64| {
        let logarithms = rows.iter().map(|row| of(row).ln());
        (logarithms.sum::<f64>() / rows.len() as f64).exp()
    };
    let naive = |row: &Row| row.naive.map_or(f64::NAN, |it| it.mean);
    Row {
        naive: Some(Other {
            name: "the better naive prediction for each",
            mean: mean(naive),
        }),
        published: vec![Other {
            name: "Extra-P",
            mean: mean(|row| row.published[0].mean),
        }],
        predicted: "geometric mean of these five".to_owned(),
        source: "",
        fitted: "",
        points: rows.iter().map(|row| row.points).sum(),
        mean: mean(|row| row.mean),
        worst: None,
    }
}

type MeasuredSet = (Vec<f64>, f64);

/// Predicts with a power law in one or two parameters.
fn law(small: &[MeasuredSet], at: &[f64]) -> f64 {
    use std::f64::consts::E;
    match *at {
        [p] => power_law(small.iter().map(|(at, y)| ([E, at[0]], *y)), [E, p]),
        [p, n] => power_law(
            small.iter().map(|(at, y)| ([E, at[0], at[1]], *y)),
            [E, p, n],
        ),
        _ => f64::NAN,
    }
}

/// Returns the value at the largest measured point; with two parameters, among points with the
/// requested second parameter.
fn last_value(small: &[MeasuredSet], at: &[f64]) -> f64 {
    let is_beside = |place: &&Vec<f64>| place[1..] == at[1..];
    let places = || small.iter().map(|(place, _)| place);
    let order = |a: &&Vec<f64>, b: &&Vec<f64>| a.partial_cmp(b).unwrap_or(Ordering::Equal);
    let last = places().filter(is_beside).max_by(order);
    let last = last.or_else(|| places().max_by(order));
    let last = last.expect("a set has points");
    mean(
        small
            .iter()
            .filter(|(place, _)| place == last)
            .map(|(_, y)| *y),
    )
}

type Regions = BTreeMap<String, Vec<MeasuredSet>>;

/// Returns each region's measurements, in file order.
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
