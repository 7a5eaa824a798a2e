//! Lists the project's files, using git.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_testing::succeeded;

use crate::root;

/// Returns the paths of the project's files, tracked or new, relative to its root. Doesn't follow
/// links.
///
/// # Panics
///
/// Panics if git lists no files.
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

pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Reads a file in the project.
///
/// # Panics
///
/// Panics if the file isn't text.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(root().join(path)).expect("files of the project are text")
}
