//! Fills the folder that mdBook reads.

use std::fs;
use std::path::Path;

use crate::studio::{samples, with_links};
use crate::{BookPage, Contents};

/// The book's settings and style sheet, in the folder `docs`.
const SETTINGS: &[&str] = &["book.toml", "book.css"];

/// Empties `folder`, and copies the book's settings, the pages, and the files that they link to
/// into it. If the book contains the studio, adds links to the studio.
///
/// The separate folder is needed because mdBook would copy every file in the project's folder,
/// including build output.
///
/// # Errors
///
/// Returns an error if a file can't be read or written.
pub fn stage(root: &Path, folder: &Path, has_studio: bool) -> Result<(), String> {
    let contents = Contents::read(root)?;
    if folder.exists() {
        fs::remove_dir_all(folder)
            .map_err(|error| format!("cannot remove {}: {error}", folder.display()))?;
    }
    for name in SETTINGS {
        copy(&root.join("docs").join(name), &folder.join(name))?;
    }
    let source = folder.join("src");
    let pages = contents.pages();
    let samples = if has_studio {
        samples(root)
    } else {
        Vec::new()
    };
    for path in &pages {
        let page = BookPage::read(root, path)?;
        write(&source.join(path), &with_links(&page, &samples))?;
        for link in page.links() {
            if !pages.contains(&link.path) {
                copy(&root.join(&link.path), &source.join(&link.path))?;
            }
        }
    }
    write(&source.join("SUMMARY.md"), &contents.rooted())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_folder_of(to)?;
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {}: {error}", from.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    make_folder_of(file)?;
    fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn make_folder_of(file: &Path) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}
