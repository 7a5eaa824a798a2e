//! Stores files in memory, for programs in web pages.

use std::fs::{self, Metadata};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prophet_text::{Context as _, Problem};

/// A file in memory, without a name. Clones share its content and position, like clones of an open
/// file.
#[derive(Debug, Default)]
pub struct File(Arc<Mutex<Cursor<Vec<u8>>>>);

impl File {
    /// Returns another handle to the file.
    ///
    /// # Errors
    ///
    /// Never returns an error, unlike for files on disk.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    fn content(&self) -> MutexGuard<'_, Cursor<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for File {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.content().read(bytes)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.content().seek(to)
    }
}

/// A file that is being written. It can't have a name.
#[derive(Debug)]
pub struct Output(File);

impl Output {
    /// Files with a name aren't supported.
    ///
    /// # Errors
    ///
    /// Always returns an error.
    pub fn create(_: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Files with a name aren't supported.
    ///
    /// # Errors
    ///
    /// Always returns an error.
    pub fn spooled(path: &Path) -> io::Result<Self> {
        Self::create(path)
    }

    /// Creates a file for this process only.
    ///
    /// # Errors
    ///
    /// Never returns an error, unlike for files on disk.
    pub fn scratch(_: &Path) -> io::Result<Self> {
        Ok(Self(File::default()))
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Never returns an error, unlike for files on disk.
    pub fn commit(self) -> io::Result<File> {
        Ok(self.0)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Files with a name aren't supported.
///
/// # Errors
///
/// Always returns an error.
pub fn write(path: &Path, _: impl AsRef<[u8]>) -> io::Result<()> {
    Output::create(path).map(drop)
}

/// Files with a name aren't supported.
///
/// # Errors
///
/// Always returns an error.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Problem> {
    write(path, content).cannot("write", path.display())
}

pub(crate) fn keep_access(_: &fs::File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
