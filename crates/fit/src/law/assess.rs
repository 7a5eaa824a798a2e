//! Assesses a candidate with all measurements, and again without the worst outlier.

use crate::law::evidence::Evidence;
use crate::law::linear::{Cholesky, Design, Solution, UNKNOWNS};

/// Prior belief that a measurement is an outlier, and how far outliers deviate from the truth.
pub(crate) const OUTLIER: f64 = 0.03;
pub(crate) const FAR: f64 = 1.0;

pub(crate) struct Assessed {
    pub(crate) coefficients: [f64; UNKNOWNS],
    pub(crate) log_evidence: f64,
    pub(crate) variance: f64,
    pub(crate) factor: Cholesky,
}

/// Assesses a candidate's design. Returns nothing if the design has no solution.
pub(crate) fn assess(
    design: &Design<'_>,
    noise: f64,
    solve: impl Fn(&Design<'_>) -> Option<Solution>,
) -> Vec<Assessed> {
    let count = design.target.len();
    let Some(solution) = solve(design) else {
        return Vec::new();
    };
    let mut assessed: Vec<Assessed> = assessment(design, &solution, noise).into_iter().collect();
    if count < solution.unknowns + 3 {
        return assessed;
    }
    let worst = solution.worst;
    let columns: Vec<Vec<f64>> = design
        .columns
        .iter()
        .map(|column| without(column, worst))
        .collect();
    let target = without(design.target, worst);
    let columns = columns.iter().map(Vec::as_slice).collect();
    let reduced = Design {
        columns,
        target: &target,
    };
    let Some(rest) = solve(&reduced) else {
        return assessed;
    };
    let row: Vec<f64> = design.columns.iter().map(|column| column[worst]).collect();
    let error = rest.error(&row, design.target[worst]);
    if let Some(mut reduced) = assessment(&reduced, &rest, noise) {
        let variance = FAR * FAR + reduced.variance;
        reduced.log_evidence += OUTLIER.ln() - 0.5 * (error * error / variance + variance.ln());
        assessed.push(reduced);
    }
    assessed
}

fn assessment(design: &Design<'_>, solution: &Solution, noise: f64) -> Option<Assessed> {
    let count = design.target.len();
    let evidence = if solution.logarithms {
        Evidence::new(&design.shares(solution), count, noise)
    } else {
        Evidence::new(solution, count, noise)
    };
    Some(Assessed {
        coefficients: solution.coefficients,
        log_evidence: evidence.log,
        variance: evidence.variance,
        factor: Cholesky::new(&solution.gram, solution.unknowns)?,
    })
}

fn without(values: &[f64], index: usize) -> Vec<f64> {
    let mut values = values.to_vec();
    values.remove(index);
    values
}
