//! Reads text tables. Their columns are separated by tabs or, if the text contains no tabs, by
//! commas.

use prophet_text::Problem;
use prophet_text::cells;

use super::NamedText;
use crate::quoted;

#[derive(Debug)]
pub(super) struct Table<'a> {
    file: NamedText<'a>,
    heading: Vec<&'a str>,
    pub(super) rows: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Table<'a> {
    /// Reads a table. Each line must have as many cells as the heading.
    pub(super) fn read(file: NamedText<'a>) -> Result<Self, Problem> {
        let text = file.text.trim_start_matches('\u{feff}');
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|it| !it.1.trim().is_empty() && !it.1.starts_with('#'))
            .map(|(number, line)| (number, cells(line)));
        let heading = lines.next().unwrap_or_default().1;
        let mut rows = Vec::new();
        for (number, cells) in lines {
            if cells.len() != heading.len() {
                let what = format!(
                    "the line has {} cells, but the header has {}",
                    cells.len(),
                    heading.len()
                );
                let help = "Write as many cells in each line as in the header; if the file is cut \
                            off, copy it again.";
                return Err(file.at(number, Problem::with_help(what, help)));
            }
            rows.push((number, cells));
        }
        Ok(Self {
            file,
            heading,
            rows,
        })
    }

    /// Returns a column's index; `None` if the table lacks it.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.heading.iter().position(|it| *it == name)
    }

    pub(super) fn required(&self, name: &str) -> Result<usize, Problem> {
        self.column(name).ok_or_else(|| {
            let what = format!("missing column {}", quoted(name));
            let help = "Add this column to the table.";
            self.file.at(1, Problem::with_help(what, help))
        })
    }

    /// Parses a number that isn't negative.
    pub(super) fn number(&self, row: usize, column: usize) -> Result<f64, Problem> {
        let (line, cells) = &self.rows[row];
        let number = cells[column].parse::<f64>();
        number
            .ok()
            .filter(|it| it.is_finite() && *it >= 0.0)
            .ok_or_else(|| {
                let what = format!(
                    "expected {} to be 0 or more, found {}",
                    self.heading[column],
                    quoted(cells[column])
                );
                self.file
                    .at(*line, Problem::with_help(what, "Correct the number."))
            })
    }

    pub(super) fn at(&self, row: usize, problem: Problem) -> Problem {
        self.file.at(self.rows[row].0, problem)
    }
}
