//! Writes the table of elements, with each element's share of the total time of all processes.

use std::io::{self, Write};

use prophet_text::{counted, percent, short_count, time};

use super::{BAR_MAX, Ink, Style, bar_width, marks, widths, write_row};
use crate::results::outcome::{ElementOutcome, Outcome};

/// Maximum number of elements. If there are more, those that took longest are shown.
const ELEMENTS_MAX: usize = 24;
const BAR_MIN: usize = 6;

pub(super) fn write(outcome: &Outcome, ink: Ink, out: &mut dyn Write) -> io::Result<()> {
    let elements = &outcome.elements;
    let totals = elements.iter().map(|element| element.total_s);
    let longest_s = totals.fold(0.0, f64::max);
    let shown = longest(elements);
    let row = |element: &&ElementOutcome| {
        [
            element.name.clone(),
            element.kind.to_string(),
            short_count(element.count),
            time(element.total_s),
            time(element.max_s),
            percent(element.share),
        ]
    };
    let rows: Vec<[String; 6]> = shown.iter().map(row).collect();
    let headings = ["Element", "Type", "Count", "Total", "Longest", "Share"];
    let mut widths = widths(headings, &rows);
    // The name is shortened to make room for the numbers, and the bar gets what is left of the
    // line.
    let name = std::mem::take(&mut widths[0]);
    widths[0] = name.min(bar_width(&widths).saturating_sub(BAR_MIN)).max(4);
    let width = bar_width(&widths).min(BAR_MAX);
    write_row(&headings.map(str::to_owned), widths, 2, "", out)?;
    for (row, element) in rows.into_iter().zip(&shown) {
        let bar = ink.paint(Style::Share, &bar(element.total_s, longest_s, width));
        write_row(&row, widths, 2, &bar, out)?;
    }
    let hidden = elements.len() - shown.len();
    if hidden > 0 {
        let hidden = counted(
            hidden as u64,
            "element that took less",
            "elements that took less",
        );
        writeln!(out, "… and {hidden} (--format json lists all)")?;
    }
    Ok(())
}

/// Returns the elements that took longest, in the order of the model.
fn longest(elements: &[ElementOutcome]) -> Vec<&ElementOutcome> {
    let mut ranked: Vec<(usize, &ElementOutcome)> = elements.iter().enumerate().collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_s.total_cmp(&a.total_s));
    ranked.truncate(ELEMENTS_MAX);
    ranked.sort_by_key(|&(index, _)| index);
    ranked.into_iter().map(|(_, element)| element).collect()
}

/// Draws a bar in proportion to the longest time. An element that took any time at all gets at
/// least a mark.
fn bar(total_s: f64, longest_s: f64, width: usize) -> String {
    if total_s <= 0.0 {
        return String::new();
    }
    "#".repeat(marks(total_s, longest_s, width).clamp(1, width.max(1)))
}
