//! Writes many files together.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::output::keep_access;

/// Files in one folder and its subfolders that appear only when all of them are complete.
///
/// Each then takes its place in one step, with the access rights of the file it replaces. Since
/// they can be generated again, the stage does not wait until they are on disk.
#[derive(Debug)]
pub struct Stage {
    folder: Folder,
    targets: Vec<PathBuf>,
}

impl Stage {
    /// Creates a stage for files that go into `folder`, which exists.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing can be written there.
    pub fn within(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            folder: Folder::beside(&folder.join(OsStr::new("new")))?,
            targets: Vec::new(),
        })
    }

    /// Adds the content of `target`, which is a regular file or does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the content cannot be written.
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

    /// Puts all files in their places.
    ///
    /// # Errors
    ///
    /// Returns the first file that the system refuses to put in place, and the reason. Files before
    /// it are in place.
    pub fn commit(self) -> Result<(), (PathBuf, io::Error)> {
        for (number, target) in self.targets.iter().enumerate() {
            fs::rename(self.staged(number), target).map_err(|error| (target.clone(), error))?;
        }
        Ok(())
    }
}
