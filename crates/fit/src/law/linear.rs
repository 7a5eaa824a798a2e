//! Solves least-squares problems with few unknowns.

pub(crate) const UNKNOWNS: usize = 4;

const STEPS: usize = 5;

/// Share of a diagonal element below which a column is treated as linearly dependent on others.
const DEPENDENT: f64 = 1e-13;

/// The Cholesky factor of a symmetric positive definite matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cholesky {
    size: usize,
    lower: [[f64; UNKNOWNS]; UNKNOWNS],
}

/// A symmetric matrix with at most [`UNKNOWNS`] rows.
pub(crate) type Matrix = [[f64; UNKNOWNS]; UNKNOWNS];

impl Cholesky {
    /// The Cholesky factor of the number 1.
    pub(crate) const UNIT: Self = Self {
        size: 1,
        lower: [[1.0; UNKNOWNS]; UNKNOWNS],
    };

    /// Factors the first `size` rows; `None` if they are linearly dependent.
    pub(crate) fn new(matrix: &Matrix, size: usize) -> Option<Self> {
        let mut lower = [[0.0; UNKNOWNS]; UNKNOWNS];
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
                let rest = matrix[row][column] - known;
                if row > column {
                    lower[row][column] = rest / lower[column][column];
                } else if rest > DEPENDENT * matrix[row][row] {
                    lower[row][row] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Self { size, lower })
    }

    pub(crate) fn solve(&self, right: &[f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
        let mut x = self.forward(right);
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size)
                .map(|k| self.lower[k][row] * x[k])
                .sum();
            x[row] = (x[row] - known) / self.lower[row][row];
        }
        x
    }

    pub(crate) fn log_determinant(&self) -> f64 {
        (0..self.size)
            .map(|row| 2.0 * self.lower[row][row].ln())
            .sum()
    }

    /// Solves with the lower factor only. The inner product of two such solutions is the product of
    /// their right-hand sides with the inverse of the matrix between them.
    pub(crate) fn forward(&self, right: &[f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
        let mut x = [0.0; UNKNOWNS];
        for row in 0..self.size {
            let known: f64 = (0..row).map(|k| self.lower[row][k] * x[k]).sum();
            x[row] = (right[row] - known) / self.lower[row][row];
        }
        x
    }
}

#[derive(Debug)]
pub(crate) struct Design<'a> {
    pub(crate) columns: Vec<&'a [f64]>,
    pub(crate) target: &'a [f64],
}

#[derive(Debug, Clone)]
pub(crate) struct Solution {
    pub(crate) coefficients: [f64; UNKNOWNS],
    pub(crate) squares: f64,
    pub(crate) gram: Matrix,
    pub(crate) unknowns: usize,
    pub(crate) worst: usize,
    /// Whether targets and values are compared as logarithms.
    pub(crate) logarithms: bool,
}

impl Solution {
    /// Returns a target minus the value of a row.
    pub(crate) fn error(&self, row: &[f64], target: f64) -> f64 {
        let value = dot(row, &self.coefficients);
        if self.logarithms {
            -value.max(f64::MIN_POSITIVE).ln()
        } else {
            target - value
        }
    }
}

