//! Samples a space. The coordinates of each point are shares from 0 to 1.

mod sobol;

use std::fmt;

use prophet_text::{Problem, problem};

use super::value::shown;

/// A sample of points of a space.
///
/// ```
/// use prophet_sweep::Sample;
///
/// let sample = Sample::parse("lhs:1000:7")?;
/// assert_eq!((sample.count, sample.to_string()), (1000, "lhs:1000:7".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub design: SampleDesign,
    pub count: u64,
}

/// How a sample's points are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleDesign {
    /// Latin hypercube: each axis is divided into as many equal parts as there are points, and each
    /// part contains exactly one point (M. D. `McKay`, R. J. Beckman, W. J. Conover, 1979). The
    /// number is the seed.
    LatinHypercube(u64),
    /// The Sobol sequence, which fills the space evenly. Its first point, a corner, is left out.
    Sobol,
}

impl Sample {
    /// Parses `sobol:COUNT`, `lhs:COUNT` or `lhs:COUNT:SEED`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or("");
        let count = parts.next().and_then(|count| count.parse().ok());
        let seed = parts.next().map(str::parse);
        let design = match (name, seed) {
            ("sobol", None) => Some(SampleDesign::Sobol),
            ("lhs", None) => Some(SampleDesign::LatinHypercube(1)),
            ("lhs", Some(Ok(seed))) => Some(SampleDesign::LatinHypercube(seed)),
            _ => None,
        };
        let sample = design.zip(count.filter(|count| *count > 0));
        let sample = sample.filter(|_| parts.next().is_none());
        let sample = sample.map(|(design, count)| Self { design, count });
        sample.ok_or_else(|| {
            let form = "sobol:COUNT, lhs:COUNT or lhs:COUNT:SEED, such as sobol:1024";
            problem!("expected a sample as {form}, found `{}`", shown(text))
        })
    }

    pub(super) fn check(&self, dimensions: usize) -> Result<(), Problem> {
        let most = sobol::DIMENSIONS;
        if self.design == SampleDesign::Sobol && dimensions > most {
            return Err(problem!(
                "a sobol sample can have at most {most} axes, found {dimensions}; use lhs:{}",
                self.count
            ));
        }
        Ok(())
    }

    /// Returns a point's coordinate in a dimension, as a share from 0 to just below 1.
    pub(crate) fn share(&self, index: u64, dimension: usize) -> f64 {
        match self.design {
            SampleDesign::Sobol => sobol::share(index + 1, dimension),
            SampleDesign::LatinHypercube(seed) => {
                let key = mixed(seed ^ mixed(dimension as u64 + 1));
                let part = permuted(index, self.count, key);
                (real(part) + fraction(mixed(index ^ mixed(key)))) / real(self.count)
            }
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.design {
            SampleDesign::Sobol => write!(f, "sobol:{}", self.count),
            SampleDesign::LatinHypercube(1) => write!(f, "lhs:{}", self.count),
            SampleDesign::LatinHypercube(seed) => write!(f, "lhs:{}:{seed}", self.count),
        }
    }
}

/// Scrambles the bits of a number (`SplitMix64`).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Converts random bits to a share from 0 to just below 1.
fn fraction(bits: u64) -> f64 {
    real(bits >> 11) / real(1 << 53)
}

#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
const fn real(number: u64) -> f64 {
    number as f64
}

/// Returns the position of `index` in a random order of the numbers below `count`. To avoid listing
/// them, a Feistel network permutes the numbers below a power of four, and is applied until the
/// result is below `count`.
fn permuted(index: u64, count: u64, key: u64) -> u64 {
    const ROUNDS: u64 = 4;
    let bits = u64::BITS - (count - 1).leading_zeros();
    let half = bits.div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut place = index;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..ROUNDS {
            let next = left ^ (mixed(right ^ mixed(key ^ round)) & mask);
            (left, right) = (right, next);
        }
        place = (left << half) | right;
        if place < count {
            return place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_an_axis_has_one_point_of_a_latin_hypercube() {
        for count in [1, 2, 3, 10, 64, 1000] {
            let sample = Sample {
                design: SampleDesign::LatinHypercube(7),
                count,
            };
            for dimension in 0..3 {
                let share = |index| sample.share(index, dimension);
                let mut parts: Vec<f64> = (0..count)
                    .map(|at| (share(at) * real(count)).floor())
                    .collect();
                parts.sort_by(f64::total_cmp);
                let all: Vec<f64> = (0..count).map(real).collect();
                assert_eq!(parts, all, "{count} points, dimension {dimension}");
            }
        }
    }

    #[test]
    fn dimensions_and_seeds_have_orders_of_their_own() {
        let order = |seed, dimension| -> Vec<u64> {
            (0..100)
                .map(|at| permuted(at, 100, mixed(seed ^ mixed(dimension))))
                .collect()
        };
        assert_ne!(order(1, 1), order(1, 2));
        assert_ne!(order(1, 1), order(2, 1));
        assert_ne!(order(1, 1), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn wrong_samples_are_refused() {
        for text in [
            "sobol",
            "sobol:0",
            "sobol:x",
            "sobol:8:1",
            "lhs:8:x",
            "lhs:8:1:2",
            "grid:8",
            "",
        ] {
            let message = Sample::parse(text).unwrap_err();
            let form = "sobol:COUNT, lhs:COUNT or lhs:COUNT:SEED, such as sobol:1024";
            assert_eq!(
                message,
                problem!("expected a sample as {form}, found `{text}`")
            );
        }
    }
}
