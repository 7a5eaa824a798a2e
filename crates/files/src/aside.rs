//! Creates files that other programs must not see until they are complete.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::place::folder;

/// Maximum number of programs that can write a file at the same time.
const NAMES_MAX: u32 = 1000;
/// Maximum number of bytes that a temporary name takes over from the target's name. File names have
/// at most 255 bytes.
const NAME_BYTES: usize = 128;

/// A file without a name, or a file that is removed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Aside {
    file: File,
    /// Temporary name; `None` if the file has no name or has already replaced the target.
    name: Option<PathBuf>,
}

impl Aside {
    /// Creates a file in the folder of `target`, which it is going to replace.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        if let Some(file) = nameless(folder(target)) {
            return Ok(Self { file, name: None });
        }
        Self::named(target)
    }

    /// Creates a file in `folder` that other programs never see.
    pub(crate) fn scratch(folder: &Path) -> io::Result<Self> {
        let mut aside = Self::beside(&folder.join("scratch"))?;
        // Systems that can't remove the name of an open file remove it at the end.
        if let Some(name) = aside.name.take_if(|name| fs::remove_file(name).is_ok()) {
            drop(name);
        }
        Ok(aside)
    }

    fn named(target: &Path) -> io::Result<Self> {
        let create = |name: &Path| {
            let mut options = File::options();
            options.read(true).write(true).create_new(true).open(name)
        };
        let (file, name) = claimed(target, create)?;
        // The lock shows other programs that the file is in use. Without locks, a file always seems
        // to be in use.
        let _ = file.try_lock();
        let name = Some(name);
        Ok(Self { file, name })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn replace(mut self, target: &Path) -> io::Result<File> {
        let file = self.file.try_clone()?;
        if self.name.is_none() {
            // Locks the file before it gets a name, so that no program takes it for a leftover.
            let _ = self.file.try_lock();
            let linked = claimed(target, |name| link(&self.file, name));
            self.name = Some(linked?.1);
        }
        if let Some(name) = &self.name {
            fs::rename(name, target)?;
            self.name = None;
        }
        Ok(file)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // The first problem is reported, so another failure here doesn't matter.
            let _ = fs::remove_file(name);
        }
    }
}

/// Calls `make` with temporary names for `target` until a name isn't used.
fn claimed<T>(
    target: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(T, PathBuf)> {
    for number in 0..NAMES_MAX {
        let name = name(target, number);
        let made = match make(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && remove_dead(&name) => {
                make(&name)
            }
            made => made,
        };
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, name)),
        }
    }
    Err(io::Error::other(
        "too many programs are writing it at the same time",
    ))
}

/// Returns a temporary name for a file that is going to become `target`.
pub(crate) fn name(target: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(".");
    let full = target.file_name().unwrap_or_default();
    if full.len() <= NAME_BYTES {
        name.push(full);
    } else {
        // The number distinguishes targets with the same start.
        let text: String = full
            .to_string_lossy()
            .chars()
            .take(NAME_BYTES / 4)
            .collect();
        name.push(text);
    }
    name.push(format!(".prophet-{number}"));
    target.with_file_name(name)
}

/// Removes a file that a killed program has left, unless it is in use. Returns `true` if the file
/// was removed.
fn remove_dead(name: &Path) -> bool {
    if !name.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok(file) = File::open(name) else {
        return false;
    };
    match file.try_lock() {
        // Its owner may have moved it to its target in the meantime.
        Ok(()) => is_named(&file, name) && fs::remove_file(name).is_ok(),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

#[cfg(unix)]
fn is_named(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), name.symlink_metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_named(_: &File, name: &Path) -> bool {
    name.is_file()
}

/// Creates a file without a name in `folder`; `None` if that fails or the file system doesn't
/// support it. The caller then creates a file with a name, and reports errors.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    // The system removes the bits of the process's umask from these access rights.
    let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    // Without this path, the file can't get a name later.
    own(&file).exists().then_some(file)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn own(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    linkat(CWD, own(file), CWD, name, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, Write as _};

    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_with_a_name_of_its_own_replaces_or_goes() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let aside = Aside::named(&target).unwrap();
        assert_eq!(names(folder.path()), [".out.prophet-0"]);
        drop(aside);
        assert_eq!(names(folder.path()).len(), 0);
        let aside = Aside::named(&target).unwrap();
        aside.file().write_all(b"new").unwrap();
        aside.replace(&target).unwrap();
        assert_eq!(names(folder.path()), ["out"]);
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_is_in_use_stays() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        fs::write(folder.path().join(".out.prophet-0"), "left over").unwrap();
        let first = Aside::named(&target).unwrap();
        assert_eq!(names(folder.path()), [".out.prophet-0"]);
        assert_eq!(first.file().metadata().unwrap().len(), 0, "it is another");
        let second = Aside::named(&target).unwrap();
        assert_eq!(names(folder.path()), [".out.prophet-0", ".out.prophet-1"]);
        second.replace(&target).unwrap();
        first.replace(&target).unwrap();
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_with_the_name_of_an_aside_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "mine").unwrap();
        let name = folder.path().join(".out.prophet-0");
        std::os::unix::fs::symlink(&other, &name).unwrap();
        let target = folder.path().join("out");
        Aside::beside(&target).unwrap().replace(&target).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"mine");
        assert!(name.is_symlink() && target.is_file());
    }

    #[test]
    fn scratch_files_have_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let aside = Aside::scratch(folder.path()).unwrap();
        let mut file = aside.file();
        file.write_all(b"abc").unwrap();
        if cfg!(unix) {
            assert_eq!(names(folder.path()).len(), 0);
        }
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
    }

    #[test]
    fn long_names_have_room_for_more() {
        let folder = tempfile::tempdir().unwrap();
        for long in ["x".repeat(255), "é".repeat(127)] {
            let target = folder.path().join(long);
            Aside::named(&target).unwrap().replace(&target).unwrap();
            assert!(target.is_file());
        }
    }
}
