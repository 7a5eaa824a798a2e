//! Fits a model, determines its uncertainty, and suggests the next measurement, which would reduce
//! the uncertainty.

use crate::law::assess::{FAR, OUTLIER};
use crate::law::data::Data;
use crate::law::mixture::{Component, Doubt, Mixture, targets};
use crate::law::normal::normal;
use crate::law::{Model, Options, Refusal, Samples, drift, next};

/// Number of bisection steps, and largest standard deviation of a logarithm to search.
const STEPS: usize = 60;
const WIDEST: f64 = 50.0;

/// Medians of eight equally probable parts of the standard normal distribution.
const NORMAL_MIDDLES: [f64; 8] = [
    -1.534_121, -0.887_147, -0.488_776, -0.157_311, 0.157_311, 0.488_776, 0.887_147, 1.534_121,
];

/// Minimum number of repetitions to recognize a disturbed one.
const REPEATED: usize = 3;

/// Lower bound for the cube root of a chi-squared share, which is close to 0 with one degree of
/// freedom.
const LEAST_SHARE: f64 = 0.3;

/// A model fitted to measurements, with its uncertainty.
#[derive(Debug, Clone)]
pub struct Fit {
    pub model: Model,
    /// Mean relative error of predicting the largest scale from the smaller ones; `None` if every
    /// parameter has fewer than four values.
    pub error_left_out: Option<f64>,
    /// Evidence for the candidates: the mean log-density of a measurement. Use it to compare laws
    /// of different quantities that are fitted to the same values.
    pub evidence: f64,
    /// The measured value and the model's value at each place.
    pub residuals: Vec<Residual>,
    /// Why the measurements don't determine the model; `None` if they do.
    pub undecided: Option<String>,
    /// Place where another measurement would give the most information for its cost, if any would
    /// help.
    pub measure_next: Option<Vec<f64>>,
    /// Remarks about the measurements, for example about a parameter that never varies.
    pub notes: Vec<String>,
    mixture: Mixture,
    /// How much more a single value varies than the mean that the mixture predicts (as a variance),
    /// with its degrees of freedom.
    single: (f64, usize),
    ends: Vec<f64>,
    /// Error of the candidates beyond the largest measured scale; see [`drift`].
    drift: f64,
    /// Index of the parameter that is a message size, if there is one.
    messages: Option<usize>,
    /// Whether every place has enough repetitions that their mean can't be an outlier.
    is_repeated: bool,
}

/// The measured value and the model's value at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// Value of each parameter.
    pub at: Vec<f64>,
    /// Measured value: a robust mean of the repetitions.
    pub measured: f64,
    pub modeled: f64,
}

/// Fits a model to measurements.
///
/// # Errors
/// Returns a [`Refusal`] if there are no measurements or a number is invalid.
pub fn fit(series: &Samples, options: &Options) -> Result<Fit, Refusal> {
    let measured = Data::new(series, options)?;
    let data = measured.thinned();
    let mixture = Mixture::new(&data, options);
    let targets = targets(&data);
    let model = mixture.decide(&targets).clone();
    let residual = |i: usize| Residual {
        at: measured.at[i].clone(),
        measured: measured.y[i],
        modeled: model.at(&measured.at[i]),
    };
    let left_out = drift::left_out(&data, options);
    Ok(Fit {
        error_left_out: left_out.as_ref().map(|it| it.error),
        drift: left_out.map_or(0.0, |it| it.drift),
        single: (
            data.spread.map_or(0.0, |it| it * it) - data.noise_variance(),
            data.freedom,
        ),
        ends: drift::largest(&measured),
        messages: measured.messages,
        is_repeated: measured.repetitions.iter().all(|it| *it >= REPEATED),
        evidence: mixture.evidence,
        residuals: (0..measured.len()).map(residual).collect(),
        undecided: undecided(&mixture, &model, &series.parameters, &targets),
        measure_next: next::place(&data, &mixture, &targets, &options.candidates),
        notes: notes(&measured, data.len(), &series.parameters),
        model,
        mixture,
    })
}

/// Lists what the measurements lack.
fn notes(data: &Data, chosen: usize, names: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    for (parameter, name) in names.iter().enumerate() {
        match data.levels(parameter).len() {
            1 => notes.push(format!(
                "`{name}` never varies, so the model cannot predict its effect"
            )),
            levels @ 2..=3 => notes.push(format!(
                "`{name}` has only {levels} values: measure 4 or more, so that one can be held out"
            )),
            _ => {}
        }
    }
    if data.len() == 1 && !names.is_empty() {
        notes.push(
            "a single point gives only a constant: measure 4 or more values of a parameter".into(),
        );
    }
    if chosen < data.len() {
        notes.push(format!(
            "{chosen} of {} points were used to choose the model; they are spread over all points",
            data.len()
        ));
    }
    if data.y.iter().all(|&y| y == 0.0) {
        notes.push("all values are zero".into());
    }
    notes
}

