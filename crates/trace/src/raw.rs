//! Reads bytes from a file that may be damaged, and reports any damage.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Seek};

use crate::batch::read_buffer;
use crate::columns::{BATCH_ROWS, Column, FORMAT, row_bytes};
use crate::flat::Malformed;
use crate::lz4;
use crate::metadata::{Batch, Buffer};

/// Maximum size of the metadata of a file or batch, in bytes.
const METADATA_MAX: u64 = 1 << 30;

/// Why a file can't be read as a trace. Print this error after the file's name and a colon.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    /// The file isn't a trace. The text says what it is.
    Foreign(&'static str),
    /// The file starts like a trace, but its end is missing.
    Truncated,
    /// The version of the trace format isn't supported.
    Version(u32),
    /// The file contradicts itself.
    Damaged(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign(what) => write!(f, "this is not a trace of Performance Prophet: {what}"),
            Self::Truncated => f.write_str(
                "the trace is cut off: its end is missing, perhaps because the run that wrote it \
                 was killed or the disk was full",
            ),
            Self::Version(version) => write!(
                f,
                "the trace has format version {version}, but this program reads versions 2 to \
                 {FORMAT}"
            ),
            Self::Damaged(what) => write!(f, "the trace is damaged: {what}"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            _ => Self::Io(error),
        }
    }
}

impl From<Malformed> for ReadError {
    fn from(_: Malformed) -> Self {
        Self::Damaged("its metadata cannot be read".to_owned())
    }
}

pub(crate) trait Source: Read + Seek + fmt::Debug {}

impl<S: Read + Seek + fmt::Debug> Source for S {}

/// Checks that a batch has these columns, and no more bytes than its rows can take.
pub(crate) fn check_batch(batch: &Batch, body: u64, columns: &[Column]) -> Result<(), ReadError> {
    let rows = usize::try_from(batch.rows)
        .ok()
        .filter(|rows| *rows <= BATCH_ROWS);
    let rows = rows.ok_or_else(|| damaged(format!("it has more than {BATCH_ROWS} rows")))?;
    if batch.nodes.len() != columns.len() || batch.buffers.len() != 2 * columns.len() {
        return Err(damaged("it has different columns"));
    }
    let row_bytes = row_bytes(columns);
    if body > 2 * (rows * (row_bytes + 2) + 192 * columns.len()) as u64 {
        return Err(damaged("it is too long for its rows"));
    }
    if ((rows * row_bytes).div_ceil(lz4::RATIO_MAX) as u64) > body {
        return Err(damaged(format!("it is too short for {rows} rows")));
    }
    Ok(())
}

pub(crate) fn damaged(what: impl Into<String>) -> ReadError {
    ReadError::Damaged(what.into())
}

/// Reads `length` bytes. They must exist.
pub(crate) fn read(file: &mut dyn Source, length: u64) -> Result<Vec<u8>, ReadError> {
    if length > METADATA_MAX {
        return Err(damaged("its metadata is too long"));
    }
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        Ok(bytes)
    } else {
        Err(ReadError::Truncated)
    }
}

/// Reads the buffers of a batch, one after another.
pub(crate) struct Slices<'a> {
    body: &'a [u8],
    /// End of the previous buffer.
    end: usize,
}

impl<'a> Slices<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Self {
        Self { body, end: 0 }
    }

    /// Returns the content of the next buffer, or an error if it has fewer than `least` bytes.
    pub(crate) fn next(
        &mut self,
        [start, length]: Buffer,
        least: usize,
    ) -> Result<Cow<'a, [u8]>, &'static str> {
        let start = usize::try_from(start).ok();
        let end = start.zip(usize::try_from(length).ok());
        let end = end.and_then(|(start, length)| start.checked_add(length));
        let (Some(start), Some(end)) = (start, end) else {
            return Err("is too short");
        };
        if start < self.end && start < end {
            return Err("overlaps another part");
        }
        self.end = self.end.max(end);
        let buffer = self.body.get(start..end).ok_or("is too short")?;
        read_buffer(buffer, least).ok_or("is too short")
    }
}
