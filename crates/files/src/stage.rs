//! Writes many files together.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::output::keep_access;

/// Writes several files to a folder and its subfolders. None of them appears before all of them are
/// complete.
///
/// Each file then takes its place in a single step, with the access rights of the file that it
/// replaces. The stage doesn't wait until files are on disk, so use it for files that can be
/// generated again.
#[derive(Debug)]
pub struct Stage {
    folder: Folder,
    targets: Vec<PathBuf>,
}

impl Stage {
    /// Creates a stage for files in `folder`, which must exist.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing can be written to `folder`.
    pub fn within(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            folder: Folder::beside(&folder.join(OsStr::new("new")))?,
            targets: Vec::new(),
        })
    }

    /// Writes `content` to the stage. `target` is where it will be; it must be a regular file or
    /// not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the content can't be written.
    pub fn add(&mut self, target: PathBuf, content: &[u8]) -> io::Result<()> {
        let mut file = File::create_new(self.staged(self.targets.len()))?;
        if let Ok(there) = target.metadata() {
            keep_access(&file, &there)?;
        }
        file.write_all(content)?;
        self.targets.push(target);
        Ok(())
    }

    fn staged(&self, number: usize) -> PathBuf {
        self.folder.path().join(number.to_string())
    }

    /// Puts all files in place, in the order in which they were added.
    ///
    /// # Errors
    ///
    /// Returns the first file that can't be put in place, with the reason. The files before it are
    /// in place.
    pub fn commit(self) -> Result<(), (PathBuf, io::Error)> {
        for (number, target) in self.targets.iter().enumerate() {
            fs::rename(self.staged(number), target).map_err(|error| (target.clone(), error))?;
        }
        Ok(())
    }
}
