//! Selects the factors worth combining when there are several parameters.

use std::collections::BTreeMap;

use crate::law::data::Data;
use crate::law::linear::Design;
use crate::law::term::Factor;

/// Number of well-fitting factors to keep per parameter, for two parameters and for more.
const KEPT: [usize; 2] = [12, 6];

/// Exponents of p and log2(p) that are always kept, because most algorithms have them.
pub(crate) const USUAL: [(f64, i32); 6] =
    [(-1.0, 0), (0.0, 1), (0.5, 0), (1.0, 0), (1.0, 1), (2.0, 0)];

/// Keeps the factors that fit best on lines along which only their parameter varies. On such a
/// line, a cost that is a sum or a product of single factors is a constant plus a multiple of the
/// factor. A sum of two factors of the same parameter, such as divided work plus messages, isn't,
/// but such sums mostly consist of usual factors.
pub(crate) fn promising(data: &Data, factors: Vec<Vec<Factor>>) -> Vec<Vec<Factor>> {
    let varying = factors.iter().filter(|factors| !factors.is_empty()).count();
    if varying < 2 {
        return factors;
    }
    let kept = KEPT[usize::from(varying > 2)];
    let screened = factors.into_iter().enumerate();
    screened
        .map(|(parameter, factors)| best(data, parameter, factors, kept))
        .collect()
}

fn best(data: &Data, parameter: usize, factors: Vec<Factor>, kept: usize) -> Vec<Factor> {
    let lines = lines(data, parameter);
    let misfit = |factor: &Factor| -> f64 {
        let misfits = lines
            .iter()
            .map(|line| misfit(data, line, parameter, *factor));
        misfits.sum()
    };
    let mut scored: Vec<(f64, Factor)> = factors
        .into_iter()
        .map(|factor| (misfit(&factor), factor))
        .collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let usual = |factor: &Factor| USUAL.contains(&(factor.exponent, factor.logs));
    let ranked = scored.into_iter().map(|(_, factor)| factor).enumerate();
    ranked
        .filter(|(rank, factor)| (*rank < kept && !lines.is_empty()) || usual(factor))
        .map(|(_, factor)| factor)
        .collect()
}

/// Returns lines of at least three points that differ only in this parameter.
fn lines(data: &Data, parameter: usize) -> Vec<Vec<usize>> {
    let mut lines: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (index, at) in data.at.iter().enumerate() {
        let mut others: Vec<u64> = at.iter().map(|value| value.to_bits()).collect();
        others.remove(parameter);
        lines.entry(others).or_default().push(index);
    }
    lines.into_values().filter(|line| line.len() > 2).collect()
}

/// Returns the squared relative error of a constant plus a multiple of the factor that is fitted to
/// a line.
fn misfit(data: &Data, line: &[usize], parameter: usize, factor: Factor) -> f64 {
    let target: Vec<f64> = line.iter().map(|&i| data.y[i] / data.size[i]).collect();
    let constant: Vec<f64> = line.iter().map(|&i| 1.0 / data.size[i]).collect();
    let values: Vec<f64> = line
        .iter()
        .map(|&i| factor.at(data.at[i][parameter]) / data.size[i])
        .collect();
    let design = Design {
        columns: vec![&constant, &values],
        target: &target,
    };
    design
        .solve()
        .map_or(line.len() as f64, |solution| solution.squares)
}
