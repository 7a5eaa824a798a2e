//! Reads users' files up to a maximum size.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use prophet_text::{FileFormat, FileKind, FileRole, Problem};

/// Why a file wasn't read.
#[derive(Debug)]
pub enum Unread {
    /// The operating system refused to read the file.
    Refused(io::Error),
    /// The path leads to a folder.
    Folder,
    /// The path leads to a device, pipe or socket, but only regular files are allowed.
    Special,
    /// The file isn't in the folder of the file that refers to it, or below.
    Outside,
    /// The file is larger than this number of bytes.
    TooLong(u64),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => f.write_str(&prophet_text::reason(error)),
            Self::Folder => f.write_str("it is a folder"),
            Self::Special => f.write_str("it is not a regular file"),
            Self::Outside => f.write_str(
                "it is not in the folder of the file that names it, or below; move it there",
            ),
            Self::TooLong(most) if most % (1 << 20) == 0 => {
                write!(f, "it has more than {} MiB", most >> 20)
            }
            Self::TooLong(most) => write!(f, "it has more than {most} bytes"),
        }
    }
}

impl std::error::Error for Unread {}

/// Reads a file of at most `most` bytes.
///
/// # Errors
///
/// Returns an error if the file can't be read, is a folder, or is larger than `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    // A pipe has no size, so reading one more byte shows that there is too much.
    let mut part = opened(path)?.take(most.saturating_add(1));
    part.read_to_end(&mut bytes).map_err(Unread::Refused)?;
    if bytes.len() as u64 > most {
        return Err(Unread::TooLong(most));
    }
    Ok(bytes)
}

/// Opens a file. Returns an error for a folder, even on systems that can open folders.
fn opened(path: &Path) -> Result<File, Unread> {
    if std::fs::metadata(path).map_err(Unread::Refused)?.is_dir() {
        return Err(Unread::Folder);
    }
    File::open(path).map_err(Unread::Refused)
}

/// Opens a user's file, for commands that read it in parts.
///
/// # Errors
///
/// Returns a problem that names the file, with the same wording as in all commands.
pub fn open(path: &Path) -> Result<File, Problem> {
    opened(path).map_err(|why| Problem::unread(path, why))
}

/// Reads a user's file like [`read`], for commands.
///
/// # Errors
///
/// Returns a problem that names the file, with the same wording as in all commands.
pub fn load(path: &Path, most: u64) -> Result<Vec<u8>, Problem> {
    read(path, most).map_err(|why| Problem::unread(path, why))
}

/// Returns the first bytes of a regular file, so that its format can be recognized. For other
/// files, such as pipes, which can be read only once, the result is empty.
pub fn begin(path: &Path) -> Vec<u8> {
    let mut begin = Vec::new();
    let is_file = std::fs::metadata(path).is_ok_and(|it| it.is_file());
    if let Some(file) = is_file.then(|| File::open(path).ok()).flatten()
        && file
            .take(prophet_text::BEGIN_BYTES)
            .read_to_end(&mut begin)
            .is_err()
    {
        begin.clear();
    }
    begin
}

/// Recognizes the format of a file; `None` if it is unknown. If the file doesn't exist, only its
/// name counts.
pub fn format_of(path: &Path) -> Option<&'static FileFormat> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let begin = begin(path);
    let is_file = || std::fs::metadata(path).is_ok_and(|it| it.is_file());
    if prophet_text::is_empty(&begin) && is_file() {
        return Some(&prophet_text::EMPTY);
    }
    prophet_text::file_format(&name, &begin)
}

/// Rejects a file that is recognized, but not as one of these kinds.
///
/// # Errors
///
/// Returns a problem that says what the file is, and which commands accept it.
pub fn expect(path: &Path, kinds: &[FileKind]) -> Result<(), Problem> {
    match format_of(path) {
        Some(it) if !kinds.contains(&it.kind) => {
            let role = kinds.first().map_or(FileRole::Other, |kind| kind.role());
            Err(Problem::unread(path, it.told_for(role)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_is_permitted() {
        let folder = tempfile::tempdir().expect("it can be made");
        let path = folder.path().join("file");
        std::fs::write(&path, b"1234").expect("it can be written");
        assert_eq!(read(&path, 4).expect("it is read"), b"1234");
        assert!(matches!(read(&path, 3), Err(Unread::TooLong(3))));
        assert!(matches!(read(folder.path(), 3), Err(Unread::Folder)));
        let missing = read(&folder.path().join("none"), 3);
        assert!(matches!(missing, Err(Unread::Refused(_))));
        let opened = open(folder.path()).expect_err("it is a folder");
        assert!(opened.to_string().ends_with(": it is a folder"), "{opened}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_too_long() {
        let endless = read(Path::new("/dev/zero"), 1 << 16);
        assert!(matches!(endless, Err(Unread::TooLong(_))));
    }
}
