//! Minimizes sums of squares of functions whose derivatives are unknown, within bounds and from
//! several starting points (Levenberg-Marquardt: K. Levenberg 1944, D. Marquardt 1963).

use prophet_text::Problem;

const STEPS_MAX: usize = 60;
/// Maximum number of attempts at a step. Each has more damping than the previous one.
const TRIALS_MAX: usize = 10;
/// Step for numerical slopes, in logarithms of parameters.
const SLOPE_STEP: f64 = 1e-4;
/// Number of points to try per unknown. The search starts from the best of them.
const SCREENED: usize = 24;
const STARTS: usize = 4;
/// Relative decrease in the sum of squares below which the search stops.
const CONVERGED: f64 = 1e-12;
/// Bases of the sequences that spread points evenly over the space (J. H. Halton, 1960).
const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// Returns the errors at a position. Errors are logarithms of ratios.
pub(super) type Errors<'e> = &'e dyn Fn(&[f64]) -> Result<Vec<f64>, Problem>;

/// A position with a small sum of squared errors.
#[derive(Debug, Clone)]
pub(super) struct Minimum {
    pub(super) at: Vec<f64>,
    pub(super) errors: Vec<f64>,
    /// Slope of each error with respect to each unknown.
    pub(super) jacobian: Vec<Vec<f64>>,
}

/// Returns the best minimum found from several starts. Each unknown ranges from 0 to its width.
pub(super) fn best(errors: Errors<'_>, widths: &[f64]) -> Result<Minimum, Problem> {
    let mut screened: Vec<(f64, Vec<f64>)> = Vec::new();
    let mut why = None;
    for index in 0..=SCREENED * widths.len() {
        let place = |(width, prime): (&f64, &u32)| match index {
            0 => 0.5 * width,
            index => width * halton(index, *prime),
        };
        let at: Vec<f64> = widths.iter().zip(&PRIMES).map(place).collect();
        match errors(&at) {
            Ok(errors) => screened.push((sum(&errors), at)),
            Err(problem) => _ = why.get_or_insert(problem),
        }
    }
    screened.sort_by(|a, b| a.0.total_cmp(&b.0));
    let starts = screened.into_iter().take(STARTS);
    let mut found: Option<Minimum> = None;
    for (_, start) in starts {
        let minimum = Minimum::from(errors, widths, start)?;
        if found.as_ref().is_none_or(|it| minimum.sum() < it.sum()) {
            found = Some(minimum);
        }
    }
    found.ok_or_else(|| why.unwrap_or_else(|| "".into()))
}

/// Returns an element of the Halton sequence, which fills the interval from 0 to 1 evenly.
fn halton(index: usize, base: u32) -> f64 {
    let (mut rest, mut share, mut number) = (index, 1.0, 0.0);
    while rest > 0 {
        share /= f64::from(base);
        #[expect(clippy::cast_precision_loss, reason = "a digit")]
        let digit = (rest % base as usize) as f64;
        number += share * digit;
        rest /= base as usize;
    }
    number
}

fn sum(errors: &[f64]) -> f64 {
    errors.iter().map(|it| it * it).sum()
}

impl Minimum {
    pub(super) fn sum(&self) -> f64 {
        sum(&self.errors)
    }

    pub(super) fn from(
        errors: Errors<'_>,
        widths: &[f64],
        start: Vec<f64>,
    ) -> Result<Self, Problem> {
        let mut here = Self {
            errors: errors(&start)?,
            jacobian: Vec::new(),
            at: start,
        };
        here.differentiate(errors, widths)?;
        let mut damping = 1e-3;
        for _ in 0..STEPS_MAX {
            let before = here.sum();
            let Some(next) = here.step(errors, widths, &mut damping) else {
                break;
            };
            here = next;
            here.differentiate(errors, widths)?;
            if before - here.sum() <= CONVERGED * before {
                break;
            }
        }
        Ok(here)
    }

