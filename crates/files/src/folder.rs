//! Creates temporary folders.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::aside::name;
use crate::place::folder;

/// Maximum number of programs that can create a folder at the same time.
const NAMES_MAX: u32 = 10_000;

/// A folder that only the user of this process can access. It is removed with its content when the
/// value is dropped. If a program is killed, the next program that creates a folder removes what it
/// left.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The lock shows other programs that the folder is in use.
    _lock: Option<File>,
}

impl Folder {
    /// Creates a folder for temporary files in the system's temporary folder. `what` becomes a part
    /// of its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder can't be created.
    pub fn temporary(what: &str) -> io::Result<Self> {
        Self::for_target(&std::env::temp_dir().join(what))
    }

    /// Creates a folder next to `target`, which it can later [replace](Self::replace).
    ///
    /// # Errors
    ///
    /// Returns an error if the folder can't be created.
    pub fn beside(target: &Path) -> io::Result<Self> {
        Self::for_target(&folder(target).join(target.file_name().unwrap_or_default()))
    }

    fn for_target(target: &Path) -> io::Result<Self> {
        for number in 0..NAMES_MAX {
            let path = name(target, number);
            match make(&path) {
                Ok(()) => {
                    let lock = File::open(&path).ok();
                    let taken = lock.as_ref().is_some_and(|lock| {
                        matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
                    });
                    // Another program that removes leftovers may have removed it before it was
                    // locked.
                    if !taken && path.is_dir() {
                        return Ok(Self { path, _lock: lock });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => remove_dead(&path),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many folders have that name"))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the folder to `target`, and gives it the access rights of a new folder. `target` must
    /// not exist, or must be an empty folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder can't be moved. In that case, the folder is removed.
    pub fn replace(self, target: &Path) -> io::Result<()> {
        // Creates an empty folder first, because it shows which access rights a new folder has.
        match fs::create_dir(target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        fs::set_permissions(&self.path, fs::metadata(target)?.permissions())?;
        fs::rename(&self.path, target)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If the folder was moved, it no longer exists here.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(unix)]
fn make(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Removes a folder that a killed program has left. If this fails, the caller tries the next name.
fn remove_dead(path: &Path) {
    if !path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return;
    }
    let Ok(folder) = File::open(path) else { return };
    match folder.try_lock() {
        // This doesn't follow links, and the system doesn't allow it for other users' folders.
        Ok(()) => drop(fs::remove_dir_all(path)),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_all_that_is_in_it() {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path().join("out");
        let first = Folder::beside(&target).unwrap();
        fs::write(first.path().join("file"), "text").unwrap();
        let second = Folder::beside(&target).unwrap();
        assert_ne!(first.path(), second.path());
        drop((first, second));
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_gets_its_place() {
        let outer = tempfile::tempdir().unwrap();
        for there in [false, true] {
            let target = outer.path().join(there.to_string());
            if there {
                fs::create_dir(&target).unwrap();
            }
            let folder = Folder::beside(&target).unwrap();
            fs::write(folder.path().join("file"), "text").unwrap();
            folder.replace(&target).unwrap();
            assert_eq!(fs::read(target.join("file")).unwrap(), b"text");
        }
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_killed_program_left_is_removed() {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path().join("out");
        let left = outer.path().join(".out.prophet-0");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("file"), "text").unwrap();
        drop(Folder::beside(&target).unwrap());
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    }
}
