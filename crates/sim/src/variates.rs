//! Generates random numbers from many distributions.
//!
//! The generator uses only `libm` and integer arithmetic, so a seed produces the same numbers on
//! every platform.

use std::error::Error;
use std::f64::consts::TAU;
use std::fmt;

/// A stream of random numbers, for example for one element in one process.
///
/// The generator is xoshiro256++ by Blackman and Vigna. Its state is computed with splitmix64 from
/// the run's seed, the process number, and the element's id. So streams are independent of each
/// other, and of the order in which processes run.
///
/// ```
/// use prophet_sim::variates::{Generator, OutOfRange};
///
/// let mut generator = Generator::new(1, 0, 351_571_381);
/// let mut again = Generator::new(1, 0, 351_571_381);
/// assert_eq!(generator.uniform(2.0, 3.0)?, again.uniform(2.0, 3.0)?);
/// assert!(generator.normal(0.0, -1.0).is_err());
/// # Ok::<(), OutOfRange>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    state: [u64; 4],
}

const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Generator {
    /// The largest mean that [`Generator::poisson`] accepts. Up to this mean, every count is exact.
    pub const POISSON_MEAN_MAX: f64 = 1e15;

    /// Creates the stream of the element with id `id` in process `pid`, for a run with this seed.
    pub fn new(seed: u64, pid: u32, id: i64) -> Self {
        let mut key = seed;
        key = split_mix(&mut key) ^ u64::from(pid);
        key = split_mix(&mut key) ^ id.cast_unsigned();
        Self {
            state: std::array::from_fn(|_| split_mix(&mut key)),
        }
    }

    /// Creates the stream with this name, for a run with this seed.
    ///
    /// Streams with different names or seeds are independent of each other, no matter how many
    /// there are.
    ///
    /// ```
    /// use prophet_sim::variates::Generator;
    ///
    /// let mut arrivals = Generator::named(1, "arrivals");
    /// assert_ne!(arrivals.bits(), Generator::named(1, "services").bits());
    /// assert_eq!(Generator::named(1, "arrivals").exponential(2.0)?, {
    ///     let mut again = Generator::named(1, "arrivals");
    ///     again.exponential(2.0)?
    /// });
    /// # Ok::<(), prophet_sim::variates::OutOfRange>(())
    /// ```
    pub fn named(seed: u64, name: &str) -> Self {
        let mut key = seed;
        // The key is mixed once for each byte, and once for the length.
        key = split_mix(&mut key) ^ name.len() as u64;
        for byte in name.bytes() {
            key = split_mix(&mut key) ^ u64::from(byte);
        }
        Self {
            state: std::array::from_fn(|_| split_mix(&mut key)),
        }
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let bits = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        bits
    }

    /// Draws a number in [0, 1), in steps of 2⁻⁵³.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
    #[inline]
    fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.bits() >> 11) as f64 * STEP
    }

    /// Draws the logarithm of a number in (0, 1].
    ///
    /// The subtraction is exact. Unlike `log1p`, `log` has no branch that depends on the number's
    /// size.
    #[inline]
    fn log_unit(&mut self) -> f64 {
        libm::log(1.0 - self.unit())
    }

    /// Draws a standard normal number with the Box-Muller method. The method's second number is
    /// discarded, so that a draw doesn't depend on what was drawn before.
    fn standard_normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * self.log_unit());
        radius * libm::cos(TAU * self.unit())
    }

    /// Returns a uniformly distributed number that is at least `low` and less than `high`.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if `low` is above `high` or their difference is not finite.
    pub fn uniform(&mut self, low: f64, high: f64) -> Result<f64, OutOfRange> {
        let width = high - low;
        require(width >= 0.0 && width.is_finite())?;
        Ok(low + width * self.unit())
    }

    /// Returns a number from an exponential distribution with this mean.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the mean is negative or not finite.
    #[inline]
    pub fn exponential(&mut self, mean: f64) -> Result<f64, OutOfRange> {
        require(not_negative(mean))?;
        // Not `-mean * …`, because that could be -0.
        Ok(0.0 - mean * self.log_unit())
    }

    /// Returns a number from a normal distribution with this mean and standard deviation.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the mean or the deviation is not finite, or if the deviation is
    /// negative.
    pub fn normal(&mut self, mean: f64, deviation: f64) -> Result<f64, OutOfRange> {
        require(mean.is_finite() && not_negative(deviation))?;
        Ok(mean + deviation * self.standard_normal())
    }

    /// Returns a number from a lognormal distribution. Its logarithm is normally distributed with
    /// mean `mu` and standard deviation `sigma`.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if `mu` or `sigma` is not finite, or if `sigma` is negative.
    pub fn lognormal(&mut self, mu: f64, sigma: f64) -> Result<f64, OutOfRange> {
        self.normal(mu, sigma).map(libm::exp)
    }

    /// Returns a number from a gamma distribution with mean `shape * scale`.
    ///
    /// This uses the method of Marsaglia and Tsang, which transforms a normal number and nearly
    /// always accepts the result.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the shape is not positive, if the scale is negative, or if either
    /// is not finite.
    pub fn gamma(&mut self, shape: f64, scale: f64) -> Result<f64, OutOfRange> {
        require(positive(shape) && not_negative(scale))?;
        if shape < 1.0 {
            let boost = libm::exp(self.log_unit() / shape);
            return Ok(scale * self.standard_gamma(shape + 1.0) * boost);
        }
        Ok(scale * self.standard_gamma(shape))
    }

    /// Draws a gamma number with scale 1 and a shape of at least 1.
    fn standard_gamma(&mut self, shape: f64) -> f64 {
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / libm::sqrt(9.0 * d);
        loop {
            let x = self.standard_normal();
            let root = 1.0 + c * x;
            if root > 0.0 {
                let v = root * root * root;
                if self.log_unit() <= 0.5 * x * x + d * (1.0 - v + libm::log(v)) {
                    return d * v;
                }
            }
        }
    }

    /// Returns a number from an Erlang distribution: the sum of `k` exponential numbers. The mean
    /// of the sum is `mean`.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if `k` is below 1, or if the mean is negative or not finite.
    #[expect(
        clippy::cast_precision_loss,
        reason = "nobody can tell such counts apart"
    )]
    pub fn erlang(&mut self, k: u64, mean: f64) -> Result<f64, OutOfRange> {
        require(k >= 1)?;
        // This is the gamma distribution with shape k, which takes the same time for any k.
        self.gamma(k as f64, mean / k as f64)
    }

    /// Returns a number from a Weibull distribution with this shape and scale.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the shape is not positive, if the scale is negative, or if either
    /// is not finite.
    pub fn weibull(&mut self, shape: f64, scale: f64) -> Result<f64, OutOfRange> {
        require(positive(shape) && not_negative(scale))?;
        Ok(scale * libm::pow(-self.log_unit(), 1.0 / shape))
    }

    /// Returns a number from a triangular distribution between `low` and `high`. Its density rises
    /// up to `mode` and then falls.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] unless `low <= mode <= high` and `high - low` is finite.
    pub fn triangular(&mut self, low: f64, mode: f64, high: f64) -> Result<f64, OutOfRange> {
        let width = high - low;
        require(low <= mode && mode <= high && width.is_finite())?;
        // The areas to the left and right of the mode. They avoid a `share` of 0/0.
        let (rise, fall) = (mode - low, high - mode);
        let share = self.unit();
        Ok(if share * width < rise {
            low + libm::sqrt(share * width) * libm::sqrt(rise)
        } else {
            high - libm::sqrt((1.0 - share) * width) * libm::sqrt(fall)
        })
    }

    /// Returns a number of events from a Poisson distribution with this mean.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the mean is negative, not finite, or above
    /// [`Generator::POISSON_MEAN_MAX`].
    pub fn poisson(&mut self, mean: f64) -> Result<u64, OutOfRange> {
        require((0.0..=Self::POISSON_MEAN_MAX).contains(&mean))?;
        Ok(if mean < 10.0 {
            self.few_events(mean)
        } else {
            self.many_events(mean)
        })
    }

    /// Draws a Poisson number by multiplying uniform numbers. The mean must be small.
    fn few_events(&mut self, mean: f64) -> u64 {
        let limit = libm::exp(-mean);
        let mut product = self.unit();
        let mut count = 0;
        while product > limit {
            product *= self.unit();
            count += 1;
        }
        count
    }

    /// Draws a Poisson number with Hörmann's transformed rejection (PTRS). The mean must be at
    /// least 10.
    #[expect(
        clippy::many_single_char_names,
        reason = "the names of Hörmann's paper"
    )]
    fn many_events(&mut self, mean: f64) -> u64 {
        let b = 0.931 + 2.53 * libm::sqrt(mean);
        let a = -0.059 + 0.024_83 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let quick = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.unit() - 0.5;
            let v = self.unit();
            let us = 0.5 - libm::fabs(u);
            let k = libm::floor((2.0 * a / us + b) * u + mean + 0.43);
            if us >= 0.07 && v <= quick {
                return count(k);
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            if libm::log(v * inverse_alpha / (a / (us * us) + b)) <= log_poisson(k, mean) {
                return count(k);
            }
        }
    }

    /// Returns `true` with this probability.
    ///
    /// # Errors
    ///
    /// Returns [`OutOfRange`] if the probability is not between 0 and 1.
    pub fn bernoulli(&mut self, probability: f64) -> Result<bool, OutOfRange> {
        require((0.0..=1.0).contains(&probability))?;
        Ok(self.unit() < probability)
    }
}

/// Returns the logarithm of the probability of `k` events.
///
/// For large counts, this uses Stirling's series, with the large terms canceled by hand: the error
/// of `lgamma` for 1e15 alone would exceed 1.
fn log_poisson(k: f64, mean: f64) -> f64 {
    if k < 10.0 {
        return k * libm::log(mean) - mean - libm::lgamma(k + 1.0);
    }
    let excess = (mean - k) / k;
    let stirling = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (k * k)) / (k * k)) / k;
    k * (libm::log1p(excess) - excess) - 0.5 * libm::log(TAU * k) - stirling
}

#[inline]
fn not_negative(x: f64) -> bool {
    (0.0..=f64::MAX).contains(&x)
}

fn positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of at most 1e15 gives no more than fits, and nothing below 0"
)]
fn count(k: f64) -> u64 {
    k as u64
}

/// The error for a parameter that is out of range, such as a negative deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange(());

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a distribution's parameter is out of range")
    }
}

impl Error for OutOfRange {}

/// Returns an error unless `in_range`.
fn require(in_range: bool) -> Result<(), OutOfRange> {
    if in_range {
        Ok(())
    } else {
        Err(OutOfRange(()))
    }
}

#[cfg(test)]
mod tests;
