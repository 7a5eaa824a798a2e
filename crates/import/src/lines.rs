//! Reads the lines in a part of a file. The file is open only during each read, because a trace can
//! have more ranks than a process may open files.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

/// Length of the longest line in bytes. This is enough for an `alltoallv` of a million ranks.
const LINE_MAX: usize = 64 << 20;

#[derive(Debug)]
pub(crate) struct Lines {
    part: BufReader<Part>,
    line: Vec<u8>,
    number: u64,
}

#[derive(Debug)]
pub(crate) struct Part {
    path: PathBuf,
    bytes: Range<u64>,
}

impl Part {
    pub(crate) fn all(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            bytes: 0..u64::MAX,
        }
    }
}

impl Read for Part {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.bytes.end - self.bytes.start).unwrap_or(usize::MAX);
        let want = left.min(into.len());
        if want == 0 {
            return Ok(0);
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.bytes.start))?;
        let got = file.read(&mut into[..want])?;
        self.bytes.start += got as u64;
        Ok(got)
    }
}

impl Lines {
    /// Reads a part of a file, `buffer` bytes at a time. There are `before` lines before it.
    pub(crate) fn of(path: &Path, bytes: Range<u64>, before: u64, buffer: usize) -> Self {
        let path = path.to_owned();
        Self {
            part: BufReader::with_capacity(buffer, Part { path, bytes }),
            line: Vec::new(),
            number: before,
        }
    }

    pub(crate) fn all(path: &Path, buffer: usize) -> Self {
        Self::of(path, 0..u64::MAX, 0, buffer)
    }

    /// Reads the next line. Returns `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, Problem> {
        self.line.clear();
        let mut limited = (&mut self.part).take(LINE_MAX as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.line);
        self.number += 1;
        match read {
            Err(why) => Err(Problem::unread(&self.part.get_ref().path, why)),
            Ok(0) => Ok(false),
            Ok(_) if self.line.len() > LINE_MAX => Err(self.problem("the line is too long")),
            Ok(_) if std::str::from_utf8(&self.line).is_err() => {
                Err(self.problem("the line is not text"))
            }
            Ok(_) => Ok(true),
        }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.line).unwrap_or_default()
    }

    /// Returns the length of the line in bytes, including the newline.
    pub(crate) fn bytes(&self) -> u64 {
        self.line.len() as u64
    }

    /// Returns the line's number, counted from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::at(&self.part.get_ref().path, self.number, message)
    }
}
