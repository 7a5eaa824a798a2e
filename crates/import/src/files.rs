//! Finds the files of a trace: in a folder, in a file that lists them, or next to one of them.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use prophet_text::Problem;

use crate::lines::Lines;

/// Number of bytes to read at a time when detecting a file's format.
const BUFFER: usize = 1 << 12;
/// Extension of files that describe a whole trace instead of a rank.
const META: &str = "meta";

/// Returns a file's first line that isn't a comment.
pub(crate) fn first_line(path: &Path) -> Result<String, Problem> {
    let mut lines = Lines::all(path, BUFFER);
    while lines.advance()? {
        let text = lines.text().trim();
        let is_comment = ["#", "//", "/*"].iter().any(|it| text.starts_with(it));
        if !text.is_empty() && !is_comment {
            return Ok(text.to_owned());
        }
    }
    Err(Problem::of(path, "the trace is empty"))
}

/// Returns an OTF2 archive's anchor file: `path` itself, or the only file with that extension in
/// the folder `path`.
pub(crate) fn anchor(path: &Path) -> Option<PathBuf> {
    let is_anchor = |it: &Path| it.extension().is_some_and(|it| it == "otf2") && it.is_file();
    if is_anchor(path) {
        return Some(path.to_owned());
    }
    let entries = std::fs::read_dir(path).ok()?;
    let mut anchors = entries.filter_map(|it| Some(it.ok()?.path()).filter(|it| is_anchor(it)));
    anchors.next().filter(|_| anchors.next().is_none())
}

/// Returns the files of all ranks, given one of them. Their names differ only in a number that
/// counts from 0.
pub(crate) fn beside(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let Some((before, _, after)) = path.file_name().and_then(numbered) else {
        return Ok(vec![path.to_owned()]);
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut files = Vec::new();
    for file in in_folder(folder)? {
        let name = file.file_name().and_then(numbered);
        if let Some((start, number, end)) = name
            && (start, end) == (before, after)
        {
            files.push((number, file));
        }
    }
    files.sort();
    for (_, file) in &mut files {
        // A file name without a folder has an empty parent.
        if path.parent() == Some(Path::new("")) {
            *file = file.file_name().map(PathBuf::from).unwrap_or_default();
        }
    }
    for (rank, (number, file)) in (0..).zip(&files) {
        if *number != rank {
            let why =
                format!("the file of rank {rank} is missing, but there is a file of rank {number}");
            return Err(Problem::of(file, why));
        }
    }
    Ok(files.into_iter().map(|it| it.1).collect())
}

/// Returns the last number in a name, with the text before and after it.
fn numbered(name: &OsStr) -> Option<(&str, u64, &str)> {
    let name = name.to_str()?;
    let stem = name.rfind('.').unwrap_or(name.len());
    let end = name[..stem].rfind(|it: char| it.is_ascii_digit())? + 1;
    let digits = name[..end].bytes().rev().take_while(u8::is_ascii_digit);
    let start = end - digits.count();
    Some((&name[..start], name[start..end].parse().ok()?, &name[end..]))
}

/// Returns the files listed in `path`, which are relative to its folder.
pub(crate) fn listed(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    let mut lines = Lines::all(path, BUFFER);
    while lines.advance()? {
        let Some(name) = lines.text().split_ascii_whitespace().next() else {
            continue;
        };
        let Some(file) = within(folder, Path::new(name)) else {
            let why =
                format!("`{name}` is neither a trace action nor a file in the trace's folder");
            return Err(lines.problem(why));
        };
        files.push(file);
    }
    Ok(files)
}

/// Returns the file with this name in a folder. Names can start with the folder's own name, because
/// `SimGrid` resolves them in the folder where it runs.
fn within(folder: &Path, name: &Path) -> Option<PathBuf> {
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !name.components().all(is_inside) {
        return None;
    }
    let file = folder.join(name);
    if file.is_file() {
        return Some(file);
    }
    let place = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let place = place.canonicalize().ok()?;
    let parts: Vec<Component<'_>> = name.components().collect();
    let rests = (1..parts.len()).map(|it| parts.split_at(it));
    let mut files = rests
        .filter(|(before, _)| place.ends_with(before.iter().collect::<PathBuf>()))
        .map(|(_, rest)| folder.join(rest.iter().collect::<PathBuf>()));
    files.find(|it| it.is_file())
}

/// Returns the files in a folder in natural order: rank 2 comes before rank 10.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let wrong = |why: std::io::Error| Problem::unread(folder, why);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_file() && path.extension().is_none_or(|it| it != META) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Problem::of(folder, "the folder contains no files"));
    }
    files.sort_by_cached_key(|path| natural(&path.to_string_lossy()));
    Ok(files)
}

/// Splits a name into words and numbers.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digit = rest
            .find(|it: char| it.is_ascii_digit())
            .unwrap_or(rest.len());
        let (word, number) = rest.split_at(digit);
        let end = number
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(number.len());
        parts.push((word.to_owned(), number[..end].parse().unwrap_or(u64::MAX)));
        rest = &number[end..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_first_line() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("list");
        for (text, expected) in [
            ("# a list\n/tmp/rank-1.txt\n", "/tmp/rank-1.txt"),
            ("// a schedule\n/* of two */\nnum_ranks 2\n", "num_ranks 2"),
        ] {
            std::fs::write(&path, text).expect("it can be written");
            assert_eq!(first_line(&path).expect("a line"), expected);
        }
    }
}
