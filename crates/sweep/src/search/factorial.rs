//! Sobol indices where all points of a space are known.

use super::{Estimate, Indices, SearchAxis, SearchSpace};

/// Indices of the axes by the results at all points, in the order of their index; exact but where
/// points have no result. None if the results do not vary.
///
/// # Panics
///
/// If the results are not as many as the points.
pub fn factorial(space: &SearchSpace, results: &[Option<f64>]) -> Option<Vec<Indices>> {
    assert_eq!(space.size(), Some(results.len()), "one result a point");
    let known = || results.iter().flatten().copied();
    let all = Sums::of(known());
    let variance = all.squares(known()) / all.count;
    let varies = variance > 0.0;
    if !varies {
        return None;
    }
    let levels: Vec<usize> = space.axes().iter().filter_map(SearchAxis::levels).collect();
    let mut stride = results.len();
    let indices = levels.iter().map(|&levels| {
        stride /= levels;
        let first = between(results, stride, levels, &all) / all.count / variance;
        let total = within(results, stride, levels) / all.count / variance;
        Indices {
            first: Estimate::exact(first),
            total: Estimate::exact(total),
        }
    });
    Some(indices.collect())
}

/// Numbers that come one by one.
#[derive(Debug, Clone, Copy, Default)]
struct Running {
    count: f64,
    /// First number: the mean of equal numbers is that number, to the last bit.
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

/// Count and mean of numbers.
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

    /// Sum of the squared distances from the mean.
    fn squares(&self, numbers: impl Iterator<Item = f64>) -> f64 {
        numbers
            .map(|number| (number - self.mean) * (number - self.mean))
            .sum()
    }
}

/// Sum, over the points, of the squared distances of their level's mean from the mean of all.
fn between(results: &[Option<f64>], stride: usize, levels: usize, all: &Sums) -> f64 {
    // One pass for all levels: an axis may have as many as there are points.
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

/// Sum of the squared distances of the results from the means of their lines along an axis.
fn within(results: &[Option<f64>], stride: usize, levels: usize) -> f64 {
    let starts = (0..results.len()).filter(|index| (index / stride).is_multiple_of(levels));
    let of_line = |start| {
        let line = || (0..levels).filter_map(move |level| results[start + level * stride]);
        Sums::of(line()).squares(line())
    };
    starts.map(of_line).sum()
}
