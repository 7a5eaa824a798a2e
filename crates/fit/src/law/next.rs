//! Chooses the next measurement: the place where a value would tell the most about larger scales.

use crate::law::data::Data;
use crate::law::linear::dot;
use crate::law::mixture::Mixture;

/// A cheaper place is chosen if it gains at least this share of the best place's gain.
const ENOUGH: f64 = 0.8;

const PLACES: usize = 2_000;

/// Logarithms of all members' predictions for a place.
struct Views {
    values: Vec<f64>,
    effects: Vec<[f64; crate::law::linear::UNKNOWNS]>,
    mean: f64,
}

/// Returns the place to measure next: one of the given places, or one near the measured places.
/// Returns `None` if all members agree, or if no parameter varies, because then nothing is known
/// about other places.
///
/// A place's gain is how much its value would reduce the variance of the predictions at the
/// targets: the squared covariance, divided by the variance of the value.
pub(crate) fn place(
    data: &Data,
    mixture: &Mixture,
    targets: &[Vec<f64>],
    candidates: &[Vec<f64>],
) -> Option<Vec<f64>> {
    let fitting = |at: &&Vec<f64>| {
        at.len() == data.dimensions() && at.iter().all(|x| x.is_finite() && *x >= 0.0)
    };
    let near = if candidates.is_empty() && data.len() > 1 {
        neighbors(data)
    } else {
        Vec::new()
    };
    let targets: Vec<Views> = targets.iter().filter_map(|at| views(mixture, at)).collect();
    let noise: f64 = mixture
        .members
        .iter()
        .map(|member| member.weight * member.variance)
        .sum();
    let mut gains = Vec::new();
    for at in candidates.iter().filter(fitting).chain(&near).take(PLACES) {
        let Some(here) = views(mixture, at) else {
            continue;
        };
        let variance = covariance(mixture, &here, &here) + noise;
        let gain: f64 = targets
            .iter()
            .map(|target| covariance(mixture, &here, target).powi(2))
            .sum();
        gains.push((gain / variance.max(f64::MIN_POSITIVE), here.mean, at));
    }
    let best = gains.iter().map(|(gain, ..)| *gain).fold(0.0, f64::max);
    gains.retain(|(gain, ..)| best > 0.0 && *gain >= ENOUGH * best);
    gains.sort_by(|a, b| a.1.total_cmp(&b.1));
    gains.first().map(|(_, _, at)| (*at).clone())
}

/// Returns the predictions for a place; `None` if any isn't positive.
fn views(mixture: &Mixture, at: &[f64]) -> Option<Views> {
    let mut values = Vec::new();
    for member in &mixture.members {
        let value = member.model.at(at);
        if value <= 0.0 || !value.is_finite() {
            return None;
        }
        values.push(value.ln());
    }
    let weighted = mixture.members.iter().zip(&values);
    let mean: f64 = weighted.map(|(member, value)| member.weight * value).sum();
    for value in &mut values {
        *value -= mean;
    }
    let effects = mixture
        .members
        .iter()
        .map(|member| member.effect(at))
        .collect();
    Some(Views {
        values,
        effects,
        mean,
    })
}

/// Returns the covariance of the values at two places, over the members and their coefficients.
fn covariance(mixture: &Mixture, a: &Views, b: &Views) -> f64 {
    let of = |i: usize| a.values[i] * b.values[i] + dot(&a.effects[i], &b.effects[i]);
    mixture
        .members
        .iter()
        .enumerate()
        .map(|(i, member)| member.weight * of(i))
        .sum()
}

/// Returns all combinations of measured values and one larger value of each parameter. If there are
/// too many, returns places that differ from the largest one in a single parameter.
fn neighbors(data: &Data) -> Vec<Vec<f64>> {
    let levels: Vec<Vec<f64>> = (0..data.dimensions())
        .map(|p| extended(data.levels(p)))
        .collect();
    let count = levels
        .iter()
        .try_fold(1, |n: usize, levels| n.checked_mul(levels.len()));
    if count.is_none_or(|count| count > PLACES) {
        let corner: Vec<f64> = levels
            .iter()
            .map(|levels| levels[levels.len() - 1])
            .collect();
        let other = |p: usize, level: f64| {
            let mut place = corner.clone();
            place[p] = level;
            place
        };
        return (0..levels.len())
            .flat_map(|p| levels[p].iter().map(move |&level| (p, level)))
            .map(|(p, level)| other(p, level))
            .collect();
    }
    let mut places = vec![Vec::new()];
    for levels in &levels {
        let longer = |place: &Vec<f64>, level: f64| [place.as_slice(), &[level]].concat();
        places = levels
            .iter()
            .flat_map(|&level| places.iter().map(move |place| longer(place, level)))
            .collect();
    }
    places
}

/// Returns a parameter's values and, if it varies, one larger value: it continues the last ratio,
/// or doubles the largest value.
fn extended(mut levels: Vec<f64>) -> Vec<f64> {
    if let [.., before, last] = levels[..] {
        let ratio = if before > 0.0 {
            (last / before).min(2.0)
        } else {
            2.0
        };
        let next = last * ratio;
        levels.push(if last.fract() == 0.0 {
            next.round()
        } else {
            next
        });
    }
    levels
}
