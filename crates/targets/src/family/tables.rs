//! Writes the tables of `interpolate` in C.

use prophet_frontend::program::{Table, TableRows};

pub(crate) fn points(table: &Table) -> Vec<String> {
    let point = |(x, y): &(f64, f64)| format!("{{{x:?}, {y:?}}}");
    match &table.rows {
        TableRows::Points(points) => points.iter().map(point).collect(),
        TableRows::Lines(lines) => lines.iter().flat_map(|it| &it.1).map(point).collect(),
    }
}

/// Writes the rows of a two-dimensional table as initializers; `None` for other tables. The array
/// `points` contains the points of all rows, one row after another.
pub(crate) fn lines(table: &Table, points: &str) -> Option<Vec<String>> {
    let TableRows::Lines(lines) = &table.rows else {
        return None;
    };
    let mut from = 0;
    let line = |(x, own): &(f64, Vec<(f64, f64)>)| {
        let text = format!("{{{x:?}, {{{points} + {from}, {}}}}}", own.len());
        from += own.len();
        text
    };
    Some(lines.iter().map(line).collect())
}
