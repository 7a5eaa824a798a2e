//! Finds sums of terms for integers that differ between ranks, such as a rank's share of a grid,
//! less what ranks at its borders lack. A sum is used only if it is right for all recorded ranks,
//! and if they are more than the sum could fit by chance.

use std::collections::BTreeSet;

use super::formula::{FACTOR_MAX, Parts, in_parentheses, parts, terms};
use super::points::{FoldPoint, GRID, Place, Points, SIDES};

/// Number of different places that a sum must fit beyond its number of different factors.
const SPARE: usize = 2;

/// A term of a sum. It has a value on each rank, as numerator and denominator.
struct Summand {
    text: String,
    form: Form,
    values: Vec<(i64, i64)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// A number divided into parts.
    Share,
    /// A multiple of a term.
    Times,
    /// A number on the ranks that meet a condition.
    If,
}

impl Summand {
    fn shown(&self, factor: i64) -> String {
        let text = in_parentheses(&self.text);
        match self.form {
            Form::Share => format!("{factor} / {}", self.text),
            Form::Times if factor == 1 => text,
            Form::Times => format!("{factor} * {text}"),
            Form::If => format!("({} ? {factor} : 0)", self.text),
        }
    }
}

/// Returns a sum for the values at these points; `None` if no sum fits.
pub(crate) fn sum(values: &[(u32, i64)], points: &Points) -> Option<String> {
    let at: Vec<FoldPoint> = values.iter().map(|it| points.at(it.0)).collect();
    let values: Vec<i64> = values.iter().map(|it| it.1).collect();
    let mut runs = at.iter().zip(&values);
    let is_of_runs = runs.all(|(it, value)| {
        let first = at.iter().position(|other| other.run == it.run);
        first.is_some_and(|first| values[first] == *value)
    });
    let all = summands(&at, points);
    let mut best: Option<Fitted> = None;
    let mut take = |terms: &[&Summand]| {
        let fitted = fitted(terms, &values);
        if let Some(fitted) = fitted
            && best.as_ref().is_none_or(|it| fitted.cost < it.cost)
        {
            best = Some(fitted);
        }
    };
    for (number, one) in all.iter().enumerate() {
        for other in &all[..number] {
            take(&[other, one]);
        }
    }
    // What all ranks of a size do doesn't depend on borders.
    let borders = if is_of_runs { Vec::new() } else { borders(&at) };
    for (size, [first, last]) in &borders {
        take(&[first, last]);
        for one in all.iter().filter(|it| it.text.contains(size)) {
            take(&[one, first]);
            take(&[one, last]);
            take(&[one, first, last]);
        }
    }
    best.map(|it| it.text)
}

fn summands(at: &[FoldPoint], points: &Points) -> Vec<Summand> {
    let share = |Parts { text, count }: Parts| Summand {
        text,
        form: Form::Share,
        values: at.iter().map(|it| (1, count(*it))).collect(),
    };
    let mut all: Vec<Summand> = parts(points).into_iter().map(share).collect();
    for term in terms(points) {
        let values = at.iter().map(|it| Some(((term.value)(points, *it)?, 1)));
        all.extend(values.collect::<Option<_>>().map(|values| Summand {
            text: term.text,
            form: Form::Times,
            values,
        }));
    }
    // Equal terms, such as sides that are always the same, give the same sums.
    let mut kept: Vec<Summand> = Vec::new();
    for it in all {
        let varies = it.values.iter().any(|value| *value != it.values[0]);
        if varies && kept.iter().all(|other| other.values != it.values) {
            kept.push(it);
        }
    }
    kept
}

/// Returns, for each side of a grid or cube, its length, and the terms of the first and of the last
/// ranks along it.
fn borders(at: &[FoldPoint]) -> Vec<(&'static str, [Summand; 2])> {
    let places: [[Place; 3]; 2] = [
        [
            |it| along(it, 0, 0),
            |it| along(it, 0, 1),
            |it| along(it, 0, 2),
        ],
        [
            |it| along(it, 1, 0),
            |it| along(it, 1, 1),
            |it| along(it, 1, 2),
        ],
    ];
    let grid = GRID.into_iter();
    let mut all: Vec<_> = grid.map(|it| (it.0.to_owned(), it.1, it.2)).collect();
    for ([fast, middle, slow], [one, two, three]) in SIDES.into_iter().zip(places) {
        all.push((format!("pid % {fast}"), fast, one));
        all.push((format!("pid / {fast} % {middle}"), middle, two));
        all.push((format!("pid / ({fast} * {middle})"), slow, three));
    }
    let one = |(text, size, place): (String, &'static str, Place)| {
        let summand = |text: String, is_there: &dyn Fn(i64, i64) -> bool| {
            let value = |it: &FoldPoint| {
                let (own, size) = place(*it);
                (i64::from(is_there(own, size)), 1)
            };
            Summand {
                text,
                form: Form::If,
                values: at.iter().map(value).collect(),
            }
        };
        let borders = [
            summand(format!("{text} == 0"), &|own, _| own == 0),
            summand(format!("{text} == {size} - 1"), &|own, size| {
                own == size - 1
            }),
        ];
        (size, borders)
    };
    all.into_iter().map(one).collect()
}

/// Returns a rank's position along a side of the cube, and the length of the side.
fn along(point: FoldPoint, order: usize, side: usize) -> (i64, i64) {
    let sides = point.sides()[order];
    let before: i64 = sides[..side].iter().product();
    (point.pid / before % sides[side], sides[side])
}

