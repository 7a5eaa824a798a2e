//! Writes the rows of the table of all cases as Markdown.

use std::fmt::Write as _;

use crate::Errors;

pub(crate) const HEADING: &str = "\
| case | predicted | source | points | fitted to | mean error | worst | naive | published | wins |
|---|---|---|---|---|---|---|---|---|---|
";

/// A row of the table: predictions, and what they are compared with.
#[derive(Debug, Clone)]
pub struct Row {
    /// What is predicted.
    pub predicted: String,
    /// Who measured these values: people or papers.
    pub source: &'static str,
    /// Which coefficients were fitted, and to which measurements.
    pub fitted: &'static str,
    /// Number of predictions.
    pub points: usize,
    /// Mean error in percent.
    pub mean: f64,
    /// Largest error in percent; `None` if the row is a mean of means.
    pub worst: Option<f64>,
    /// The result of predicting without a model of the program.
    pub naive: Option<Other>,
    /// The errors of predictions that others have published.
    pub published: Vec<Other>,
}

/// The mean error of a different prediction for the same points.
#[derive(Debug, Clone, Copy)]
pub struct Other {
    /// Name of the method, program or paper.
    pub name: &'static str,
    /// Mean error in percent.
    pub mean: f64,
}

impl Row {
    /// Creates a row with these errors, and without comparisons.
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

    /// Returns `true` if all other predictions have larger errors; `None` if there are no other
    /// predictions.
    pub fn wins(&self) -> Option<bool> {
        let others = || self.naive.iter().chain(&self.published);
        let beats = |other: &Other| self.mean < other.mean;
        (others().count() > 0).then(|| others().all(beats))
    }

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
