//! Factors that are worth combining, where there is more than one parameter.

use std::collections::BTreeMap;

use crate::data::Data;
use crate::linear::Design;
use crate::term::Factor;

/// Factors that are kept of each parameter, for two and for more parameters.
const KEPT: [usize; 2] = [16, 8];

/// Factors that fit best along lines on which only their parameter varies: whatever the sum or
/// product of single factors, such a line is a constant and a multiple of the factor.
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
    if lines.is_empty() {
        let common = |factor: &Factor| factor.exponent.fract() == 0.0 || factor.exponent == 0.5;
        return factors.into_iter().filter(common).take(kept).collect();
    }
    let mut scored: Vec<(f64, Factor)> = factors
        .into_iter()
        .map(|factor| {
            (
                lines
                    .iter()
                    .map(|line| misfit(data, line, parameter, factor))
                    .sum(),
                factor,
            )
        })
        .collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    scored
        .into_iter()
        .take(kept)
        .map(|(_, factor)| factor)
        .collect()
}

/// Points that differ in this parameter alone, three or more.
fn lines(data: &Data, parameter: usize) -> Vec<Vec<usize>> {
    let mut lines: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for (index, at) in data.at.iter().enumerate() {
        let mut others: Vec<u64> = at.iter().map(|value| value.to_bits()).collect();
        others.remove(parameter);
        lines.entry(others).or_default().push(index);
    }
    lines.into_values().filter(|line| line.len() > 2).collect()
}

/// Squared relative error of a constant and a multiple of the factor along a line.
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
