//! Weights fitted candidates by belief, and chooses the prediction with the lowest expected loss.

use crate::law::data::Data;
use crate::law::linear::dot;
use crate::law::member::Member;
use crate::law::normal::normal;
use crate::law::{Model, Options, knees, powers, saturation, sums};

/// Members with less than this share of the best member's belief are dropped.
const NEGLIGIBLE: f64 = 1e-4;

const MEMBERS: usize = 100;

/// Belief in a cost that is divided among processes without a remainder, so that it falls without
/// limit. It applies to four or more values, because fewer can't reveal a remainder.
const WITHOUT_REST: f64 = 0.3;

/// Multiples of the largest measured scale at which to compare models.
const BEYOND: [f64; 3] = [2.0, 4.0, 8.0];

/// The ratio of two predictions that counts as a difference, and the belief that turns the
/// difference into a doubt, if the parameter with the fewest values has two, three or more of them.
/// Almost any law fits two values. With more noise, less belief is enough to doubt a law fitted to
/// two or three values.
const DIFFERENCE: f64 = 1.25;
const CALM: f64 = 0.015;
const DOUBTS: [f64; 3] = [0.002, 0.042, 0.2];

/// The least noise of a measurement, the noise if nothing was repeated, and by what multiple of the
/// noise a model can be off at a place and still be chosen.
const LEAST_NOISE: f64 = 0.01;
const UNKNOWN_NOISE: f64 = 0.1;
const MISS: f64 = 3.0;

/// Abscissas and weights for integrating over a normal distribution. Polynomials up to degree five
/// are exact.
const NORMAL: [(f64, f64); 3] = [
    (-1.732_050_8, 1.0 / 6.0),
    (0.0, 2.0 / 3.0),
    (1.732_050_8, 1.0 / 6.0),
];

/// Members with weights that add up to 1.
#[derive(Debug, Clone)]
pub(crate) struct Mixture {
    pub(crate) members: Vec<Member>,
    /// Mean log-density of the measurements over all members.
    pub(crate) evidence: f64,
    /// Whether each member is further from a measured place than the noise there explains.
    misses: Vec<bool>,
    doubt: f64,
}

/// One member's prediction at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Component {
    pub(crate) weight: f64,
    pub(crate) value: f64,
    pub(crate) deviation: f64,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Doubt<'m> {
    /// Another model that fits about as well.
    Rival(&'m Model),
    /// The model's own coefficients, which aren't known well enough.
    Coefficients,
}

impl Mixture {
    pub(crate) fn new(data: &Data, options: &Options) -> Self {
        let mut members = sums::members(data, options.signed);
        members.extend(powers::members(data));
        members.extend(saturation::members(data));
        if let Some(knees) = &options.knees {
            members.extend(knees::members(data, options.signed, knees));
        }
        for member in &mut members {
            if data.len() > 3 && member.model.is_divided() {
                member.weight += WITHOUT_REST.ln();
            }
        }
        members.retain(|member| {
            member.weight.is_finite() && data.at.iter().all(|at| member.model.at(at).is_finite())
        });
        if let Some(messages) = data.messages {
            let has_bandwidth = |it: &Member| it.model.has_bandwidth(messages);
            if members.iter().any(has_bandwidth) {
                members.retain(has_bandwidth);
            }
        }
        if members.is_empty() {
            members.push(Member::constant(data));
        }
        members.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        members.truncate(MEMBERS);
        let best = members.first().map_or(0.0, |member| member.weight);
        for member in &mut members {
            member.weight = (member.weight - best).exp();
        }
        members.retain(|member| member.weight >= NEGLIGIBLE);
        let total: f64 = members.iter().map(|member| member.weight).sum();
        for member in &mut members {
            member.weight /= total;
        }
        let evidence = (best + total.ln()) / data.len() as f64;
        let misses = members.iter().map(|it| misses(data, &it.model)).collect();
        let levels = (0..data.dimensions()).map(|p| data.levels(p).len());
        let fewest = levels.filter(|it| *it > 1).min();
        let noise = data.spread.unwrap_or_default().max(LEAST_NOISE);
        let calm = (CALM / noise).min(1.0).powi(2);
        let doubt = match fewest {
            // Nothing varies, so there is no law.
            None => f64::INFINITY,
            Some(few @ 2..=3) => calm * DOUBTS[few - 2],
            Some(_) => DOUBTS[2],
        };
        Self {
            members,
            evidence,
            misses,
            doubt,
        }
    }

    /// Returns the members' predictions for a measurement at a place.
    pub(crate) fn components(&self, at: &[f64]) -> Vec<Component> {
        self.members
            .iter()
            .map(|member| {
                let effect = member.effect(at);
                Component {
                    weight: member.weight,
                    value: member.model.at(at),
                    deviation: (dot(&effect, &effect) + member.variance).sqrt(),
                }
            })
            .collect()
    }

