//! Least squares with few coefficients.

/// Equation of a fit: factors of the coefficients, and the value of their sum.
pub(crate) type Equation<const N: usize> = ([f64; N], f64);

/// Coefficients with the least sum of squared differences: the normal equations by Gauss and
/// Jordan, for well-conditioned designs. Where equations leave a coefficient open, it is no number.
pub(crate) fn least_squares<const N: usize>(
    equations: impl IntoIterator<Item = Equation<N>>,
) -> [f64; N] {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (factors, value) in equations {
        for row in 0..N {
            for column in 0..N {
                matrix[row][column] += factors[row] * factors[column];
            }
            right[row] += factors[row] * value;
        }
    }
    for pivot in 0..N {
        let by = matrix[pivot][pivot];
        matrix[pivot] = matrix[pivot].map(|it| it / by);
        right[pivot] /= by;
        let (equation, value) = (matrix[pivot], right[pivot]);
        for other in (0..N).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot];
            for (term, subtracted) in matrix[other].iter_mut().zip(equation) {
                *term -= factor * subtracted;
            }
            right[other] -= factor * value;
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found() {
        let line = |x: f64| ([1.0, x], 3.0 + 2.0 * x);
        let [constant, slope] = least_squares([1.0, 2.0, 5.0].map(line));
        assert!((constant - 3.0).abs() < 1e-12 && (slope - 2.0).abs() < 1e-12);
    }
}