    fn differentiate(&mut self, errors: Errors<'_>, widths: &[f64]) -> Result<(), Problem> {
        let mut columns = Vec::new();
        for (index, width) in widths.iter().enumerate() {
            // Step in the direction that stays within the range.
            let step = if self.at[index] + SLOPE_STEP > *width {
                -SLOPE_STEP
            } else {
                SLOPE_STEP
            };
            let mut at = self.at.clone();
            at[index] += step;
            let beside = errors(&at)?;
            let slopes = beside.iter().zip(&self.errors).map(|(a, b)| (a - b) / step);
            columns.push(slopes.collect::<Vec<f64>>());
        }
        let row = |row| columns.iter().map(|column| column[row]).collect();
        self.jacobian = (0..self.errors.len()).map(row).collect();
        Ok(())
    }

    /// Returns the next position, which has smaller errors; `None` if no step reduces them.
    fn step(&self, errors: Errors<'_>, widths: &[f64], damping: &mut f64) -> Option<Self> {
        let size = widths.len();
        let of = |it: &dyn Fn(&[f64], f64) -> f64| -> f64 {
            let rows = self.jacobian.iter().zip(&self.errors);
            rows.map(|(row, error)| it(row, *error)).sum()
        };
        let product = |i: usize, j: usize| of(&|row, _| row[i] * row[j]);
        let gram: Vec<Vec<f64>> = (0..size)
            .map(|i| (0..size).map(|j| product(i, j)).collect())
            .collect();
        let right: Vec<f64> = (0..size)
            .map(|i| -of(&|row, error| row[i] * error))
            .collect();
        let largest = (0..size).map(|it| gram[it][it]).fold(0.0, f64::max);
        for _ in 0..TRIALS_MAX {
            let mut damped = gram.clone();
            for (index, row) in damped.iter_mut().enumerate() {
                // Unknowns without an effect stay where they are.
                row[index] += *damping * row[index].max(1e-9 * largest) + f64::MIN_POSITIVE;
            }
            let step = solve(damped, right.clone());
            let moved = self.at.iter().zip(&step).zip(widths);
            let moved = moved.map(|((at, step), width)| (at + step).clamp(0.0, *width));
            let at: Vec<f64> = moved.collect();
            if let Ok(found) = errors(&at)
                && sum(&found) < self.sum()
            {
                *damping = (*damping / 5.0).max(1e-12);
                return Some(Self {
                    at,
                    errors: found,
                    jacobian: Vec::new(),
                });
            }
            *damping *= 5.0;
        }
        None
    }
}

pub(super) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| {
            let (a, b) = (matrix[*a][column].abs(), matrix[*b][column].abs());
            a.total_cmp(&b)
        });
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = matrix[row][column] / matrix[column][column];
            let (above, below) = matrix.split_at_mut(row);
            let pairs = below[0].iter_mut().zip(&above[column]);
            pairs.for_each(|(a, b)| *a -= factor * b);
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|it| matrix[row][it] * right[it]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_taken_apart() {
        // Times are a + b x, and the unknowns are ln a and ln b.
        let truth = [3.0_f64, 0.02];
        let xs = [1.0, 10.0, 100.0, 1000.0];
        let time = |a: f64, b: f64, x: f64| a + b * x;
        let errors = |at: &[f64]| {
            let (a, b) = (1e-3 * at[0].exp(), 1e-3 * at[1].exp());
            let of = |x: &f64| (time(a, b, *x) / time(truth[0], truth[1], *x)).ln();
            Ok(xs.iter().map(of).collect())
        };
        let found = best(&errors, &[14.0, 14.0]).unwrap();
        for (at, truth) in found.at.iter().zip(truth) {
            assert!((1e-3 * at.exp() / truth - 1.0).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn a_minimum_beyond_a_bound_lies_at_it() {
        let errors = |at: &[f64]| Ok(vec![at[0] - 5.0, 2.0 * (at[1] - 1.0)]);
        let found = best(&errors, &[3.0, 3.0]).unwrap();
        assert!((found.at[0] - 3.0).abs() < 1e-12 && (found.at[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_fails_everywhere_tells_why() {
        let errors = |_: &[f64]| Err("a deadlock".into());
        assert_eq!(best(&errors, &[1.0]).unwrap_err(), "a deadlock");
    }
}
