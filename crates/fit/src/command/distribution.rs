//! Finds the distribution that varying times follow, to be used as a random variate in a model, and
//! checks how well it fits.
//!
//! | module | is |
//! |---|---|
//! | `family` | lognormal, gamma and Weibull, fitted by maximum likelihood |
//! | `special` | special functions for their densities |
//! | `goodness` | the Kolmogorov-Smirnov distance, and its probability by bootstrap |

mod family;
mod goodness;
mod special;

use std::fmt::Write as _;
use std::path::Path;

use prophet_sim::statistics::median;
use prophet_text::{Align, Problem};
use serde::Serialize;

use crate::cost::fitted::number;
use crate::measurements::Series;
use family::{Family, Variate};
use goodness::{Goodness, goodness, real};

const VALUES_MIN: usize = 8;
const QUANTILES: usize = 200;
/// A variate doesn't describe the values if their probability is below this.
const UNLIKELY: f64 = 0.05;

/// A region's times, and the variates that may describe them.
#[derive(Debug)]
pub(crate) struct Varying {
    region: String,
    metric: String,
    /// Whether each value was divided by the median at its point.
    is_relative: bool,
    /// In ascending order.
    values: Vec<f64>,
    /// Best first.
    variates: Vec<Described>,
}

#[derive(Debug, Serialize)]
struct Described {
    family: &'static str,
    cost: String,
    aic: f64,
    #[serde(flatten)]
    goodness: Goodness,
}

pub(crate) fn fit(series: &[Series], seed: u64) -> Result<Vec<Varying>, Problem> {
    series.iter().map(|it| varying(it, seed)).collect()
}

fn varying(series: &Series, seed: u64) -> Result<Varying, Problem> {
    let name = if series.region.is_empty() {
        &series.metric
    } else {
        &series.region
    };
    let told = |why: &str| Problem::new(why).in_file(prophet_text::plain::line(name));
    let is_relative = series.points.len() > 1;
    let mut values = Vec::new();
    for point in &series.points {
        // Times at several points have different scales, but their ratios to the medians are
        // comparable.
        let scale = if is_relative {
            median(&point.values).unwrap_or(1.0)
        } else {
            1.0
        };
        let is_alone = is_relative && point.values.len() < 2;
        values.extend(
            point
                .values
                .iter()
                .filter(|_| !is_alone)
                .map(|it| it / scale),
        );
    }
    if values.len() < VALUES_MIN {
        let why = "repeated values are too few to show how they vary; measure at least";
        return Err(told(&format!("{} {why} {VALUES_MIN}", values.len())));
    }
    if !values.iter().all(|it| it.is_finite() && *it > 0.0) {
        return Err(told("a distribution of times needs values above 0"));
    }
    values.sort_by(f64::total_cmp);
    if values.first() == values.last() {
        return Err(told("all values are equal, so they do not vary"));
    }
    let mut variates: Vec<Described> = Family::ALL
        .into_iter()
        .filter_map(|family| described(family, &values, seed))
        .collect();
    variates.sort_by(|a, b| a.aic.total_cmp(&b.aic));
    Ok(Varying {
        region: series.region.clone(),
        metric: series.metric.clone(),
        is_relative,
        values,
        variates,
    })
}

fn described(family: Family, values: &[f64], seed: u64) -> Option<Described> {
    let variate = Variate::fit(family, values)?;
    Some(Described {
        family: family.name(),
        cost: variate.expression(),
        // Two parameters, and twice the negative log-likelihood.
        aic: 4.0 - 2.0 * variate.log_likelihood(values),
        goodness: goodness(variate, values, seed),
    })
}

impl Varying {
    /// Returns `true` if the best variate could have produced these values.
    fn is_described(&self) -> bool {
        let best = self.variates.first();
        best.is_some_and(|it| it.goodness.p_value >= UNLIKELY)
    }

    /// Returns the values' quantiles as a table for `interpolate`.
    pub(crate) fn quantiles(&self) -> String {
        let mut text = "# Quantiles of measured values: interpolate(\"…\", uniform(0, 1)) draws \
                        one.\nprobability,value\n"
            .to_owned();
        let last = self.values.len() - 1;
        let steps = last.min(QUANTILES);
        for step in 0..=steps {
            let index = step * last / steps;
            let _ = writeln!(text, "{},{}", real(index) / real(last), self.values[index]);
        }
        text
    }

    /// Returns a cost expression that draws from the values themselves.
    fn empirical(file: Option<&Path>) -> Option<String> {
        let name = file?.file_name()?.to_str()?;
        Some(format!("interpolate(\"{name}\", uniform(0, 1))"))
    }
}

pub(crate) fn table(found: &[Varying], file: Option<&Path>) -> String {
    let heading = [
        ("variate", Align::Left),
        ("AIC", Align::Right),
        ("KS distance", Align::Right),
        ("p", Align::Right),
    ];
    let mut text = String::new();
    for varying in found {
        let before = if text.is_empty() { "" } else { "\n" };
        let name = [&varying.region, &varying.metric];
        let name = name.into_iter().filter(|it| !it.is_empty());
        let name: Vec<String> = name.map(|it| prophet_text::plain::line(it)).collect();
        let about = if varying.is_relative {
            ", relative to the median of their point: use a variate as a factor of a cost"
        } else {
            ""
        };
        let count = varying.values.len();
        let _ = writeln!(text, "{before}{}: {count} values{about}", name.join(", "));
        let row = |it: &Described| {
            vec![
                it.cost.clone(),
                format!("{:.1}", it.aic),
                format!("{:.4}", it.goodness.distance),
                format!("{:.3}", it.goodness.p_value),
            ]
        };
        let rows: Vec<_> = varying.variates.iter().map(row).collect();
        text.push_str(&prophet_text::table(&heading, &rows));
        if !varying.is_described() {
            let why = "no distribution fits the values well (p < 0.05)";
            let help = "write the quantiles with --out FILE.csv to draw from the measured values";
            let _ = writeln!(text, "note: {why}; {help}");
        }
        if let Some(cost) = Varying::empirical(file) {
            let _ = writeln!(text, "draw from the measured values: {cost}");
        }
    }
    text
}

#[derive(Debug, Serialize)]
struct Variates<'v> {
    region: &'v str,
    metric: &'v str,
    relative: bool,
    values: usize,
    #[serde(rename = "variates")]
    found: &'v [Described],
    empirical: Option<String>,
}

pub(crate) fn json(found: &[Varying], file: Option<&Path>) -> String {
    let region = |it| {
        let Varying {
            region,
            metric,
            is_relative,
            values,
            variates,
        }: &Varying = it;
        Variates {
            region,
            metric,
            relative: *is_relative,
            values: values.len(),
            found: variates,
            empirical: Varying::empirical(file),
        }
    };
    let regions: Vec<Variates<'_>> = found.iter().map(region).collect();
    let text = serde_json::to_string_pretty(&regions).unwrap_or_default();
    prophet_text::plain::json(&text) + "\n"
}

impl Variate {
    fn expression(&self) -> String {
        let [a, b] = self.parameters.map(number);
        format!("{}({a}, {b})", self.family.name())
    }
}
