//! Sobol indices from samples.
//!
//! A first index is the share of the variance that an axis causes alone, a total index the share
//! that would vanish without it, so that it has its part in what axes cause together.

use prophet_sim::variates::Generator;

use super::bootstrap::Estimate;
use super::random::latin;
use super::{SearchPoint, SearchSpace};

/// Sobol indices of an axis, each from 0 to 1 except for errors of sampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indices {
    /// Share of the variance that the axis causes alone.
    pub first: Estimate,
    /// Share of the variance that the axis has a part in.
    pub total: Estimate,
}

/// Points from which Sobol indices are estimated: two samples A and B, and for each axis the first
/// sample with that coordinate of the second (Saltelli et al., Computer Physics Communications 181,
/// 2010).
#[derive(Debug, Clone)]
pub struct Saltelli {
    axes: usize,
    points: Vec<SearchPoint>,
}

/// Results of one row of the samples: of A, B and the mixture for one axis.
type SampleResults = [f64; 3];

impl Saltelli {
    /// Samples of `rows` points each; there are `rows * (axes + 2)` points in all.
    pub fn new(space: &SearchSpace, rows: usize, seed: u64) -> Self {
        let mut generator = Generator::named(seed, "Sobol indices");
        let axes = space.axes().len();
        let places = latin(rows, 2 * axes, &mut generator);
        let mut points = Vec::with_capacity(rows * (axes + 2));
        for place in &places {
            let (a, b) = (space.at(&place[..axes]), space.at(&place[axes..]));
            let mixed = (0..axes).map(|axis| {
                let mut point = a.clone();
                point[axis] = b[axis];
                point
            });
            let mixed: Vec<SearchPoint> = mixed.collect();
            points.extend([a, b]);
            points.extend(mixed);
        }
        Self { axes, points }
    }

    /// Points to evaluate, some of them perhaps more than once.
    pub fn points(&self) -> &[SearchPoint] {
        &self.points
    }

    /// Indices of the axes by the results at the points, without points that have no result; `None`
    /// if the results do not vary.
    pub fn indices(&self, results: &[Option<f64>], seed: u64) -> Option<Vec<Indices>> {
        let mut generator = Generator::named(seed, "intervals of Sobol indices");
        let axes = 0..self.axes;
        axes.map(|axis| {
            let rows = self.rows(axis, results);
            let all: Vec<usize> = (0..rows.len()).collect();
            let varies = variance(&rows, &all) > 0.0;
            if !varies {
                return None;
            }
            let mut estimate = |statistic: fn(&[SampleResults], &[usize]) -> f64| {
                Estimate::resampled(rows.len(), &mut generator, |drawn| statistic(&rows, drawn))
            };
            Some(Indices {
                first: estimate(first),
                total: estimate(total),
            })
        })
        .collect()
    }

    /// Rows of an axis in which no result is missing.
    fn rows(&self, axis: usize, results: &[Option<f64>]) -> Vec<SampleResults> {
        let rows = results.chunks_exact(self.axes + 2);
        rows.filter_map(|row| Some([row[0]?, row[1]?, row[2 + axis]?]))
            .collect()
    }
}

fn mean(drawn: &[usize], of: impl Fn(usize) -> f64) -> f64 {
    drawn.iter().map(|&row| of(row)).sum::<f64>() / drawn.len() as f64
}

/// Mean of the results of A and B.
fn center(rows: &[SampleResults], drawn: &[usize]) -> f64 {
    mean(drawn, |row| 0.5 * (rows[row][0] + rows[row][1]))
}

fn variance(rows: &[SampleResults], drawn: &[usize]) -> f64 {
    let center = center(rows, drawn);
    let square = |value: f64| (value - center) * (value - center);
    mean(drawn, |row| {
        0.5 * (square(rows[row][0]) + square(rows[row][1]))
    })
}

/// First index: the estimator of Saltelli et al. (2010), of centered results.
fn first(rows: &[SampleResults], drawn: &[usize]) -> f64 {
    let center = center(rows, drawn);
    let product = |[a, b, mixed]: SampleResults| (b - center) * (mixed - a);
    mean(drawn, |row| product(rows[row])) / variance(rows, drawn)
}

/// Total index: the estimator of Jansen (Computer Physics Communications 117, 1999).
fn total(rows: &[SampleResults], drawn: &[usize]) -> f64 {
    let square = |[a, _, mixed]: SampleResults| (a - mixed) * (a - mixed);
    0.5 * mean(drawn, |row| square(rows[row])) / variance(rows, drawn)
}
