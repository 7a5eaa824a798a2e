//! Parses lines of numbers in measurement files.

use prophet_text::Problem;

const MESSAGE_MAX: u64 = 1 << 40;

/// A line of numbers that starts with a message size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'t> {
    pub(crate) name: &'t str,
    /// Line number, counted from 1.
    pub(crate) line: usize,
    pub(crate) text: &'t str,
}

impl Row<'_> {
    pub(crate) fn bytes(self) -> Result<u64, Problem> {
        let word = self.text.split_whitespace().next().unwrap_or_default();
        let bytes = word.parse().ok().filter(|it| *it <= MESSAGE_MAX);
        bytes.ok_or_else(|| {
            let shown = prophet_text::plain::line(word);
            self.told(format!("`{shown}` is not a message size in bytes"))
        })
    }

    /// Parses the number in a column. It must be positive.
    pub(crate) fn positive(self, column: usize) -> Result<f64, Problem> {
        let Some(word) = self.text.split_whitespace().nth(column) else {
            return Err(self.told(format!("the line has no column {}", column + 1)));
        };
        let number = word.parse().ok();
        let number = number.filter(|it: &f64| it.is_finite() && *it > 0.0);
        number.ok_or_else(|| {
            let shown = prophet_text::plain::line(word);
            self.told(format!("expected a number above 0, found `{shown}`"))
        })
    }

    pub(crate) fn told(self, why: impl Into<String>) -> Problem {
        Problem::new(why)
            .in_file(self.name)
            .on_line(self.line as u64)
    }
}

/// Converts a message size in a table of numbers to an integer.
pub(crate) fn whole(bytes: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "the range is checked"
    )]
    (bytes >= 0.0 && bytes <= MESSAGE_MAX as f64 && bytes.fract() == 0.0).then_some(bytes as u64)
}

/// Returns `true` if a line consists of numbers. MPI and batch systems can print other lines in
/// between.
pub(crate) fn starts_with_digit(line: &str) -> bool {
    line.trim_start()
        .starts_with(|it: char| it.is_ascii_digit())
}
