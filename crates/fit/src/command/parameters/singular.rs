//! Analyzes a Jacobian: how well the runs determine each parameter, and which parameters they don't
//! determine at all.

use super::least_squares::solve;

/// Slope, relative to the steepest one, below which a parameter has no effect.
const NO_EFFECT: f64 = 1e-9;
/// Variance inflation above which a parameter can't be distinguished from others. At this value,
/// only a thousandth of the parameter's effect is its own.
const ALIKE: f64 = 1e6;
/// Ridge that keeps the equations solvable.
const RIDGE: f64 = 1e-13;

#[derive(Debug)]
pub(super) struct About {
    /// Variance of each parameter if the variance of the errors is 1; `None` if the runs don't
    /// determine the parameter.
    pub(super) variances: Vec<Option<f64>>,
    pub(super) without_effect: Vec<usize>,
    /// Parameters whose effects can't be told apart.
    pub(super) alike: Vec<usize>,
}

/// Computes the variances of the parameters from the rows of the Jacobian.
pub(super) fn variances(jacobian: &[Vec<f64>]) -> About {
    let size = jacobian.first().map_or(0, Vec::len);
    let product = |i: usize, j: usize| jacobian.iter().map(|it| it[i] * it[j]).sum::<f64>();
    let norms: Vec<f64> = (0..size).map(|it| product(it, it).sqrt()).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    let has_effect = |it: &usize| norms[*it] > NO_EFFECT * largest.max(f64::MIN_POSITIVE);
    let (kept, without_effect): (Vec<usize>, Vec<usize>) = (0..size).partition(has_effect);
    let correlation = |i: usize, j: usize| {
        let ridge = if i == j { RIDGE } else { 0.0 };
        product(i, j) / (norms[i] * norms[j]) + ridge
    };
    let matrix: Vec<Vec<f64>> = kept
        .iter()
        .map(|i| kept.iter().map(|j| correlation(*i, *j)).collect())
        .collect();
    let mut variances = vec![None; size];
    let mut alike = Vec::new();
    for (place, index) in kept.iter().enumerate() {
        let mut unit = vec![0.0; kept.len()];
        unit[place] = 1.0;
        let inflation = solve(matrix.clone(), unit)[place];
        if (1.0 - 1e-6..ALIKE).contains(&inflation) {
            variances[*index] = Some(inflation / (norms[*index] * norms[*index]));
        } else {
            alike.push(*index);
        }
    }
    About {
        variances,
        without_effect,
        alike,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_count_alike_are_found() {
        // The first and the third parameter always have the same effect, and the last one has none.
        let rows = [[1.0, 0.5], [2.0, 0.1], [0.5, 0.7]];
        let rows: Vec<Vec<f64>> = rows.map(|[a, b]| vec![a, b, 3.0 * a, 0.0]).into();
        let about = variances(&rows);
        assert_eq!((about.alike, about.without_effect), (vec![0, 2], vec![3]));
        assert!(about.variances[1].is_some());
    }

    #[test]
    fn variances_are_those_of_the_normal_equations() {
        let rows = vec![vec![1.0, 0.0], vec![1.0, 1.0], vec![1.0, 2.0]];
        let about = variances(&rows);
        // The inverse of [[3, 3], [3, 5]] has the diagonal 5/6, 1/2.
        let [Some(a), Some(b)] = about.variances[..] else {
            panic!("{about:?}");
        };
        assert!((a - 5.0 / 6.0).abs() < 1e-9 && (b - 0.5).abs() < 1e-9);
    }
}
