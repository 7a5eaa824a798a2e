//! Computes Sobol indices from the results at all points of a space.

/// Sobol indices of one axis, from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Indices {
    /// Share of the variance that the axis causes alone.
    pub first: f64,
    /// Share of the variance that would vanish if the axis were fixed: what the axis causes alone
    /// or together with others.
    pub total: f64,
}

/// Returns the Sobol indices of each axis; `None` if the results don't vary. `levels` contains the
/// number of values of each axis. `results` contains the results at all points, where the last axis
/// varies fastest. The indices are exact unless some points have no result.
///
/// # Panics
///
/// Panics if the number of results differs from the number of points.
pub fn factorial(levels: &[usize], results: &[Option<f64>]) -> Option<Vec<Indices>> {
    let points: usize = levels.iter().product();
    assert_eq!(points, results.len(), "one result a point");
    let known = || results.iter().flatten().copied();
    let all = Sums::of(known());
    let variance = all.squares(known()) / all.count;
    let varies = variance > 0.0;
    if !varies {
        return None;
    }
    let mut stride = results.len();
    let indices = levels.iter().map(|&levels| {
        stride /= levels;
        Indices {
            first: between(results, stride, levels, &all) / all.count / variance,
            total: within(results, stride, levels) / all.count / variance,
        }
    });
    Some(indices.collect())
}

/// A running mean of numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Running {
    count: f64,
    /// The first number. Subtracting it makes the mean of equal numbers exact.
    origin: f64,
    sum: f64,
}

impl Running {
    fn add(&mut self, number: f64) {
        if self.count == 0.0 {
            self.origin = number;
        }
        self.count += 1.0;
        self.sum += number - self.origin;
    }

    fn mean(&self) -> f64 {
        self.origin + self.sum / self.count.max(1.0)
    }
}

struct Sums {
    count: f64,
    mean: f64,
}

impl Sums {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut running = Running::default();
        numbers.for_each(|number| running.add(number));
        Self {
            count: running.count,
            mean: running.mean(),
        }
    }

    /// Returns the sum of the squared distances from the mean.
    fn squares(&self, numbers: impl Iterator<Item = f64>) -> f64 {
        numbers
            .map(|number| (number - self.mean) * (number - self.mean))
            .sum()
    }
}

/// Returns the squared distance between the mean of each point's level and the overall mean, summed
/// over the points.
fn between(results: &[Option<f64>], stride: usize, levels: usize, all: &Sums) -> f64 {
    // Use a single pass for all levels, because an axis can have as many levels as there are
    // points.
    let mut sums = vec![Running::default(); levels];
    for (index, result) in results.iter().enumerate() {
        if let Some(number) = result {
            sums[index / stride % levels].add(*number);
        }
    }
    let squares = sums.iter().map(|level| {
        let distance = level.mean() - all.mean;
        level.count * distance * distance
    });
    squares.sum()
}

/// Returns the sum of the squared distances between the results and the means of their lines along
/// an axis.
fn within(results: &[Option<f64>], stride: usize, levels: usize) -> f64 {
    let starts = (0..results.len()).filter(|index| (index / stride).is_multiple_of(levels));
    let of_line = |start| {
        let line = || (0..levels).filter_map(move |level| results[start + level * stride]);
        Sums::of(line()).squares(line())
    };
    starts.map(of_line).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}");
    }

    /// Tests indices computed by hand: the results 1, 2, 3 and 6 have mean 3 and variance 3.5.
    #[test]
    fn small_factorials_are_right_by_hand() {
        let results = [1.0, 2.0, 3.0, 6.0].map(Some);
        let indices = factorial(&[2, 2], &results).expect("the results vary");
        // The means of the levels are 1.5 and 4.5, and 2 and 4.
        close(indices[0].first, 2.25 / 3.5);
        close(indices[1].first, 1.0 / 3.5);
        // The variances within lines are 1 and 4, and 0.25 and 2.25.
        close(indices[0].total, 2.5 / 3.5);
        close(indices[1].total, 1.25 / 3.5);
    }

    /// Tests that the shares of two axes and of their interaction add up to the whole variance.
    #[test]
    fn shares_of_two_axes_that_interact_are_all() {
        let results: Vec<Option<f64>> = (0..60)
            .map(|index| [index / 15, index / 5 % 3].map(f64::from))
            .map(|[a, b]| Some(2.0 * a + 3.0 * b * b + a * b))
            .collect();
        let indices = factorial(&[4, 3, 5], &results).expect("the results vary");
        assert_eq!((indices[2].first, indices[2].total), (0.0, 0.0));
        let together = indices[0].total - indices[0].first;
        close(indices[0].first + indices[1].first + together, 1.0);
        assert!(together > 0.0);
    }

    /// Tests that rounding errors in sums don't make an axis appear to have an effect.
    #[test]
    fn axes_without_effect_have_none_to_the_last_bit() {
        let results: Vec<Option<f64>> = (0..15)
            .map(|index| Some(0.1 + 1.0 / (3.7 + f64::from(index / 3))))
            .collect();
        let indices = factorial(&[5, 3], &results).expect("the results vary");
        assert_eq!(indices[1].total.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn results_that_do_not_vary_have_no_indices() {
        assert_eq!(factorial(&[2], &[None, None]), None);
        assert_eq!(factorial(&[2], &[Some(1.0), Some(1.0)]), None);
        assert_eq!(factorial(&[2], &[Some(1.0), None]), None);
    }
}
