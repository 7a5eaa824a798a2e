//! Computes quantiles of Student's t-distribution, for confidence intervals.

/// Returns the quantile of Student's t-distribution for this probability and `freedom` degrees of
/// freedom.
///
/// `probability` must be between 0.5 and 1, and `freedom` must be positive. The function bisects
/// until the last digit is exact, which is fast enough for the one call that each interval needs.
#[must_use]
pub fn student_quantile(probability: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while below(high, freedom) < probability && high < 1e300 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if below(middle, freedom) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Returns the probability that a t-distributed number is below `t`, which must not be negative.
fn below(t: f64, freedom: f64) -> f64 {
    1.0 - 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t))
}

/// Computes the regularized incomplete beta function with its continued fraction (Abramowitz and
/// Stegun, 26.5.8). `x` must be where the fraction converges fast.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let log_front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log1p(-x);
    let front = libm::exp(log_front);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

/// Evaluates the continued fraction from the front (Lentz's method).
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const TERMS_MAX: u32 = 10_000;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut numerators = 1.0;
    let mut denominators = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = denominators;
    for term in 1..TERMS_MAX {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = value;
        for coefficient in [even, odd] {
            denominators = 1.0 / away_from_zero(1.0 + coefficient * denominators);
            numerators = away_from_zero(1.0 + coefficient / numerators);
            value *= denominators * numerators;
        }
        if (value / before - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, freedom, expected) in [
            (0.975, 1.0, 12.706_204_736),
            (0.975, 2.0, 4.302_652_730),
            (0.95, 10.0, 1.812_461_123),
            (0.995, 19.0, 2.860_934_606),
            (0.975, 30.0, 2.042_272_456),
            (0.995, 1000.0, 2.580_754_698),
            // The quantile of the normal distribution.
            (0.975, 1e7, 1.959_964),
        ] {
            let quantile = student_quantile(probability, freedom);
            let close = (quantile / expected - 1.0).abs() < 3e-7;
            assert!(close, "{probability} {freedom}: {quantile}, not {expected}");
        }
    }
}
