//! Reads tables for `interpolate` from CSV files in the model's folder.

use prophet_text::{Context as _, Problem, problem};
use std::fs;
use std::path::Path;

use crate::program::TableRows;

/// Maximum size of a file, in bytes.
const LARGEST: u64 = 4 << 20;
/// Maximum number of rows in a two-dimensional table.
const VALUES_MAX: usize = 10_000;

/// Reads the table `file` from the model's folder, and returns its rows in order.
///
/// A line is `x,value` or, in a two-dimensional table, `x,y,value`. Semicolons and tabs are
/// separators too. Empty lines, lines that start with `#`, and a first line without numbers are
/// skipped.
///
/// # Errors
///
/// Returns an error if `file` contains a path or starts with a dot, or if the file can't be read or
/// isn't a table of numbers.
pub fn read(folder: &Path, file: &str) -> Result<TableRows, Problem> {
    if !is_plain_name(file) {
        return Err("a table must be a file in the model's folder, named without a path".into());
    }
    let path = folder.join(file);
    let about = fs::symlink_metadata(&path).told()?;
    if !about.is_file() {
        return Err("it is not a regular file".into());
    }
    if about.len() > LARGEST {
        return Err(problem!(
            "it has {} bytes, but at most {LARGEST} are supported",
            about.len()
        ));
    }
    let text = fs::read_to_string(&path).told()?;
    parse(&text)
}

/// Returns `true` if `file` is a file name without a path, and doesn't start with a dot.
pub fn is_plain_name(file: &str) -> bool {
    !file.is_empty() && !file.starts_with('.') && !file.contains(['/', '\\', ':', '\0'])
}

fn parse(text: &str) -> Result<TableRows, Problem> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut first = true;
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let header = std::mem::take(&mut first);
        let width = rows.first().map(Vec::len);
        let Some(row) = row(line, width) else {
            if header && cells(line).all(|cell| cell.parse::<f64>().is_err()) {
                continue;
            }
            let needed = if width == Some(3) { "three" } else { "two" };
            return Err(problem!(
                "line {}: expected {needed} numbers, found {line:?}",
                number + 1
            ));
        };
        let key = |row: &[f64]| row[..row.len() - 1].to_vec();
        if rows.last().is_some_and(|last| key(last) >= key(&row)) {
            let what = if row.len() == 3 {
                "x, and y for each x,"
            } else {
                "x"
            };
            return Err(problem!(
                "line {}: {what} must increase from line to line",
                number + 1
            ));
        }
        rows.push(row);
    }
    match rows.first().map(Vec::len) {
        None => Err("it does not contain any numbers".into()),
        Some(3) => lines(&rows),
        Some(_) => Ok(TableRows::Points(
            rows.iter().map(|it| (it[0], it[1])).collect(),
        )),
    }
}

/// Groups the rows of a two-dimensional table by x.
fn lines(rows: &[Vec<f64>]) -> Result<TableRows, Problem> {
    if rows.len() > VALUES_MAX {
        let why = "a two-dimensional table becomes part of the code";
        return Err(problem!("it has more than {VALUES_MAX} lines; {why}"));
    }
    let lines = rows.chunk_by(|a, b| a[0].total_cmp(&b[0]).is_eq());
    let points = |line: &[Vec<f64>]| line.iter().map(|it| (it[1], it[2])).collect();
    let lines = lines.map(|line| (line[0][0], points(line)));
    Ok(TableRows::Lines(lines.collect()))
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', '\t']).map(str::trim)
}

/// Parses a line of finite numbers: two or three of them, or as many as on the lines before.
fn row(line: &str, width: Option<usize>) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = cells(line).map(|cell| cell.parse().ok()).collect();
    let is_row = |row: &Vec<f64>| match width {
        Some(width) => row.len() == width,
        None => matches!(row.len(), 2 | 3),
    };
    numbers
        .filter(is_row)
        .filter(|row| row.iter().all(|it| it.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_points() {
        let points = parse("size;seconds\n# measured\n1; 0.5\n\n2;1e0\n").unwrap();
        assert_eq!(points, TableRows::Points(vec![(1.0, 0.5), (2.0, 1.0)]));
        let lines = parse("p,n,s\n1,10,5\n1,20,6\n2,10,7\n").unwrap();
        let first = (1.0, vec![(10.0, 5.0), (20.0, 6.0)]);
        assert_eq!(
            lines,
            TableRows::Lines(vec![first, (2.0, vec![(10.0, 7.0)])])
        );
    }

    #[test]
    fn what_is_no_table_says_why() {
        let cases = [
            ("", "it does not contain any numbers"),
            ("x,y\n", "it does not contain any numbers"),
            ("1,2\n1,3\n", "line 2: x must increase from line to line"),
            (
                "1,2\n2,3,4\n",
                "line 2: expected two numbers, found \"2,3,4\"",
            ),
            (
                "1,2,3\n2,3\n",
                "line 2: expected three numbers, found \"2,3\"",
            ),
            (
                "1,2,3\n1,2,4\n",
                "line 2: x, and y for each x, must increase from line to line",
            ),
            (
                "2,2,3\n1,3,4\n",
                "line 2: x, and y for each x, must increase from line to line",
            ),
            (
                "1,2,3,4\n",
                "line 1: expected two numbers, found \"1,2,3,4\"",
            ),
            (
                "1,2\n2,inf\n",
                "line 2: expected two numbers, found \"2,inf\"",
            ),
            (
                "1,1e999\n2,3\n",
                "line 1: expected two numbers, found \"1,1e999\"",
            ),
            (
                "1,nan\n2,3\n",
                "line 1: expected two numbers, found \"1,nan\"",
            ),
            ("1;\n2;3\n", "line 1: expected two numbers, found \"1;\""),
            (
                "1 2\n2;x\n3;4\n",
                "line 2: expected two numbers, found \"2;x\"",
            ),
        ];
        for (text, why) in cases {
            assert_eq!(parse(text).unwrap_err(), why, "{text:?}");
        }
    }

    #[test]
    fn a_table_lies_in_the_folder() {
        for file in [
            "",
            "../x.csv",
            "/etc/passwd",
            "a/b.csv",
            "..",
            ".hidden",
            r"a\b",
            "c:x",
        ] {
            let why = read(Path::new("."), file).unwrap_err();
            assert!(why.message.contains("model's folder"), "{file}: {why}");
        }
        assert!(read(Path::new("."), "no-such-table.csv").is_err());
    }
}
