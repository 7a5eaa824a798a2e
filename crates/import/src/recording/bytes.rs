//! Reads numbers and strings from a rank's file.

use std::io::Read as _;
use std::path::Path;

use crate::lines::Part;

const TEXT_MAX: u64 = 1 << 16;

/// Why bytes can't be read as a record.
#[derive(Debug)]
pub(super) enum Flaw {
    /// The file ends inside a record.
    Cut,
    /// The bytes are invalid or can't be read.
    Wrong(String),
}

impl Flaw {
    pub(super) fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}

/// A file's bytes. The file is open only during each read.
#[derive(Debug)]
pub(super) struct Bytes {
    part: Part,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
}

impl Bytes {
    /// Reads a file, `buffer` bytes at a time.
    pub(super) fn of(path: &Path, buffer: usize) -> Self {
        Self {
            part: Part::all(path),
            buffer: vec![0; buffer].into(),
            at: 0,
            end: 0,
        }
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, Flaw> {
        if self.at == self.end {
            self.fill()?;
        }
        let byte = self.buffer[self.at];
        self.at += 1;
        Ok(byte)
    }

    #[cold]
    fn fill(&mut self) -> Result<(), Flaw> {
        let read = self.part.read(&mut self.buffer);
        let read = read.map_err(|error| Flaw::Wrong(error.to_string()))?;
        if read == 0 {
            return Err(Flaw::Cut);
        }
        (self.at, self.end) = (0, read);
        Ok(())
    }

    #[inline]
    pub(super) fn count(&mut self) -> Result<u64, Flaw> {
        let mut number = 0;
        for shift in (0..).step_by(7).take(10) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(Flaw::wrong("a number has more than 64 bits"))
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<i64, Flaw> {
        let number = self.count()?;
        Ok((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
    }

    pub(super) fn text(&mut self) -> Result<String, Flaw> {
        let length = self.count()?;
        if length > TEXT_MAX {
            return Err(Flaw::wrong(format!("a text of {length} bytes is too long")));
        }
        let bytes = (0..length).map(|_| self.byte());
        let bytes = bytes.collect::<Result<Vec<u8>, Flaw>>()?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Consumes `text` if it comes next in the file. Returns whether it does.
    pub(super) fn begins_with(&mut self, text: &[u8]) -> Result<bool, Flaw> {
        for expected in text {
            match self.byte() {
                Ok(byte) if byte == *expected => {}
                Ok(_) | Err(Flaw::Cut) => return Ok(false),
                Err(flaw) => return Err(flaw),
            }
        }
        Ok(true)
    }
}
