//! Writes many files together.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::output::keep_access;

/// Writes several files to a folder and its subfolders. No file appears before all of them are
/// complete.
///
/// Each file then takes its place in one step, with the access rights of the file that it replaces.
/// Because such files can be generated again, the stage doesn't wait until they are on disk.
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
    /// Returns an error if `folder` can't be written to.
    pub fn within(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            folder: Folder::beside(&folder.join(OsStr::new("new")))?,
            targets: Vec::new(),
        })
    }

    /// Stages `content` for `target`, which must be a regular file or not exist yet.
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

    /// Puts all files in place.
    ///
    /// # Errors
    ///
    /// Returns the first file that can't be put in place, and the reason. The files that were added
    /// before it are in place.
    pub fn commit(self) -> Result<(), (PathBuf, io::Error)> {
        for (number, target) in self.targets.iter().enumerate() {
            fs::rename(self.staged(number), target).map_err(|error| (target.clone(), error))?;
        }
        Ok(())
    }
}
