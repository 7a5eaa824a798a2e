//! Rows of an interrupted sweep, or of a part of a sweep, kept in a file until all rows are
//! complete.
//!
//! The first line names the sweep and the range of its points. Each further line has some rows,
//! after a digest of them: a line that was not written to its end does not count, and a line that
//! was changed is found.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::row::{METRICS, PointResults};

/// First word of the file: the version of its format.
const MAGIC: &str = "prophet-sweep-2";
const LINE_ROWS: usize = 256;
/// Longest line: far more than any rows take.
const LINE_BYTES_MAX: u64 = 64 << 20;

/// Finding at a point, as kept: the results and the seeds, or why it has no results.
type KeptFinding = Result<PointResults, String>;

/// Writer of rows to keep.
#[derive(Debug)]
pub struct KeptWriter<W> {
    out: W,
    line: Vec<Entry>,
}

/// The row of a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Found(Box<[Option<f64>; METRICS.len()]>, Option<f64>, u64),
    Failed(String),
}

impl<W: Write> KeptWriter<W> {
    /// Begins a file with the points of a range of the sweep of that [identity](crate::identity()).
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn begin(mut out: W, identity: &str, range: &Range<u64>) -> io::Result<Self> {
        writeln!(out, "{MAGIC} {identity} {} {}", range.start, range.end)?;
        out.flush()?;
        Ok(Self::resume(out))
    }

    /// Goes on with a file, at the end of its last whole line.
    pub fn resume(out: W) -> Self {
        let line = Vec::new();
        Self { out, line }
    }

    /// Adds the next row.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn add(&mut self, found: &KeptFinding) -> io::Result<()> {
        self.line.push(Entry::of(found));
        if self.line.len() >= LINE_ROWS {
            return self.flush();
        }
        Ok(())
    }

    /// Writes the rows that were added.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        let rows = serde_json::to_string(&self.line)?;
        self.line.clear();
        // One write: a line is then seldom torn.
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

/// Reason why kept rows are of no use.
#[derive(Debug)]
pub enum KeptError {
    /// Rows that cannot be read.
    Read(io::Error),
    /// A file without kept rows.
    Foreign,
    /// Rows of another sweep: of other points, another model or another version.
    Other,
    /// A line was changed, or belongs to another file.
    Damaged(usize),
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Foreign => f.write_str("does not contain rows of a sweep"),
            Self::Other => f.write_str(
                "has rows of another sweep: with other points, another model or another version",
            ),
            Self::Damaged(line) => write!(f, "was changed after it was written, in line {line}"),
        }
    }
}

impl std::error::Error for KeptError {}

/// Reader of rows that were kept, one by one.
#[derive(Debug)]
pub struct KeptReader<R> {
    input: R,
    /// Points of the file.
    range: Range<u64>,
    /// Number of the last line that was read, from 1.
    line: usize,
    /// Place after the line, in bytes.
    place: u64,
    rows: std::vec::IntoIter<Entry>,
    /// Number of rows that were given.
    count: u64,
}

impl<R: BufRead> KeptReader<R> {
    /// Opens the rows of the sweep of that [identity](crate::identity()).
    ///
    /// # Errors
    ///
    /// Fails if the input has rows of another sweep, or no rows of a sweep.
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

    /// The points of the file, as far as they are there.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Number of rows that were given.
    pub fn given(&self) -> u64 {
        self.count
    }

    /// Place after the last whole line that was read, in bytes.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Reads the next whole line; `None` at the end.
    fn next_line(&mut self) -> Result<Option<String>, KeptError> {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut self.input, LINE_BYTES_MAX);
        limited
            .read_until(b'\n', &mut line)
            .map_err(KeptError::Read)?;
        if line.last() != Some(&b'\n') {
            // Writing ended within it.
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

/// Digest of the rows of a line.
fn digest(rows: &str) -> String {
    super::identity::hex(&Sha256::digest(rows)[..8])
}

#[cfg(test)]
mod tests;
