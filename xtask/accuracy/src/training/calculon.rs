//! Compares our predictions with Calculon's; `calculon.py` runs Calculon on the rows of the tables.

use crate::{Errors, Other, Row};

/// Predictions for each row, by file and number; `-` for a layout that Calculon rejects.
const TABLE: &str = include_str!("calculon.tsv");

/// Returns Calculon's predicted seconds for the rows of a file; `None` for layouts that it rejects.
pub(super) fn predicted(file: &str) -> impl Iterator<Item = Option<f64>> {
    let rows = TABLE
        .lines()
        .filter_map(move |line| line.strip_prefix(file));
    let cells = rows.filter_map(|row| row.strip_prefix('\t')?.split_once('\t'));
    cells.map(|(_, seconds)| seconds.parse().ok())
}

/// Adds Calculon's error to a table row for a file. If Calculon rejects some rows, adds a separate
/// row that compares both on the remaining rows. Adds nothing if it ran none.
pub(super) fn beside(
    mut row: Row,
    file: &str,
    ours: impl IntoIterator<Item = (f64, f64)>,
) -> Vec<Row> {
    let pairs = ours.into_iter().zip(predicted(file));
    let pairs = pairs.filter_map(|(ours, seconds)| Some((ours, (seconds?, ours.1))));
    let (ours, others): (Vec<_>, Vec<_>) = pairs.unzip();
    if others.is_empty() {
        return vec![row];
    }
    let calculon = Other {
        name: "Calculon",
        mean: Errors::new(others).mean_percent(),
    };
    if ours.len() == row.points {
        row.published.push(calculon);
        return vec![row];
    }
    let name = format!("{}, rows that Calculon supports", row.predicted);
    let accepted = Row {
        source: row.source,
        fitted: row.fitted,
        published: vec![calculon],
        ..Row::new(name, &Errors::new(ours))
    };
    vec![row, accepted]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_calculon_published_are_as_it_published_them() {
        let published = [1.40, 1.14, 18.03, 13.64, 49.89, 34.47, 90.08, 66.04];
        let file = "llm/megatron_seqsel_table5.tsv";
        let ours: Vec<_> = predicted(file).map(|it| it.expect("it fits")).collect();
        assert_eq!(ours.len(), published.len());
        for (ours, published) in ours.iter().zip(published) {
            assert!((ours - published).abs() <= 0.005, "{ours} for {published}");
        }
        let pairs: Vec<_> = ours.iter().map(|it| (2.0 * it, *it)).collect();
        let row = Row::new("all", &Errors::new(pairs.iter().copied()));
        let rows = beside(row, file, pairs);
        let [row] = &*rows else { panic!("{rows:?}") };
        assert_eq!((row.mean, row.published[0].mean), (100.0, 0.0));
    }

    #[test]
    fn refused_rows_count_for_neither() {
        let pairs = vec![(1.0, 1.0); predicted("nemo.tsv").count()];
        let row = Row::new("all", &Errors::new(pairs.iter().copied()));
        let points: Vec<_> = beside(row, "nemo.tsv", pairs)
            .iter()
            .map(|it| it.points)
            .collect();
        assert_eq!(points, [24, 4]);
    }
}
