//! Rows of the table of all cases, as text in Markdown.

use std::fmt::Write as _;

use crate::Errors;

/// Heading of the table.
pub(crate) const HEADING: &str = "\
| case | predicted | source | points | fitted to | mean error | worst | naive | published | wins |
|---|---|---|---|---|---|---|---|---|---|
";

/// A prediction and what it is compared with.
#[derive(Debug, Clone)]
pub struct Row {
    /// The times that are predicted.
    pub predicted: String,
    /// The people or papers that measured them.
    pub source: &'static str,
    /// The coefficients that were fitted, and the measurements that they were fitted to.
    pub fitted: &'static str,
    /// Number of predictions.
    pub points: usize,
    /// Mean error in percent.
    pub mean: f64,
    /// The largest error in percent, where the row is no mean of means.
    pub worst: Option<f64>,
    /// A prediction without a model of the program.
    pub naive: Option<Other>,
    /// Predictions that others published.
    pub published: Vec<Other>,
}

/// Mean error of another prediction of the same points.
#[derive(Debug, Clone, Copy)]
pub struct Other {
    /// The method, program or paper.
    pub name: &'static str,
    /// Mean error in percent.
    pub mean: f64,
}

impl Row {
    /// A row of these errors, compared with nothing.
    pub fn new(predicted: impl Into<String>, errors: &Errors) -> Self {
        Self {
            predicted: predicted.into(),
            source: "",
            fitted: "",
            points: errors.count(),
            mean: errors.mean_percent(),
            worst: Some(errors.worst_percent()),
            naive: None,
            published: Vec::new(),
        }
    }

    /// True if all others have larger errors; none without others.
    pub fn wins(&self) -> Option<bool> {
        let others = || self.naive.iter().chain(&self.published);
        let beats = |other: &Other| self.mean < other.mean;
        (others().count() > 0).then(|| others().all(beats))
    }

    /// The row's line of the table.
    pub(crate) fn line(&self, case: &str) -> String {
        let mut line = format!(
            "| {case} | {} | {} | {} | {} | {} |",
            self.predicted,
            self.source,
            self.points,
            self.fitted,
            percent(self.mean)
        );
        let worst = self.worst.map(percent).unwrap_or_default();
        let wins = self.wins().map(|wins| if wins { "yes" } else { "no" });
        for cell in [
            worst,
            listed(self.naive.as_slice()),
            listed(&self.published),
            wins.unwrap_or_default().to_owned(),
        ] {
            write!(line, " {cell} |").expect("it is text");
        }
        line + "\n"
    }
}

fn listed(others: &[Other]) -> String {
    let shown = |it: &Other| format!("{} ({})", percent(it.mean), it.name);
    others.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn percent(percent: f64) -> String {
    format!("{percent:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_wins_over_all_others_or_not() {
        let mut row = Row::new("x", &Errors::new([(1.1, 1.0), (1.0, 2.0)]));
        assert_eq!(row.wins(), None);
        assert_eq!(
            row.line("C"),
            "| C | x |  | 2 |  | 30.0 % | 50.0 % |  |  |  |\n"
        );
        let other = |mean| Other { name: "O", mean };
        row.naive = Some(other(31.0));
        assert_eq!(row.wins(), Some(true));
        row.published = vec![other(40.0), other(30.0)];
        assert_eq!(row.wins(), Some(false));
        assert_eq!(
            row.line("C"),
            "| C | x |  | 2 |  | 30.0 % | 50.0 % | 31.0 % (O) | 40.0 % (O), 30.0 % (O) | no |\n"
        );
    }
}
