//! Reads text files from users, up to a maximum size, and the names in them.

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

/// Quotes an untrusted name so that it is safe to print, and limits its length.
///
/// ```
/// assert_eq!(prophet_workflow::quoted("a\u{1b}[2J"), r"`a\u{1b}[2J`");
/// ```
pub fn quoted(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = name.chars();
    let shown: String = chars.by_ref().take(LONGEST).collect();
    let rest = if chars.next().is_some() { "…" } else { "" };
    format!("`{}{rest}`", prophet_text::plain::line(&shown))
}

/// Returns a task's type: its name without the number at the end.
///
/// ```
/// use prophet_workflow::task_type;
///
/// assert_eq!(task_type("individuals_ID0000012"), "individuals");
/// assert_eq!(task_type("blastall_12"), "blastall");
/// assert_eq!(task_type("map-3"), "map");
/// assert_eq!(task_type("stage2#7"), "stage2");
/// // A number that nothing parts from the name belongs to it.
/// assert_eq!(task_type("bowtie2"), "bowtie2");
/// assert_eq!(task_type("42"), "42");
/// ```
pub fn task_type(name: &str) -> &str {
    let begin = name.trim_end_matches(|it: char| it.is_ascii_digit());
    if begin.len() == name.len() {
        return name;
    }
    let begin = match begin.strip_suffix("ID") {
        Some(rest) if rest.ends_with('_') => rest,
        _ => begin,
    };
    match begin.strip_suffix(['_', '-', '.', '#']) {
        Some(task) if !task.is_empty() => task,
        _ => name,
    }
}
