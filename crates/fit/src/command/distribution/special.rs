//! Computes the special functions that probability densities need.

/// Argument above which the asymptotic series of [`digamma`] is accurate to 1e-13.
const LARGE: f64 = 12.0;
/// Maximum number of terms in a series or continued fraction. Only very large shapes need nearly as
/// many.
const TERMS: u32 = 100_000;
/// Relative size below which a term ends a series.
const SMALL: f64 = 1e-15;

/// Computes the derivative of ln Γ by its asymptotic series (Abramowitz and Stegun 6.3.18).
pub(super) fn digamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < LARGE {
        below -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = square
        * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0))));
    below + libm::log(x) - 0.5 / x - series
}

/// Computes the regularized incomplete Γ, which is the probability that a gamma variate with shape
/// `k` and scale 1 is below `x` (Abramowitz and Stegun 6.5.29, and the continued fraction in 6.5.31
/// by Lentz's method).
pub(super) fn gamma_below(k: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let factor = libm::exp(k * libm::log(x) - x - libm::lgamma(k));
    if x < k + 1.0 {
        return (factor * series(k, x)).min(1.0);
    }
    (1.0 - factor * fraction(k, x)).max(0.0)
}

fn series(k: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / k, 1.0 / k);
    for n in 1..TERMS {
        term *= x / (k + f64::from(n));
        sum += term;
        if term < sum * SMALL {
            break;
        }
    }
    sum
}

fn fraction(k: f64, x: f64) -> f64 {
    let guard = |it: f64| if it.abs() < 1e-300 { 1e-300 } else { it };
    let mut partial = x + 1.0 - k;
    let (mut upper, mut lower) = (1e300, 1.0 / guard(partial));
    let mut value = lower;
    for n in 1..TERMS {
        let n = f64::from(n);
        let numerator = n * (k - n);
        partial += 2.0;
        lower = 1.0 / guard(numerator * lower + partial);
        upper = guard(partial + numerator / upper);
        value *= upper * lower;
        if (upper * lower - 1.0).abs() < SMALL {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_tables() {
        // Abramowitz and Stegun, table 6.1: ψ(1) = −γ, ψ(2) = 1 − γ.
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-12);
        assert!((digamma(2.0) - 0.422_784_335_098_467_1).abs() < 1e-12);
        // With shape 1, the variate is exponential; with shape 1/2, it is the square of a normal
        // variate.
        for x in [0.01, 0.5, 1.0, 3.0, 20.0] {
            assert!((gamma_below(1.0, x) + libm::expm1(-x)).abs() < 1e-13);
            assert!((gamma_below(0.5, x) - libm::erf(x.sqrt())).abs() < 1e-13);
        }
        assert!((gamma_below(1e6, 1e6) - 0.5).abs() < 1e-3);
    }
}
