//! Files of a program in a page of a browser: it has a memory alone.

use std::fs::{self, Metadata};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prophet_text::{Context as _, Problem};

/// A file without a name; clones share it, as clones of an open file do.
#[derive(Debug, Default)]
pub struct File(Arc<Mutex<Cursor<Vec<u8>>>>);

impl File {
    /// Another handle of the file.
    ///
    /// # Errors
    ///
    /// None: a file of the system may have some.
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

/// A file being written, which never gets a name.
#[derive(Debug)]
pub struct Output(File);

impl Output {
    /// Refuses to write a file with a name.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn create(_: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Refuses to write a file with a name.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn spooled(path: &Path) -> io::Result<Self> {
        Self::create(path)
    }

    /// Creates a file for this process alone.
    ///
    /// # Errors
    ///
    /// None: the system may have some.
    pub fn scratch(_: &Path) -> io::Result<Self> {
        Ok(Self(File::default()))
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// None: the system may have some.
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

/// Refuses to write a file with a name.
///
/// # Errors
///
/// Always.
pub fn write(path: &Path, _: impl AsRef<[u8]>) -> io::Result<()> {
    Output::create(path).map(drop)
}

/// Refuses to write a file, for commands.
///
/// # Errors
///
/// Always.
pub fn save(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Problem> {
    write(path, content).cannot("write", path.display())
}

pub(crate) fn keep_access(_: &fs::File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
