//! The files of the project, as git lists them.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_testing::succeeded;

use crate::root;

/// Files of the project that are there, tracked or new, from its root; without links to them.
///
/// # Panics
///
/// If git lists no files.
pub fn files() -> Vec<PathBuf> {
    let output = succeeded(
        Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(root()),
    );
    let list = String::from_utf8(output.stdout).expect("names are text");
    list.lines()
        .map(PathBuf::from)
        .filter(|path| {
            root()
                .join(path)
                .symlink_metadata()
                .is_ok_and(|it| it.is_file())
        })
        .collect()
}

/// True if a file has that extension.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// The text of a file of the project.
///
/// # Panics
///
/// If the file is no text.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(root().join(path)).expect("files of the project are text")
}