/// Describes what the measurements leave undecided, and where that matters.
fn undecided(
    mixture: &Mixture,
    model: &Model,
    names: &[String],
    targets: &[Vec<f64>],
) -> Option<String> {
    let (target, doubt) = targets
        .iter()
        .find_map(|t| Some((t, mixture.doubt(model, t)?)))?;
    let values: Vec<_> = names
        .iter()
        .zip(target)
        .map(|(name, x)| format!("{name} = {x}"))
        .collect();
    let (value, values) = (model.at(target), values.join(", "));
    Some(match doubt {
        Doubt::Rival(rival) => format!(
            "`{}` fits about equally well, but gives {:.3e} instead of {value:.3e} at {values}",
            rival.expression(names),
            rival.at(target),
        ),
        Doubt::Coefficients => format!(
            "the formula gives {value:.3e} at {values}, which may be off by a quarter: measure \
             closer to this point"
        ),
    })
}

impl Fit {
    /// Returns the interval that contains a measurement at the place `at` with the probability
    /// `level`, such as 0.9 for 90 %.
    ///
    /// The interval covers the candidates' quantiles under two weightings: by belief, and as if
    /// steep growth were as likely as slow growth (it is possible unless the measurements rule it
    /// out). Beyond the largest scale, the interval is widened by the error of predicting that
    /// scale from smaller ones.
    pub fn interval(&self, level: f64, at: &[f64]) -> (f64, f64) {
        let tail = f64::midpoint(1.0, -level);
        let ends = self.beliefs(at).map(|components| {
            let components = if self.is_repeated {
                components
            } else {
                with_outliers(&components)
            };
            (
                quantile(&components, tail),
                quantile(&components, 1.0 - tail),
            )
        });
        (ends[0].0.min(ends[1].0), ends[0].1.max(ends[1].1))
    }

    /// Returns the value that a single later measurement at the place `at` will not exceed with
    /// this probability.
    ///
    /// [`Fit::interval`] is for the mean of as many repetitions as the other places have. This
    /// limit is for a single value, with the full noise of one repetition.
    pub fn limit(&self, probability: f64, at: &[f64]) -> f64 {
        let ends = self.beliefs(at).map(|components| {
            let components = with_outliers(&self.single(&components));
            quantile(&components, probability)
        });
        ends[0].max(ends[1])
    }

    /// Returns the predictions weighted by belief, and weighted as if steep growth were as likely
    /// as slow growth.
    fn beliefs(&self, at: &[f64]) -> [Vec<Component>; 2] {
        let drift = (self.drift * drift::distance(&self.ends, at)).hypot(self.protocols(at));
        [self.mixture.components(at), self.mixture.even(at)].map(|mut components| {
            for component in &mut components {
                component.deviation = component.deviation.hypot(drift);
            }
            components
        })
    }

    fn protocols(&self, at: &[f64]) -> f64 {
        self.messages.map_or(0.0, |it| {
            drift::MESSAGES * drift::distance(&self.ends[it..=it], &at[it..=it])
        })
    }

    /// Returns the predictions of a single value. Few repetitions determine the noise only roughly,
    /// so it is divided by the root of a chi-squared share, at the middle of each of several
    /// equally probable ranges.
    fn single(&self, components: &[Component]) -> Vec<Component> {
        let (extra, freedom) = self.single;
        if extra <= 0.0 {
            return components.to_vec();
        }
        let mut single = Vec::new();
        for middle in NORMAL_MIDDLES {
            // The Wilson-Hilferty approximation.
            let ninth = 2.0 / (9.0 * freedom as f64);
            let share = (1.0 - ninth + middle * ninth.sqrt())
                .max(LEAST_SHARE)
                .powi(3);
            single.extend(components.iter().map(|it| Component {
                weight: it.weight / NORMAL_MIDDLES.len() as f64,
                deviation: it.deviation.hypot((extra / share).sqrt()),
                ..*it
            }));
        }
        single
    }
}

/// Returns the predictions of a measurement that can be an outlier, like the fitted measurements.
fn with_outliers(components: &[Component]) -> Vec<Component> {
    let usual = components.iter().map(|it| Component {
        weight: (1.0 - OUTLIER) * it.weight,
        ..*it
    });
    let outliers = components.iter().map(|it| Component {
        weight: OUTLIER * it.weight,
        deviation: it.deviation.hypot(FAR),
        ..*it
    });
    usual.chain(outliers).collect()
}

/// Returns the value that a measurement stays below with this probability. It is found by
/// bisection, in logarithms if all predictions are positive.
fn quantile(components: &[Component], probability: f64) -> f64 {
    let logarithmic = components.iter().all(|component| component.value > 0.0);
    if components.iter().all(|component| component.value == 0.0) {
        return 0.0;
    }
    let centers: Vec<(f64, f64, f64)> = components
        .iter()
        .map(
            |&Component {
                 weight,
                 value,
                 deviation,
             }| {
                let deviation = deviation.clamp(f64::MIN_POSITIVE, WIDEST);
                if logarithmic {
                    (weight, value.ln(), deviation)
                } else {
                    (
                        weight,
                        value,
                        deviation * value.abs().max(f64::MIN_POSITIVE),
                    )
                }
            },
        )
        .collect();
    let mut low = f64::INFINITY;
    let mut high = f64::NEG_INFINITY;
    for (_, center, deviation) in &centers {
        low = low.min(center - 8.0 * deviation);
        high = high.max(center + 8.0 * deviation);
    }
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        let below = |(weight, center, deviation): &(f64, f64, f64)| {
            weight * normal((middle - center) / deviation)
        };
        if centers.iter().map(below).sum::<f64>() < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    let middle = f64::midpoint(low, high);
    if logarithmic { middle.exp() } else { middle }
}
