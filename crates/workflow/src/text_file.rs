//! Reads text files from users, up to a maximum size.

use std::path::Path;

use prophet_text::Problem;

/// Returns a path that is safe to print.
pub(crate) fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}

/// Reads the text of a file, unless it is too large.
pub(crate) fn read(path: &Path, largest_bytes: u64) -> Result<String, Problem> {
    text(prophet_files::load(path, largest_bytes)?)
}

/// Reads the text of a file that another file refers to. It must be in that file's folder.
pub(crate) fn read_beside(file: &Path, name: &str, most: u64) -> Result<String, Problem> {
    let path = file.with_file_name(name);
    let bytes = prophet_files::read_beside(file, name, most);
    text(bytes.map_err(|why| Problem::unread(&path, why))?)
}

fn text(bytes: Vec<u8>) -> Result<String, Problem> {
    let mut text = String::from_utf8(bytes).map_err(|_| {
        Problem::with_help("the file is not UTF-8 text", "Convert the file to UTF-8.")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