    /// Returns the predictions with weights that make steep growth as likely as slow growth.
    pub(crate) fn even(&self, at: &[f64]) -> Vec<Component> {
        let mut components = self.components(at);
        for (component, member) in components.iter_mut().zip(&self.members) {
            component.weight /= sums::steepness(&member.model);
        }
        let total: f64 = components.iter().map(|it| it.weight).sum();
        for component in &mut components {
            component.weight /= total;
        }
        components
    }

    /// Returns the member with the smallest expected relative error at the places to predict.
    /// Members that agree with all measured places are preferred.
    pub(crate) fn decide(&self, targets: &[Vec<f64>]) -> &Model {
        let mut losses = vec![0.0; self.members.len()];
        for target in targets {
            let components = self.components(target);
            for (member, loss) in self.members.iter().zip(&mut losses) {
                *loss += expected_error(member.model.at(target), &components);
            }
        }
        let rank = |&a: &usize, &b: &usize| {
            let misses = self.misses[a].cmp(&self.misses[b]);
            misses.then(losses[a].total_cmp(&losses[b]))
        };
        let best = (0..losses.len()).min_by(rank);
        &self.members[best.unwrap_or(0)].model
    }

    /// Returns why a model is in doubt at a place, if there is enough belief in other values there.
    /// They can result from another law, or from other coefficients.
    pub(crate) fn doubt(&self, model: &Model, at: &[f64]) -> Option<Doubt<'_>> {
        let limit = DIFFERENCE.ln();
        let distance = |member: &Member| relative(member.model.at(at), model.at(at));
        let outside = |member: &Member| {
            let effect = member.effect(at);
            // A value of 0 has no relative error.
            let known = member.model.at(at) == 0.0;
            let deviation = if known {
                0.0
            } else {
                dot(&effect, &effect).sqrt()
            };
            let deviation = deviation.max(f64::MIN_POSITIVE);
            let below = |end: f64| normal((end - distance(member)) / deviation);
            member.weight * (1.0 - below(limit) + below(-limit))
        };
        let share: f64 = self.members.iter().map(outside).sum();
        if share <= self.doubt {
            return None;
        }
        let rival = self.members.iter().find(|it| distance(it).abs() > limit);
        Some(rival.map_or(Doubt::Coefficients, |it| Doubt::Rival(&it.model)))
    }
}

fn misses(data: &Data, model: &Model) -> bool {
    let unknown = if data.len() < 4 {
        UNKNOWN_NOISE
    } else {
        f64::INFINITY
    };
    let noise = data.spread.map_or(unknown, |it| it.max(LEAST_NOISE));
    let places = data.at.iter().zip(&data.y).zip(&data.size);
    let mut errors = places.map(|((at, y), size)| (model.at(at) - y).abs() / size);
    errors.any(|error| error > MISS * noise)
}

/// Returns places beyond the largest measured scale: with all parameters enlarged, and with each of
/// them enlarged alone.
pub(crate) fn targets(data: &Data) -> Vec<Vec<f64>> {
    let levels: Vec<Vec<f64>> = (0..data.dimensions()).map(|p| data.levels(p)).collect();
    let largest: Vec<f64> = levels
        .iter()
        .map(|levels| levels[levels.len() - 1])
        .collect();
    let varying: Vec<usize> = (0..levels.len()).filter(|&p| levels[p].len() > 1).collect();
    let mut targets = Vec::new();
    for factor in BEYOND {
        let mut target = largest.clone();
        for &parameter in &varying {
            target[parameter] *= factor;
        }
        targets.push(target);
        if varying.len() > 1 {
            for &parameter in &varying {
                let mut target = largest.clone();
                target[parameter] *= factor;
                targets.push(target);
            }
        }
    }
    targets
}

/// Returns the mean of |ln(value / truth)| over the possible results of a measurement.
fn expected_error(value: f64, components: &[Component]) -> f64 {
    let mut sum = 0.0;
    for component in components {
        let distance = relative(value, component.value);
        for (abscissa, weight) in NORMAL {
            sum += component.weight * weight * (distance + abscissa * component.deviation).abs();
        }
    }
    sum
}

/// Returns the logarithm of the ratio of two values. If it doesn't exist, returns their difference
/// divided by the second value.
pub(crate) fn relative(value: f64, truth: f64) -> f64 {
    let ratio = value / truth;
    if ratio > 0.0 {
        ratio.ln()
    } else {
        (value - truth) / truth.abs().max(f64::MIN_POSITIVE)
    }
}
