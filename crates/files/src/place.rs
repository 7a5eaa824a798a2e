//! What a path leads to.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// As many links are followed as Linux does.
const LINKS_MAX: usize = 40;

/// Where bytes go.
#[derive(Debug)]
pub(crate) enum Place {
    /// A regular file that is there, or may be made. The path has no link at its end.
    File(PathBuf, Option<Metadata>),
    /// Something else, which is opened and written to.
    Stream(PathBuf),
    /// A descriptor of this process, by its number and path.
    Descriptor(u32, PathBuf),
}

impl Place {
    /// What `path` leads to.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        // Asked of the system first, which knows of links that are not to be followed.
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
        Err(io::Error::other("there are too many symbolic links"))
    }

    /// Opens what is written through; `None` for a regular file.
    pub(crate) fn stream(&self) -> io::Result<Option<File>> {
        match self {
            Self::File(..) => Ok(None),
            Self::Stream(path) => File::options().write(true).open(path).map(Some),
            Self::Descriptor(number, path) => open_descriptor(*number, path).map(Some),
        }
    }
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(path);
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// The number of the descriptor of this process that a path stands for.
fn descriptor(path: &Path) -> Option<u32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = folder(path).canonicalize().ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string());
    (folder == own.join("fd") || folder == Path::new("/dev/fd")).then_some(number)
}

/// A descriptor with the position of the one that is there.
#[cfg(unix)]
fn open_descriptor(number: u32, path: &Path) -> io::Result<File> {
    use std::os::fd::AsFd as _;
    match number {
        1 => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        2 => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        // To take any other by its number would be unsafe; a file is added to at its end.
        _ => File::options().append(true).open(path),
    }
}

#[cfg(not(unix))]
fn open_descriptor(_: u32, path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

/// Whether both paths lead to one file, be it by symbolic or by hard links, or would if it were
/// there. Devices and pipes are no files.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(first), Ok(second)) => is_same(&first, &second, one, other),
        (Err(_), Err(_)) => new_file(one).is_some_and(|file| new_file(other) == Some(file)),
        _ => false,
    }
}

/// The file that would be made, by a path without links.
fn new_file(path: &Path) -> Option<PathBuf> {
    match Place::of(path).ok()? {
        Place::File(path, None) => Some(folder(&path).canonicalize().ok()?.join(path.file_name()?)),
        Place::File(..) | Place::Stream(_) | Place::Descriptor(..) => None,
    }
}

#[cfg(unix)]
fn is_same(first: &Metadata, second: &Metadata, _: &Path, _: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // What is read from a terminal or pipe may be written to it.
    first.is_file() && (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata, one: &Path, other: &Path) -> bool {
    one.canonicalize()
        .is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
