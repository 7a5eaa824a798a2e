//! Prepares measurements for the candidates: computes one value per place, and how noisy it is.

use std::cmp::Ordering;

use prophet_sim::statistics::mean;

use crate::law::{Options, Refusal, Samples};

/// Share of the typical value. Relative errors of smaller values are computed as if the values were
/// this large.
const FLOOR: f64 = 1e-3;

/// Multiple of the usual deviation above which a repetition is treated as disturbed.
const DISTURBED: f64 = 6.0;

const PLACES: usize = 300;

/// Measured places, with one value each.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    /// Places in ascending order.
    pub(crate) at: Vec<Vec<f64>>,
    /// A robust mean of the repetitions at each place.
    pub(crate) y: Vec<f64>,
    /// The size to which the relative error at each place refers.
    pub(crate) size: Vec<f64>,
    pub(crate) repetitions: Vec<usize>,
    /// Relative standard deviation of a single repetition; `None` if no place has several
    /// repetitions.
    pub(crate) spread: Option<f64>,
    /// Degrees of freedom of `spread`.
    pub(crate) freedom: usize,
    /// Index of the parameter that is a message size, if there is one.
    pub(crate) messages: Option<usize>,
}

impl Data {
    /// Checks measurements, and groups them by place.
    pub(crate) fn new(series: &Samples, options: &Options) -> Result<Self, Refusal> {
        check(series, options)?;
        let mut rows: Vec<(&[f64], f64)> = Vec::new();
        for point in &series.points {
            rows.extend(
                point
                    .values
                    .iter()
                    .map(|&value| (point.at.as_slice(), value)),
            );
        }
        if rows.is_empty() {
            return Err(Refusal::Empty);
        }
        rows.sort_by(|a, b| order(a.0, b.0).then(a.1.total_cmp(&b.1)));
        let groups: Vec<_> = rows.chunk_by(|a, b| order(a.0, b.0).is_eq()).collect();
        let values: Vec<Vec<f64>> = groups
            .iter()
            .map(|group| group.iter().map(|row| row.1).collect())
            .collect();
        let typical = median(&values.iter().map(|v| median(v).abs()).collect::<Vec<_>>());
        let scale = deviation(&values, typical);
        let y: Vec<f64> = values.iter().map(|v| robust_mean(v, scale)).collect();
        let (spread, freedom) = deviation_of_one(&values, typical, scale).unzip();
        Ok(Self {
            at: groups.iter().map(|group| group[0].0.to_vec()).collect(),
            size: y.iter().map(|y| size(*y, typical)).collect(),
            repetitions: values.iter().map(Vec::len).collect(),
            spread,
            freedom: freedom.unwrap_or(0),
            messages: series.parameters.iter().position(|it| is_message_size(it)),
            y,
        })
    }

    /// Returns the measurements raised to this power and inverted; `None` if some aren't positive.
    pub(crate) fn inverse(&self, power: f64) -> Option<Self> {
        let y: Vec<f64> = self.y.iter().map(|y| y.powf(-power)).collect();
        let mut pairs = self.y.iter().zip(&y);
        let is_positive = pairs.all(|(y, it)| *y > 0.0 && *it > 0.0 && it.is_finite());
        is_positive.then(|| Self {
            size: y.clone(),
            y,
            spread: self.spread.map(|it| it * power),
            ..self.clone()
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.y.len()
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.at[0].len()
    }

    /// Returns a parameter's distinct values in ascending order.
    pub(crate) fn levels(&self, parameter: usize) -> Vec<f64> {
        let mut levels = sorted(self.at.iter().map(|at| at[parameter]).collect());
        levels.dedup();
        levels
    }

    /// Returns the relative variance of the typical value, estimated from the repetitions.
    pub(crate) fn noise_variance(&self) -> f64 {
        let inverse: f64 = self
            .repetitions
            .iter()
            .map(|&count| 1.0 / count as f64)
            .sum();
        self.spread
            .map_or(0.0, |spread| spread * spread * inverse / self.len() as f64)
    }

    /// Reduces the measurements to at most [`PLACES`] places. Keeps some values of each parameter
    /// if the places form a grid, and evenly spaced places otherwise.
    pub(crate) fn thinned(&self) -> Self {
        if self.len() <= PLACES {
            return self.clone();
        }
        let all =
            |count: usize| (0..self.dimensions()).try_fold(1, |n: usize, _| n.checked_mul(count));
        let fits = |&count: &usize| all(count).is_some_and(|n| n <= PLACES);
        let count = (2..=PLACES).take_while(fits).last().unwrap_or(2);
        let levels: Vec<Vec<f64>> = (0..self.dimensions())
            .map(|p| spread(&self.levels(p), count))
            .collect();
        let grid = self.filter(|at| {
            at.iter()
                .zip(&levels)
                .all(|(x, kept)| kept.iter().any(|level| level == x))
        });
        if (PLACES / 4..=PLACES).contains(&grid.len()) {
            return grid;
        }
        let all: Vec<usize> = (0..self.len()).collect();
        self.choose(&spread(&all, PLACES))
    }

    /// Returns the measurements at the places for which `keep` returns `true`.
    pub(crate) fn filter(&self, keep: impl Fn(&[f64]) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|&i| keep(&self.at[i])).collect();
        self.choose(&kept)
    }

    fn choose(&self, kept: &[usize]) -> Self {
        Self {
            at: kept.iter().map(|&i| self.at[i].clone()).collect(),
            y: kept.iter().map(|&i| self.y[i]).collect(),
            size: kept.iter().map(|&i| self.size[i]).collect(),
            repetitions: kept.iter().map(|&i| self.repetitions[i]).collect(),
            spread: self.spread,
            freedom: self.freedom,
            messages: self.messages,
        }
    }
}

/// Returns `true` if a parameter's name means the bytes of messages: `bytes`, but not `file_bytes`.
fn is_message_size(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|it: char| !it.is_alphanumeric());
    ["bytes", "nbytes"].contains(&&*name)
        || words.any(|it| ["message", "msg", "msgsize"].contains(&it))
}

