//! Text files of users, of which no more is read than can be understood.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::Problem;

/// The path, safe to print.
pub(crate) fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}

/// The text of a file, if it is not too large.
pub(crate) fn read(path: &Path, largest_bytes: u64) -> Result<String, Problem> {
    let cannot = |error: std::io::Error| {
        let what = format!("cannot read it: {error}");
        Problem::new(what, "Name a text file that can be read.")
    };
    let file = File::open(path).map_err(cannot)?;
    let mut text = String::new();
    let mut part = file.take(largest_bytes + 1);
    part.read_to_string(&mut text)
        .map_err(|error| match error.kind() {
            ErrorKind::InvalidData => {
                Problem::new("the file is no text in UTF-8", "Convert the file to UTF-8.")
            }
            _ => cannot(error),
        })?;
    if text.len() as u64 > largest_bytes {
        let what = format!("the file has more than {} MB", largest_bytes >> 20);
        return Err(Problem::new(what, "Shorten the file."));
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
