//! Aligns tables of text.

use crate::{columns, left, right};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left-aligned, for text.
    Left,
    /// Right-aligned, for numbers.
    Right,
}

/// Renders rows below a heading. Columns are as wide as necessary, with two spaces in between.
///
/// ```
/// use prophet_text::{Align, table};
///
/// let heading = [("run", Align::Right), ("model", Align::Left)];
/// let rows = [["7", "LAPW0"], ["1234", "é"]].map(|row| row.map(str::to_owned).to_vec());
/// assert_eq!(table(&heading, &rows), " run  model\n   7  LAPW0\n1234  é\n");
/// ```
pub fn table(heading: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let title = heading.iter().map(|(name, _)| (*name).to_owned()).collect();
    let lines: Vec<&Vec<String>> = std::iter::once(&title).chain(rows).collect();
    let widths: Vec<usize> = (0..heading.len())
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| columns(cell)).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).zip(heading);
        let cells = cells.map(|((cell, width), (_, align))| match align {
            Align::Left => left(cell, *width),
            Align::Right => right(cell, *width),
        });
        let row = cells.collect::<Vec<_>>().join("  ");
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
