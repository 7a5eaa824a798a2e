//! Solves least-squares problems with few coefficients.

/// An equation to fit: the coefficients' factors, and the value of their sum.
pub(crate) type Equation<const N: usize> = ([f64; N], f64);

/// Solves like [`coefficients`], with a number of coefficients known at compile time.
pub(crate) fn least_squares<const N: usize>(
    equations: impl IntoIterator<Item = Equation<N>>,
) -> [f64; N] {
    let equations = equations.into_iter();
    let found = coefficients(
        N,
        equations.map(|(factors, value)| (factors.to_vec(), value)),
    );
    std::array::from_fn(|index| found[index])
}

/// Finds the coefficients with the least sum of squared differences. Solves the normal equations
/// with Gauss-Jordan elimination, for well-conditioned designs. A coefficient that the equations
/// leave open is NaN.
pub(crate) fn coefficients(
    count: usize,
    equations: impl IntoIterator<Item = (Vec<f64>, f64)>,
) -> Vec<f64> {
    // The right side is an additional column.
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for (mut factors, value) in equations {
        factors.push(value);
        for (row, factor) in matrix.iter_mut().zip(factors.clone()) {
            for (term, other) in row.iter_mut().zip(&factors) {
                *term += factor * other;
            }
        }
    }
    for pivot in 0..count {
        let by = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|it| *it /= by);
        let equation = matrix[pivot].clone();
        let others = matrix.iter_mut().enumerate();
        for (_, row) in others.filter(|(index, _)| *index != pivot) {
            let factor = row[pivot];
            for (term, subtracted) in row.iter_mut().zip(&equation) {
                *term -= factor * subtracted;
            }
        }
    }
    matrix.into_iter().map(|row| row[count]).collect()
}

/// Fits a power law with `N - 1` parameters to the logarithms of measurements, and evaluates it at
/// a point.
pub(crate) fn power_law<const N: usize>(
    measured: impl IntoIterator<Item = ([f64; N], f64)>,
    at: [f64; N],
) -> f64 {
    let logarithms = measured
        .into_iter()
        .map(|(place, value)| (place.map(f64::ln), value.ln()));
    let coefficients = least_squares(logarithms);
    let terms = coefficients.iter().zip(at);
    terms.map(|(power, x)| power * x.ln()).sum::<f64>().exp()
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