fn check(series: &Samples, options: &Options) -> Result<(), Refusal> {
    let expected = series.parameters.len();
    for (point, measured) in series.points.iter().enumerate() {
        let found = measured.at.len();
        if found != expected {
            return Err(Refusal::Arity {
                point,
                found,
                expected,
            });
        }
        if measured
            .at
            .iter()
            .chain(&measured.values)
            .any(|number| !number.is_finite())
        {
            return Err(Refusal::NotFinite { point });
        }
        if let Some(negative) = measured.at.iter().position(|&x| x < 0.0) {
            let parameter = series.parameters[negative].clone();
            return Err(Refusal::NegativeParameter { point, parameter });
        }
        if !options.signed && measured.values.iter().any(|&value| value < 0.0) {
            return Err(Refusal::NegativeValue { point });
        }
    }
    Ok(())
}

fn order(a: &[f64], b: &[f64]) -> Ordering {
    let differing = a
        .iter()
        .zip(b)
        .map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    differing
        .into_iter()
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Selects values, evenly spaced by index, including the first and the last one.
pub(crate) fn spread<T: Copy>(values: &[T], count: usize) -> Vec<T> {
    if values.len() <= count {
        return values.to_vec();
    }
    (0..count)
        .map(|i| values[i * (values.len() - 1) / (count - 1)])
        .collect()
}

pub(crate) fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the median; 0 if there are no values.
pub(crate) fn median(values: &[f64]) -> f64 {
    prophet_sim::statistics::median(values).unwrap_or(0.0)
}

fn size(value: f64, typical: f64) -> f64 {
    let floor = if typical > 0.0 { typical * FLOOR } else { 1.0 };
    value.abs().max(floor)
}

/// Returns how far a repetition usually deviates from the median of its place, relative to the
/// value: the median over all places, scaled to the standard deviation of a normal distribution.
fn deviation(values: &[Vec<f64>], typical: f64) -> f64 {
    let mut deviations = Vec::new();
    for repeated in values.iter().filter(|repeated| repeated.len() > 2) {
        let center = median(repeated);
        let unit = size(center, typical);
        deviations.extend(repeated.iter().map(|value| (value - center).abs() / unit));
    }
    1.4826 * median(&deviations)
}

/// Returns Huber's mean of repetitions in ascending order; `scale` is their relative deviation. If
/// the noise is even, this is the mean. If some repetitions are far off, it is close to the median.
fn robust_mean(values: &[f64], scale: f64) -> f64 {
    let middle = median(values);
    if values.len() < 3 {
        return middle;
    }
    let limit = 2.0 * scale * middle.abs();
    let mut center = middle;
    for _ in 0..10 {
        let clipped = values
            .iter()
            .map(|value| (value - center).clamp(-limit, limit));
        center += clipped.sum::<f64>() / values.len() as f64;
    }
    center
}

/// Returns the relative standard deviation of repetitions, pooled over all places, and its degrees
/// of freedom. Disturbed repetitions, which are [`DISTURBED`] times as far off as usual, are left
/// out because they say nothing about undisturbed ones.
fn deviation_of_one(values: &[Vec<f64>], typical: f64, scale: f64) -> Option<(f64, usize)> {
    let limit = if scale > 0.0 {
        DISTURBED * scale
    } else {
        f64::INFINITY
    };
    let (mut squares, mut freedom) = (0.0, 0usize);
    for repeated in values.iter().filter(|repeated| repeated.len() > 1) {
        let middle = median(repeated);
        let unit = size(middle, typical);
        let is_usual = |value: &&f64| (*value - middle).abs() <= limit * unit;
        let usual: Vec<f64> = repeated.iter().filter(is_usual).copied().collect();
        let mean = mean(usual.iter().copied());
        let deviations = usual.iter().map(|value| ((value - mean) / unit).powi(2));
        squares += deviations.sum::<f64>();
        freedom += usual.len().saturating_sub(1);
    }
    (freedom > 0).then(|| ((squares / freedom as f64).sqrt(), freedom))
}