struct Fitted {
    text: String,
    /// Number of different factors, number of terms, and the sum of the factors.
    cost: (usize, usize, u64),
}

/// Returns the sum of these terms and a constant that equals the values.
fn fitted(terms: &[&Summand], values: &[i64]) -> Option<Fitted> {
    let mut rows: Vec<(Vec<(i64, i64)>, i64)> = { values.iter().enumerate() }
        .map(|(at, value)| (terms.iter().map(|it| it.values[at]).collect(), *value))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let is_function = rows.windows(2).all(|it| it[0].0 != it[1].0);
    if !is_function || rows.len() <= terms.len() {
        return None;
    }
    let factors = solved(&rows, terms.len() + 1)?;
    let (constant, factors) = factors.split_last()?;
    // Numbers of both borders, or of shares, that are the same size are unlikely to be a chance.
    let sizes = factors.iter().chain([constant]).map(|it| it.unsigned_abs());
    let different: BTreeSet<(Form, u64)> = { terms.iter().zip(factors) }
        .map(|(it, factor)| (it.form, factor.unsigned_abs()))
        .chain((*constant != 0).then_some((Form::Times, 0)))
        .collect();
    let is_right = |(row, value): &(Vec<(i64, i64)>, i64)| {
        let mut sum = Some(*constant);
        for ((numerator, denominator), factor) in row.iter().zip(factors) {
            let product = factor.checked_mul(*numerator);
            let exact = product.filter(|it| it % denominator == 0);
            sum = sum
                .zip(exact)
                .and_then(|(sum, it)| sum.checked_add(it / denominator));
        }
        sum == Some(*value)
    };
    let is_shown = rows.len() >= different.len() + SPARE;
    if factors.contains(&0) || !is_shown || !rows.iter().all(is_right) {
        return None;
    }
    let mut text = String::new();
    for (term, factor) in terms.iter().zip(factors) {
        let sign = match (text.is_empty(), *factor < 0) {
            (true, _) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let factor = if text.is_empty() {
            *factor
        } else {
            factor.abs()
        };
        text += sign;
        text += &term.shown(factor);
    }
    match constant {
        0 => {}
        ..0 => text = format!("{text} - {}", -constant),
        _ => text = format!("{text} + {constant}"),
    }
    Some(Fitted {
        text,
        cost: (different.len(), factors.len(), sizes.sum()),
    })
}

/// Solves for the factors of terms and a constant; `None` if the rows leave them open, or if they
/// aren't whole.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the result is checked"
)]
fn solved(rows: &[(Vec<(i64, i64)>, i64)], count: usize) -> Option<Vec<i64>> {
    let row = |(terms, value): &(Vec<(i64, i64)>, i64)| {
        let terms = terms.iter().map(|(one, other)| *one as f64 / *other as f64);
        terms.chain([1.0, *value as f64]).collect()
    };
    let mut rows: Vec<Vec<f64>> = rows.iter().map(row).collect();
    for at in 0..count {
        let pivot = (at..rows.len())
            .max_by(|one, other| rows[*one][at].abs().total_cmp(&rows[*other][at].abs()))?;
        rows.swap(at, pivot);
        let row = rows[at].clone();
        if row[at].abs() < 1e-9 {
            return None;
        }
        for (_, other) in rows.iter_mut().enumerate().filter(|it| it.0 != at) {
            let factor = other[at] / row[at];
            if factor != 0.0 {
                other
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(it, own)| *it -= factor * own);
            }
        }
    }
    let factors = (0..count).map(|at| {
        let factor = (rows[at][count] / rows[at][at]).round();
        (factor.abs() < FACTOR_MAX as f64).then_some(factor as i64)
    });
    factors.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::points::Run;

    fn found(sizes: &[u32], value: impl Fn(FoldPoint) -> i64) -> Option<String> {
        let run = |ranks: &u32| Run {
            ranks: *ranks,
            parameters: Vec::new(),
        };
        let points = Points::of(sizes.iter().map(run).collect(), Vec::new());
        let values: Vec<_> = (0..points.count())
            .map(|it| (it, value(points.at(it))))
            .collect();
        sum(&values, &points)
    }

    #[test]
    fn borders_of_a_grid_lack_cells() {
        let value = |it: FoldPoint| {
            let column = it.pid % it.columns;
            8 * (48 / it.columns - i64::from(column == 0) - i64::from(column == it.columns - 1))
        };
        let expected = "384 / Columns() - (pid % Columns() == 0 ? 8 : 0) \
                        - (pid % Columns() == Columns() - 1 ? 8 : 0)";
        assert_eq!(found(&[4, 8, 16], value).as_deref(), Some(expected));
        // Without ranks between the borders, a constant could also be less.
        assert_eq!(found(&[2, 4], value), None);
    }

    #[test]
    fn halos_add_to_shares() {
        let value = |it: FoldPoint| 64 / it.cube[0] * (64 / it.cube[1] + 2);
        let expected = "128 / Depth() + 4096 / (Depth() * Height())";
        assert_eq!(found(&[2, 4, 8, 16, 27], value).as_deref(), None);
        assert_eq!(
            found(&[2, 4, 8, 16, 32, 64], value).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn numbers_without_a_rule_have_no_sum() {
        let value = |it: FoldPoint| (it.pid * 7919 + it.ranks * 31) % 13;
        assert_eq!(found(&[2, 4, 8, 16], value), None);
        let few = |it: FoldPoint| if it.ranks == 8 { 7 } else { 1 + it.ranks / 4 };
        assert_eq!(found(&[4, 8, 16], few), None);
    }
}
