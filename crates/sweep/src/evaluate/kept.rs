//! Keeps the rows of an interrupted or partial sweep in a file until the sweep is complete.
//!
//! The first line names the sweep and the range of its points. Every other line contains a digest
//! and some rows. Incomplete lines are ignored, and changed lines are detected.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::row::{METRICS, PointResults};

/// First word of the file. It includes the version of the format.
const MAGIC: &str = "prophet-sweep-2";
const LINE_ROWS: usize = 256;
/// Maximum length of a line in bytes, far above what rows need.
const LINE_BYTES_MAX: u64 = 64 << 20;

/// What is kept about a point: its results, or the reason why it has none.
type KeptFinding = Result<PointResults, String>;

/// Writes the rows of an unfinished sweep to a file.
#[derive(Debug)]
pub struct KeptWriter<W> {
    out: W,
    line: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Found(Box<[Option<f64>; METRICS.len()]>, Option<f64>, u64),
    Failed(String),
}

impl<W: Write> KeptWriter<W> {
    /// Starts a file for a range of points of the sweep with this [identity](crate::identity()).
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn begin(mut out: W, identity: &str, range: &Range<u64>) -> io::Result<Self> {
        writeln!(out, "{MAGIC} {identity} {} {}", range.start, range.end)?;
        out.flush()?;
        Ok(Self::resume(out))
    }

    /// Continues a file. `out` must be at the end of the last complete line.
    pub fn resume(out: W) -> Self {
        let line = Vec::new();
        Self { out, line }
    }

    /// Adds the next row. Rows are written in groups; call [`Self::flush`] to write the last group.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn add(&mut self, found: &KeptFinding) -> io::Result<()> {
        self.line.push(Entry::of(found));
        if self.line.len() >= LINE_ROWS {
            return self.flush();
        }
        Ok(())
    }

    /// Writes all added rows.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        let rows = serde_json::to_string(&self.line)?;
        self.line.clear();
        // Write the line in one piece, so that lines are rarely incomplete.
        let line = format!("{} {rows}\n", digest(&rows));
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}

impl Entry {
    fn of(found: &KeptFinding) -> Self {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        match found {
            Ok(found) => {
                let metrics = found.metrics.map(finite);
                Self::Found(Box::new(metrics), finite(found.half_width_s), found.seeds)
            }
            Err(message) => Self::Failed(message.clone()),
        }
    }

    fn found(self) -> KeptFinding {
        match self {
            Self::Found(metrics, half_width_s, seeds) => Ok(PointResults {
                metrics: metrics.map(|metric| metric.unwrap_or(f64::NAN)),
                half_width_s: half_width_s.unwrap_or(f64::NAN),
                seeds,
            }),
            Self::Failed(message) => Err(message),
        }
    }
}

/// Why the rows of an unfinished sweep can't be used.
#[derive(Debug)]
pub enum KeptError {
    Read(io::Error),
    /// A file that contains no kept rows.
    Foreign,
    /// The rows of a different sweep: its points, model or program version differ.
    Other,
    /// The line with this number was changed, or belongs to a different file.
    Damaged(usize),
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Foreign => f.write_str("does not contain rows of a sweep"),
            Self::Other => f.write_str(
                "contains rows of another sweep, with other points, another model or another \
                 version",
            ),
            Self::Damaged(line) => write!(f, "was changed after it was written, in line {line}"),
        }
    }
}

impl std::error::Error for KeptError {}

/// Reads the rows of an unfinished sweep, one by one.
#[derive(Debug)]
pub struct KeptReader<R> {
    input: R,
    range: Range<u64>,
    /// Number of the last line read, counted from 1.
    line: usize,
    /// Offset of the end of the line, in bytes.
    place: u64,
    rows: std::vec::IntoIter<Entry>,
    count: u64,
}

impl<R: BufRead> KeptReader<R> {
    /// Opens a file of rows from the sweep with this [identity](crate::identity()).
    ///
    /// # Errors
    ///
    /// Returns an error if `input` contains the rows of a different sweep, or isn't a file of rows.
    pub fn open(input: R, identity: &str) -> Result<Self, KeptError> {
        let mut reader = Self {
            input,
            range: 0..0,
            line: 0,
            place: 0,
            rows: Vec::new().into_iter(),
            count: 0,
        };
        let heading = reader.next_line()?.ok_or(KeptError::Foreign)?;
        let words: Vec<&str> = heading.split(' ').collect();
        let [MAGIC, of, start, end] = words[..] else {
            return Err(KeptError::Foreign);
        };
        if of != identity {
            return Err(KeptError::Other);
        }
        let number = |text: &str| text.parse().map_err(|_| KeptError::Damaged(1));
        reader.range = number(start)?..number(end)?;
        Ok(reader)
    }

    /// Returns the range of points that the rows belong to.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns how many rows have been read so far.
    pub fn given(&self) -> u64 {
        self.count
    }

    /// Returns the byte offset of the end of the last complete line read.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Reads the next complete line; returns `None` at the end.
    fn next_line(&mut self) -> Result<Option<String>, KeptError> {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut self.input, LINE_BYTES_MAX);
        limited
            .read_until(b'\n', &mut line)
            .map_err(KeptError::Read)?;
        if line.last() != Some(&b'\n') {
            // Writing stopped within the line.
            return Ok(None);
        }
        self.line += 1;
        self.place += line.len() as u64;
        line.pop();
        let line = String::from_utf8(line).map_err(|_| KeptError::Damaged(self.line))?;
        Ok(Some(line))
    }

    fn next_row(&mut self) -> Result<Option<KeptFinding>, KeptError> {
        loop {
            if let Some(row) = self.rows.next() {
                if self.count >= self.range.end - self.range.start {
                    return Err(KeptError::Damaged(self.line));
                }
                self.count += 1;
                return Ok(Some(row.found()));
            }
            let Some(line) = self.next_line()? else {
                return Ok(None);
            };
            let damaged = KeptError::Damaged(self.line);
            let rows = match line.split_once(' ') {
                Some((known, rows)) if known == digest(rows) => rows,
                _ => return Err(damaged),
            };
            let rows: Vec<Entry> = serde_json::from_str(rows).map_err(|_| damaged)?;
            self.rows = rows.into_iter();
        }
    }
}

impl<R: BufRead> Iterator for KeptReader<R> {
    type Item = Result<KeptFinding, KeptError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}

fn digest(rows: &str) -> String {
    super::identity::hex(&Sha256::digest(rows)[..8])
}

#[cfg(test)]
mod tests;
