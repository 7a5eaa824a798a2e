//! Adds up intervals of time without rounding errors.

/// Converts points in time to whole numbers, so that intervals between them add up exactly.
///
/// The unit is so small that the longest time is a whole number of units. Shorter times are rounded
/// down. Longer times, which only damaged files contain, count as the longest. As a result,
/// adjacent intervals from 0 to the longest time add up to exactly that time, however many there
/// are.
///
/// ```
/// use prophet_report::analysis::ticks::Ticks;
///
/// let ticks = Ticks::up_to(0.7);
/// let parts = [0.1, 0.30000000000000004, 0.7];
/// let mut from_s = 0.0;
/// let mut sum = 0;
/// for to_s in parts {
///     sum += ticks.between(from_s, to_s);
///     from_s = to_s;
/// }
/// assert_eq!(ticks.seconds(sum), 0.7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks {
    /// A tick is 2^exponent seconds long.
    exponent: i32,
    longest: i128,
}

/// Number of bits in the longest time. With it, 2^27 times of up to 2^100 ticks can be added up in
/// an `i128`.
const BITS: i32 = 100;

impl Ticks {
    /// Chooses the unit for times from 0 to `longest_s` seconds.
    pub fn up_to(longest_s: f64) -> Self {
        let exponent = ((longest_s.abs().to_bits() >> 52) as i32) - 1023;
        let mut ticks = Self {
            exponent: exponent - BITS,
            longest: i128::MAX,
        };
        ticks.longest = ticks.at(longest_s.abs());
        ticks
    }

    #[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
    fn at(self, time_s: f64) -> i128 {
        // Apply the power in two steps, because it can be too large for one.
        let half = -self.exponent / 2;
        let ticks = (time_s * power(half) * power(-self.exponent - half)) as i128;
        ticks.clamp(0, self.longest)
    }

    /// Returns the interval between two points in time, in units; 0 if `to_s` is before `from_s`.
    pub fn between(self, from_s: f64, to_s: f64) -> i128 {
        (self.at(to_s) - self.at(from_s)).max(0)
    }

    /// Converts a number of units to seconds, rounded to the nearest value.
    #[expect(clippy::cast_precision_loss, reason = "rounded once")]
    pub fn seconds(self, sum: i128) -> f64 {
        let half = self.exponent / 2;
        sum as f64 * power(half) * power(self.exponent - half)
    }
}

/// Computes a power of 2 exactly.
fn power(exponent: i32) -> f64 {
    #[expect(
        clippy::cast_sign_loss,
        reason = "halves of exponents are far from both ends"
    )]
    let bits = (exponent + 1023) as u64;
    f64::from_bits(bits << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_of_a_way_sum_to_it(
            mut points in prop::collection::vec(0.0..1.0_f64, 1..200),
            longest_s in prop_oneof![1e-12..1e-9_f64, 1e-3..1e3_f64, 1e9..1e15_f64],
        ) {
            points.sort_by(f64::total_cmp);
            let ticks = Ticks::up_to(longest_s);
            let (mut sum, mut from_s) = (0, 0.0);
            for to_s in points.iter().map(|point| point * longest_s).chain([longest_s]) {
                sum += ticks.between(from_s, to_s);
                from_s = to_s;
            }
            prop_assert_eq!(ticks.seconds(sum).to_bits(), longest_s.to_bits());
        }
    }

    #[test]
    fn the_ends_of_the_numbers_are_no_trouble() {
        for longest_s in [0.0, f64::MIN_POSITIVE, 1e-300, 1.0, 1e300, f64::MAX] {
            let ticks = Ticks::up_to(longest_s);
            assert_eq!(
                ticks.seconds(ticks.between(0.0, longest_s)).to_bits(),
                longest_s.to_bits()
            );
        }
    }
}
