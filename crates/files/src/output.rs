//! Writes a file completely or not at all.

use std::fs::{File, Metadata};
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};

use prophet_text::{Context as _, Problem};

use crate::aside::Aside;
use crate::named::missing_folder;
use crate::place::{Place, folder};

/// A file that is being written, with the [promises of this crate](crate). If you drop it before
/// [`commit`](Self::commit), a regular file stays unchanged.
///
/// ```
/// use std::io::Write as _;
///
/// let folder = prophet_files::Folder::temporary("example")?;
/// let path = folder.path().join("result.txt");
/// let mut output = prophet_files::Output::create(&path)?;
/// output.write_all(b"42\n")?;
/// assert!(!path.exists());
/// output.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "42\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Output {
    file: File,
    goal: Goal,
}

#[derive(Debug)]
enum Goal {
    /// Writes directly to the user's file.
    Through,
    /// The temporary file is going to replace an existing file or become a new one.
    Replace(Aside, PathBuf),
    /// The content of the temporary file is going to be copied to an existing file.
    Copy(Aside, Place),
    /// The temporary file is going to be removed.
    Nothing(Aside),
}

impl Output {
    /// Starts writing `path`. If it isn't a regular file but, for example, a device or FIFO, bytes
    /// are written to it immediately.
    ///
    /// # Errors
    ///
    /// Returns an error if the system doesn't allow writing the file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let place = Place::of(path)?;
        match place.stream()? {
            Some(file) => Ok(Self {
                file,
                goal: Goal::Through,
            }),
            None => Self::spooled_to(place),
        }
    }

    /// Starts writing `path`. Nothing is written to it before [`commit`](Self::commit), no matter
    /// what `path` is, so you can start over, or read the content.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`create`](Self::create).
    pub fn spooled(path: &Path) -> io::Result<Self> {
        Self::spooled_to(Place::of(path)?)
    }

    fn spooled_to(place: Place) -> io::Result<Self> {
        let goal = match place {
            Place::File(target, there) => {
                if there.is_some() {
                    // Users who aren't allowed to write the file aren't allowed to replace it
                    // either.
                    File::options().write(true).open(&target)?;
                }
                let aside = Aside::beside(&target).map_err(|it| no_folder(it, &target))?;
                if let Some(there) = there {
                    keep_access(aside.file(), &there)?;
                }
                Goal::Replace(aside, target)
            }
            stream => Goal::Copy(Aside::scratch(&std::env::temp_dir())?, stream),
        };
        Self::of(goal)
    }

    /// Creates a temporary file for this process only, on the same disk as `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn scratch(path: &Path) -> io::Result<Self> {
        let aside = match Place::of(path)? {
            Place::File(target, _) => {
                Aside::scratch(folder(&target)).map_err(|it| no_folder(it, &target))?
            }
            Place::Stream(_) | Place::Descriptor(..) => Aside::scratch(&std::env::temp_dir())?,
        };
        Self::of(Goal::Nothing(aside))
    }

    fn of(goal: Goal) -> io::Result<Self> {
        let (Goal::Replace(aside, _) | Goal::Copy(aside, _) | Goal::Nothing(aside)) = &goal else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let file = aside.file().try_clone()?;
        Ok(Self { file, goal })
    }

    /// Puts the complete content in place. You can read the returned file, unless it was written
    /// directly.
    ///
    /// # Errors
    ///
    /// Returns an error if the content can't be written, for example because the disk is full. In
    /// this case, the old content remains, unless the file was written directly.
    pub fn commit(self) -> io::Result<File> {
        let mut file = self.file;
        file.flush()?;
        match self.goal {
            Goal::Through | Goal::Nothing(_) => {}
            Goal::Replace(aside, target) => {
                // Some systems report a full disk only now.
                file.sync_all()?;
                aside.replace(&target)?;
            }
            Goal::Copy(_, place) => {
                file.rewind()?;
                if let Some(mut stream) = place.stream()? {
                    io::copy(&mut file, &mut stream)?;
                    stream.flush()?;
                }
            }
        }
        Ok(file)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Names the folder that is missing, if that is why a file can't be created.
fn no_folder(error: io::Error, file: &Path) -> io::Error {
    let Some(folder) = missing_folder(file) else {
        return error;
    };
    let why = format!("there is no folder {}; create it first", folder.display());
    io::Error::new(error.kind(), why)
}

/// Writes `content` to `path`. See [`Output`].
///
/// # Errors
///
/// Returns an error if the file can't be written.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(content.as_ref())?;
    output.commit().map(drop)
}

/// Writes a file like [`write()`], for commands.
///
/// # Errors
///
/// Returns a problem that names the file.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Problem> {
    write(path, content).cannot("write", path.display())
}

/// Gives a new file the access rights of the file that it replaces.
#[cfg(unix)]
pub(crate) fn keep_access(file: &File, there: &Metadata) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (there.uid(), there.gid()) {
        // Only root can change the owner. Otherwise, the file now belongs to the user who writes
        // it.
        let _ = fchown(file, Some(there.uid()), Some(there.gid()));
    }
    file.set_permissions(Permissions::from_mode(there.mode() & 0o777))
}

#[cfg(not(unix))]
pub(crate) fn keep_access(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
