//! Finds the file or device that a path leads to.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of links to follow, as on Linux.
const LINKS_MAX: usize = 40;

#[derive(Debug)]
pub(crate) enum Place {
    /// A regular file that exists or can be created. The last part of the path isn't a link.
    File(PathBuf, Option<Metadata>),
    /// Anything else. It is opened and written directly.
    Stream(PathBuf),
    /// A descriptor of this process, with its number and path.
    Descriptor(u32, PathBuf),
}

impl Place {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        // Asks the system first, because it knows which links it must not follow.
        let found = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut path = path.to_owned();
        for _ in 0..LINKS_MAX {
            if let Some(number) = descriptor(&path) {
                return Ok(Self::Descriptor(number, path));
            }
            let Ok(target) = fs::read_link(&path) else {
                return Ok(match found {
                    Some(metadata) if !metadata.is_file() => Self::Stream(path),
                    found => Self::File(path, found),
                });
            };
            path = folder(&path).join(target);
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// Opens a destination that is written directly; `None` for a regular file.
    pub(crate) fn stream(&self) -> io::Result<Option<File>> {
        match self {
            Self::File(..) => Ok(None),
            Self::Stream(path) => File::options().write(true).open(path).map(Some),
            Self::Descriptor(number, path) => open_descriptor(*number, path).map(Some),
        }
    }
}

pub(crate) fn folder(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(path);
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// Returns the number of the descriptor of this process that a path refers to; `None` for other
/// paths.
fn descriptor(path: &Path) -> Option<u32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = folder(path).canonicalize().ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string());
    (folder == own.join("fd") || folder == Path::new("/dev/fd")).then_some(number)
}

/// Opens a descriptor again, at its current position.
#[cfg(unix)]
fn open_descriptor(number: u32, path: &Path) -> io::Result<File> {
    use std::os::fd::AsFd as _;
    match number {
        1 => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        2 => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        // Using other descriptors by number would be unsafe, so this appends to the file.
        _ => File::options().append(true).open(path),
    }
}

#[cfg(not(unix))]
fn open_descriptor(_: u32, path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

/// Returns `true` if both paths lead to the same file, including through symbolic or hard links.
/// For paths that don't exist, returns `true` if they would lead to the same file. Returns `false`
/// for devices and pipes.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(first), Ok(second)) => is_same(&first, &second, one, other),
        (Err(_), Err(_)) => new_file(one).is_some_and(|file| new_file(other) == Some(file)),
        _ => false,
    }
}

/// Returns `true` if a path leads to the regular file behind standard input.
#[cfg(unix)]
pub(crate) fn is_standard_input(path: &Path) -> bool {
    use std::os::fd::AsFd as _;
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    let input = input.and_then(|it| fs::File::from(it).metadata());
    match (input, fs::metadata(path)) {
        (Ok(input), Ok(found)) => is_same(&input, &found, path, path),
        _ => false,
    }
}

/// Returns `false`, because only Unix provides this information.
#[cfg(not(unix))]
pub(crate) fn is_standard_input(_: &Path) -> bool {
    false
}

/// Returns `true` if the path is a regular file that isn't empty, so that writing to it would
/// replace something.
pub fn holds_something(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
}

fn new_file(path: &Path) -> Option<PathBuf> {
    match Place::of(path).ok()? {
        Place::File(path, None) => Some(folder(&path).canonicalize().ok()?.join(path.file_name()?)),
        Place::File(..) | Place::Stream(_) | Place::Descriptor(..) => None,
    }
}

#[cfg(unix)]
fn is_same(first: &Metadata, second: &Metadata, _: &Path, _: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // Terminals and pipes don't count, because a program can both read and write them.
    first.is_file() && (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata, one: &Path, other: &Path) -> bool {
    one.canonicalize()
        .is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
