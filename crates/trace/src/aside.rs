//! Creates unnamed files for data that can't be written to the trace yet.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use prophet_files::{File, Output};

const PART_BYTES: u64 = 1 << 20;

/// A file without a name, which disappears if this program is killed.
#[derive(Debug)]
pub(crate) struct Aside {
    file: File,
    length: u64,
}

impl Aside {
    /// Creates a file on the same disk as `path`.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = Output::scratch(path)?.commit()?;
        Ok(Self { file, length: 0 })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Reads `length` bytes that start at `start`. They must exist.
    pub(crate) fn read(&mut self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Passes the whole content to `put`, piece by piece.
    pub(crate) fn copy_to(
        &mut self,
        mut put: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut start = 0;
        while start < self.length {
            let length = (self.length - start).min(PART_BYTES);
            put(&self.read(start, usize::try_from(length).map_err(|_| lost())?)?)?;
            start += length;
        }
        Ok(())
    }
}

pub(crate) fn lost() -> io::Error {
    io::Error::other("cannot read the part of the trace that was set aside")
}
