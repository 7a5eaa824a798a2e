//! Tables of `interpolate`: CSV files beside the model.

use std::fs;
use std::path::Path;

/// Size of the largest file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// Reads the table `file` from the model's folder: points in order of `x`.
///
/// A line is `x,y` (or with a semicolon or tab between); empty lines, lines that begin with `#` and
/// a first line without any number are skipped.
///
/// # Errors
///
/// A message, if `file` is not a plain name of a file in that folder, or not such a table.
pub fn read(folder: &Path, file: &str) -> Result<Vec<(f64, f64)>, String> {
    if !is_plain_name(file) {
        return Err("a table is a file in the model's own folder, named without a path".to_owned());
    }
    let path = folder.join(file);
    let about = fs::symlink_metadata(&path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a plain file".to_owned());
    }
    if about.len() > LARGEST {
        return Err(format!(
            "it has {} bytes; at most {LARGEST} are read",
            about.len()
        ));
    }
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    parse(&text)
}

/// True for the name of a file in a folder, without a path.
pub fn is_plain_name(file: &str) -> bool {
    !file.is_empty() && !file.starts_with('.') && !file.contains(['/', '\\', ':', '\0'])
}

fn parse(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut first = true;
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let header = std::mem::take(&mut first);
        let Some(point) = point(line) else {
            if header && cells(line).all(|cell| cell.parse::<f64>().is_err()) {
                continue;
            }
            return Err(format!("line {} is not two numbers: {line:?}", number + 1));
        };
        if points.last().is_some_and(|last| last.0 >= point.0) {
            return Err(format!(
                "line {}: x must grow from line to line",
                number + 1
            ));
        }
        points.push(point);
    }
    if points.is_empty() {
        return Err("it has no line of two numbers".to_owned());
    }
    Ok(points)
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', '\t']).map(str::trim)
}

fn point(line: &str) -> Option<(f64, f64)> {
    let mut cells = cells(line).map(|cell| cell.parse::<f64>().ok());
    match (cells.next()??, cells.next()??, cells.next()) {
        (x, y, None) if x.is_finite() && y.is_finite() => Some((x, y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_points() {
        let points = parse("size;seconds\n# measured\n1; 0.5\n\n2;1e0\n").unwrap();
        assert_eq!(points, [(1.0, 0.5), (2.0, 1.0)]);
    }

    #[test]
    fn what_is_no_table_says_why() {
        let cases = [
            ("", "it has no line of two numbers"),
            ("x,y\n", "it has no line of two numbers"),
            ("1,2\n1,3\n", "line 2: x must grow from line to line"),
            ("1,2\n2,3,4\n", "line 2 is not two numbers: \"2,3,4\""),
            ("1,2\n2,inf\n", "line 2 is not two numbers: \"2,inf\""),
            ("1,1e999\n2,3\n", "line 1 is not two numbers: \"1,1e999\""),
            ("1,nan\n2,3\n", "line 1 is not two numbers: \"1,nan\""),
            ("1;\n2;3\n", "line 1 is not two numbers: \"1;\""),
            ("1 2\n2;x\n3;4\n", "line 2 is not two numbers: \"2;x\""),
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
            assert!(why.contains("own folder"), "{file}: {why}");
        }
        assert!(read(Path::new("."), "no-such-table.csv").is_err());
    }
}
