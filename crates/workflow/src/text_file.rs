//! Text files of users, of which no more is read than can be understood.

use std::path::Path;

use prophet_files::Unread;
use prophet_text::Problem;

/// The path, safe to print.
pub(crate) fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}

/// The text of a file, if it is not too large.
pub(crate) fn read(path: &Path, largest_bytes: u64) -> Result<String, Problem> {
    let bytes = prophet_files::read(path, largest_bytes).map_err(|why| match why {
        Unread::TooLong(most) => {
            let what = format!("the file has more than {} MB", most >> 20);
            Problem::with_help(what, "Shorten the file.")
        }
        why => {
            let what = format!("cannot read it: {why}");
            Problem::with_help(what, "Name a text file that can be read.")
        }
    })?;
    let mut text = String::from_utf8(bytes).map_err(|_| {
        Problem::with_help("the file is no text in UTF-8", "Convert the file to UTF-8.")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
