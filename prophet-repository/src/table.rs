//! Tables of text, and numbers as people read them.

use std::fmt::Write as _;

/// On which side a column is ragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows below a heading, in columns as wide as they need to be, two spaces apart.
pub(crate) fn table(heading: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let title = heading.iter().map(|(name, _)| (*name).to_owned()).collect();
    let lines: Vec<&Vec<String>> = std::iter::once(&title).chain(rows).collect();
    let widths: Vec<usize> = (0..heading.len())
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for ((cell, width), (_, align)) in line.iter().zip(&widths).zip(heading) {
            let _ = match align {
                Align::Left => write!(row, "{cell:<width$}  "),
                Align::Right => write!(row, "{cell:>width$}  "),
            };
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// A time with three decimals in the unit that suits it, as the program's table has it.
pub(crate) fn time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
    let size = seconds.abs();
    if size == 0.0 {
        return "0.000 s".to_owned();
    }
    if !(1e-12..1e7).contains(&size) {
        return format!("{seconds:.3e} s");
    }
    let unit = UNITS
        .into_iter()
        .find(|(scale, _)| size / scale >= 0.999_999_5);
    let (scale, unit) = unit.unwrap_or((1e-9, "ns"));
    format!("{:.3} {unit}", seconds / scale)
}

/// Text of a stranger for a terminal: control characters are shown, not obeyed, and what is longer
/// than `most` characters is cut.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if shown.chars().count() <= most {
        return shown;
    }
    let kept = shown.chars().take(most.saturating_sub(1));
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_need_to_be() {
        let heading = [("run", Align::Right), ("model", Align::Left)];
        let row = |id: &str, name: &str| vec![id.to_owned(), name.to_owned()];
        let text = table(&heading, &[row("7", "é"), row("1234", "LAPW0")]);
        assert_eq!(text, " run  model\n   7  é\n1234  LAPW0\n");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        for (seconds, text) in [
            (0.0, "0.000 s"),
            (112.5, "112.500 s"),
            (0.000_012_3, "12.300 us"),
            (0.999_999_9, "1.000 s"),
            (1e-15, "1.000e-15 s"),
            (1e8, "1.000e8 s"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn strangers_cannot_write_on_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb", 80), "a\\u{1b}[2Jb");
        assert_eq!(plain("abcdef", 4), "abc…");
    }
}
