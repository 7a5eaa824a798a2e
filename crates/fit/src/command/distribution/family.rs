//! Fits lognormal, gamma and Weibull distributions by maximum likelihood.

use prophet_sim::statistics::mean;
use prophet_sim::variates::Generator;

use super::special::{digamma, gamma_below};

/// Maximum number of iterations. Convergence takes far fewer.
const STEPS: usize = 200;
/// Relative width at which bisection stops, far below the precision of the values.
const WIDTH: f64 = 1e-10;

/// A family of distributions. The cost language has a variate for each family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Lognormal,
    Gamma,
    Weibull,
}

impl Family {
    pub(super) const ALL: [Self; 3] = [Self::Lognormal, Self::Gamma, Self::Weibull];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Lognormal => "lognormal",
            Self::Gamma => "gamma",
            Self::Weibull => "weibull",
        }
    }
}

/// A distribution with its parameters: mean and standard deviation of the logarithm, or shape and
/// scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variate {
    pub(super) family: Family,
    pub(super) parameters: [f64; 2],
}

impl Variate {
    /// Returns the distribution of this family under which the values, which must be positive, are
    /// most likely; `None` if no parameters fit.
    pub(super) fn fit(family: Family, values: &[f64]) -> Option<Self> {
        let parameters = match family {
            Family::Lognormal => lognormal(values),
            Family::Gamma => gamma(values),
            Family::Weibull => weibull(values),
        };
        let is_proper = parameters.iter().all(|it| it.is_finite()) && parameters[1] > 0.0;
        is_proper.then_some(Self { family, parameters })
    }

    pub(super) fn log_likelihood(&self, values: &[f64]) -> f64 {
        let [a, b] = self.parameters;
        let density = |x: f64| match self.family {
            Family::Lognormal => {
                let z = (libm::log(x) - a) / b;
                -0.5 * z * z - libm::log(x * b * std::f64::consts::TAU.sqrt())
            }
            Family::Gamma => (a - 1.0) * libm::log(x) - x / b - libm::lgamma(a) - a * libm::log(b),
            Family::Weibull => {
                libm::log(a / b) + (a - 1.0) * libm::log(x / b) - libm::pow(x / b, a)
            }
        };
        values.iter().map(|it| density(*it)).sum()
    }

    /// Returns the probability that a value is below `x`.
    pub(super) fn below(&self, x: f64) -> f64 {
        let [a, b] = self.parameters;
        match self.family {
            Family::Lognormal => {
                0.5 * libm::erfc((a - libm::log(x)) / (b * std::f64::consts::SQRT_2))
            }
            Family::Gamma => gamma_below(a, x / b),
            Family::Weibull => -libm::expm1(-libm::pow(x / b, a)),
        }
    }

    /// Draws a value in the same way as the simulation.
    pub(super) fn draw(&self, generator: &mut Generator) -> Option<f64> {
        let [a, b] = self.parameters;
        let drawn = match self.family {
            Family::Lognormal => generator.lognormal(a, b),
            Family::Gamma => generator.gamma(a, b),
            Family::Weibull => generator.weibull(a, b),
        };
        drawn.ok()
    }
}

fn lognormal(values: &[f64]) -> [f64; 2] {
    let center = mean(values.iter().map(|it| libm::log(*it)));
    let square = |it: &f64| {
        let difference = libm::log(*it) - center;
        difference * difference
    };
    [center, mean(values.iter().map(square)).sqrt()]
}

/// Returns shape and scale from ln k − ψ(k) = ln(mean) − mean of logarithms. Like the equation, the
/// start value comes from Minka 2002, "Estimating a Gamma distribution".
fn gamma(values: &[f64]) -> [f64; 2] {
    let average = mean(values.iter().copied());
    let s = libm::log(average) - mean(values.iter().map(|it| libm::log(*it)));
    let first = (3.0 - s + ((s - 3.0).powi(2) + 24.0 * s).sqrt()) / (12.0 * s);
    // The left side decreases in k. The start value is within 1.5 %, so bisect around it.
    let root = bisect(0.5 * first, 2.0 * first, |k| libm::log(k) - digamma(k) - s);
    [root, average / root]
}

/// Returns shape and scale. At the solution, Σ x^k ln x / Σ x^k − 1/k is the mean of the
/// logarithms.
fn weibull(values: &[f64]) -> [f64; 2] {
    let largest = values.iter().copied().fold(0.0, f64::max);
    // Powers of values relative to the largest are at most 1.
    let logarithms: Vec<f64> = values.iter().map(|it| libm::log(it / largest)).collect();
    let center = mean(logarithms.iter().copied());
    let slack = |k: f64| {
        let weights = logarithms.iter().map(|it| libm::exp(k * it));
        let (mut weighted, mut all) = (0.0, 0.0);
        for (weight, logarithm) in weights.zip(&logarithms) {
            weighted += weight * logarithm;
            all += weight;
        }
        center + 1.0 / k - weighted / all
    };
    let mut high = 1.0;
    while slack(high) > 0.0 && high < 1e9 {
        high *= 2.0;
    }
    let mut low = high;
    while slack(low) < 0.0 && low > 1e-9 {
        low /= 2.0;
    }
    let shape = bisect(low, high, slack);
    let power = mean(logarithms.iter().map(|it| libm::exp(shape * it)));
    [shape, largest * libm::pow(power, 1.0 / shape)]
}

/// Returns the zero of a decreasing function.
fn bisect(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if high - low <= WIDTH * middle {
            break;
        }
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fits find the parameters of the distribution that values were drawn from, and half of the
    /// values are below its median.
    #[test]
    fn parameters_are_found_again() {
        let cases = [
            (Family::Lognormal, [0.5, 0.25]),
            (Family::Gamma, [4.0, 0.5]),
            (Family::Gamma, [0.6, 2.0]),
            (Family::Weibull, [1.5, 3.0]),
            (Family::Weibull, [40.0, 0.01]),
        ];
        for (family, parameters) in cases {
            let variate = Variate { family, parameters };
            let mut generator = Generator::new(7, 1, 2);
            let draws = (0..20_000).map(|_| variate.draw(&mut generator));
            let draws: Option<Vec<f64>> = draws.collect();
            let draws = draws.expect("the parameters are in range");
            let found = Variate::fit(family, &draws).expect("it has parameters");
            for (found, expected) in found.parameters.iter().zip(parameters) {
                assert!(
                    (found / expected - 1.0).abs() < 0.03,
                    "{family:?} {found} {expected}"
                );
            }
            let below = draws.iter().filter(|it| variate.below(**it) < 0.5).count();
            assert!((9_700..10_300).contains(&below), "{family:?} {below}");
            let other = Variate {
                parameters: parameters.map(|it| 1.1 * it),
                family,
            };
            assert!(found.log_likelihood(&draws) > other.log_likelihood(&draws));
        }
    }
}