impl Design<'_> {
    /// Solves the design; returns `None` if the columns are linearly dependent.
    pub(crate) fn solve(&self) -> Option<Solution> {
        self.solve_above(f64::NEG_INFINITY)
    }

    /// Solves the design. Returns `None` if the columns are linearly dependent, or if a coefficient
    /// is clearly below `least` even before refinement.
    pub(crate) fn solve_above(&self, least: f64) -> Option<Solution> {
        let unknowns = self.columns.len();
        let mut gram = [[0.0; UNKNOWNS]; UNKNOWNS];
        let mut right = [0.0; UNKNOWNS];
        for row in 0..unknowns {
            for (column, values) in self.columns.iter().enumerate() {
                gram[row][column] = dot(self.columns[row], values);
            }
            right[row] = dot(self.columns[row], self.target);
        }
        let factor = Cholesky::new(&gram, unknowns)?;
        let mut coefficients = factor.solve(&right);
        if coefficients[..unknowns].iter().any(|&it| it < least) {
            return None;
        }
        let (mut squares, mut worst) = (0.0, 0);
        // Refine the solution, because the normal equations lose half of the digits.
        for _ in 0..2 {
            let residuals = self.residuals(&coefficients);
            squares = dot(&residuals, &residuals);
            worst = largest(&residuals);
            let mut rest = [0.0; UNKNOWNS];
            for (row, column) in self.columns.iter().enumerate() {
                rest[row] = dot(column, &residuals);
            }
            let step = factor.solve(&rest);
            for row in 0..unknowns {
                coefficients[row] += step[row];
            }
        }
        Some(Solution {
            coefficients,
            squares,
            gram,
            unknowns,
            worst,
            logarithms: false,
        })
    }

    /// Solves for the logarithms of positive targets. Gauss-Newton steps start at a solution for
    /// the targets themselves, which are all 1. Positive coefficients stay positive.
    pub(crate) fn solve_logarithms(&self, start: &Solution) -> Option<Solution> {
        let mut solution = Solution {
            logarithms: true,
            ..start.clone()
        };
        for _ in 0..STEPS {
            let values = self.values(&solution.coefficients);
            if values.iter().any(|&value| value <= 0.0) {
                return None;
            }
            let columns: Vec<Vec<f64>> = self
                .columns
                .iter()
                .map(|column| {
                    column
                        .iter()
                        .zip(&values)
                        .map(|(x, value)| x / value)
                        .collect()
                })
                .collect();
            let target: Vec<f64> = values.iter().map(|value| -value.ln()).collect();
            let columns = columns.iter().map(Vec::as_slice).collect();
            let step = Design {
                columns,
                target: &target,
            }
            .solve()?;
            solution.squares = step.squares;
            solution.gram = step.gram;
            solution.worst = step.worst;
            for (coefficient, change) in solution.coefficients.iter_mut().zip(step.coefficients) {
                let changed = *coefficient + change;
                *coefficient = if *coefficient > 0.0 {
                    changed.max(*coefficient / 4.0)
                } else {
                    changed
                };
            }
        }
        Some(solution)
    }

    /// Returns a solution that contains, in place of each coefficient, the largest share of any
    /// value that its column accounts for.
    pub(crate) fn shares(&self, solution: &Solution) -> Solution {
        let mut shares = solution.clone();
        let values = self.values(&solution.coefficients);
        let mut scales = [1.0; UNKNOWNS];
        for (scale, column) in scales.iter_mut().zip(&self.columns) {
            let ratios = column
                .iter()
                .zip(&values)
                .map(|(x, value)| (x / value).abs());
            *scale = ratios.fold(f64::MIN_POSITIVE, f64::max);
        }
        for row in 0..self.columns.len() {
            shares.coefficients[row] *= scales[row];
            for column in 0..self.columns.len() {
                shares.gram[row][column] /= scales[row] * scales[column];
            }
        }
        shares
    }

    fn values(&self, coefficients: &[f64; UNKNOWNS]) -> Vec<f64> {
        let mut values = vec![0.0; self.target.len()];
        for (column, coefficient) in self.columns.iter().zip(coefficients) {
            for (value, x) in values.iter_mut().zip(*column) {
                *value += coefficient * x;
            }
        }
        values
    }

    fn residuals(&self, coefficients: &[f64; UNKNOWNS]) -> Vec<f64> {
        let mut residuals = self.target.to_vec();
        for (column, coefficient) in self.columns.iter().zip(coefficients) {
            for (residual, value) in residuals.iter_mut().zip(*column) {
                *residual -= coefficient * value;
            }
        }
        residuals
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn largest(values: &[f64]) -> usize {
    (0..values.len())
        .max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()))
        .unwrap_or(0)
}
