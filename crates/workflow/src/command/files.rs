//! Reads a workflow file and the files that complete it.

use std::path::{Path, PathBuf};

use prophet_text::Problem;

use crate::formats::{self, NamedText, Reading};
use crate::text_file::{self, shown};
use crate::wfformat::{Document, LARGEST_BYTES, too_large};

/// Maximum number of files to read in a folder, and maximum depth of nested folders.
const FILES_MAX: usize = 100_000;
const DEPTH_MAX: usize = 16;

pub(super) fn read(
    file: &Path,
    with: &[PathBuf],
    reading: Reading,
) -> Result<(Document, Vec<String>), Vec<Problem>> {
    let text = text(file).map_err(|it| vec![it])?;
    let others = others(with).map_err(|it| vec![it])?;
    let texts: Vec<NamedText<'_>> = (others.iter())
        .map(|(name, text)| NamedText { name, text })
        .collect();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let file = NamedText {
        name: &name,
        text: &text,
    };
    // In messages, the workflow's file has the name that the user typed.
    let own = |mut it: Problem| {
        if it.file == file.name {
            it.file.clear();
        }
        it
    };
    let read = formats::read(file, &texts, reading);
    read.map_err(|problems| problems.into_iter().map(own).collect())
}

/// Reads recorded executions.
pub(super) fn executions(executions: &[PathBuf]) -> Result<Vec<Document>, Problem> {
    let mut documents = Vec::new();
    for path in executions {
        let at = |it: Problem| it.in_file(shown(path));
        let document = Document::parse(&text(path).map_err(at)?).map_err(at)?;
        // Negative and missing times are reported as problems of the document.
        let instance = document.instance().map(drop);
        if let Some(first) = instance.err().and_then(|it| it.into_iter().next()) {
            return Err(at(first));
        }
        documents.push(document);
    }
    Ok(documents)
}

/// Returns the files at these paths. A folder means all files inside it.
pub(super) fn listed(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, 0, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Returns the texts and names of files. A folder means all files inside it.
fn others(with: &[PathBuf]) -> Result<Vec<(String, String)>, Problem> {
    let mut all = Vec::new();
    let mut bytes = 0;
    for path in listed(with)? {
        let name = path.display().to_string();
        let text = text(&path).map_err(|it| it.in_file(shown(&path)))?;
        bytes += text.len();
        if bytes > LARGEST_BYTES {
            return Err(too_large(bytes as u64).in_file(shown(&path)));
        }
        all.push((name, text));
    }
    Ok(all)
}

/// Adds the files in a folder, sorted by name.
fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let help = "Name a folder with benchmarks or metadata.";
    let wrong = |what: String| Problem::with_help(what, help).in_file(shown(folder));
    let entries = std::fs::read_dir(folder);
    let entries = entries.and_then(|it| it.map(|it| it.map(|it| it.path())).collect());
    let mut paths: Vec<PathBuf> = entries.map_err(|why| Problem::unread(folder, why))?;
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < DEPTH_MAX {
            walk(&path, depth + 1, files)?;
        } else if path.is_file() {
            files.push(path);
        }
        if files.len() > FILES_MAX {
            return Err(wrong(format!("the folder has more than {FILES_MAX} files")));
        }
    }
    Ok(())
}

/// Reads the text of a file, up to the size that parsers accept.
fn text(path: &Path) -> Result<String, Problem> {
    let length = std::fs::metadata(path).map_or(0, |it| it.len());
    if length > LARGEST_BYTES as u64 {
        return Err(too_large(length));
    }
    text_file::read(path, LARGEST_BYTES as u64)
}
