//! Keeps the rows of an unfinished sweep in a file next to the output file.
//!
//! The output file itself is created only when all rows are complete.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use prophet_text::{Context as _, Problem, counted, problem};

use crate::evaluate::{KeptReader, KeptWriter, PointResults, SweepRow};
use crate::space::Space;
use crate::terminal::now;

#[derive(Debug)]
pub(crate) struct Keeping {
    path: PathBuf,
    identity: String,
    range: Range<u64>,
    count: u64,
    writer: KeptWriter<File>,
    written: Instant,
}

/// Interval after which even a few rows are written, so that a power failure loses less.
const EVERY_S: f64 = 1.0;

impl Keeping {
    /// Opens the rows kept for an output file, or starts without any.
    pub(crate) fn open(output: &Path, identity: &str, range: Range<u64>) -> Result<Self, Problem> {
        let mut path = output.as_os_str().to_owned();
        path.push(".unfinished");
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).cannot("write", path.display())?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(problem!("another sweep is writing {}", output.display()));
            }
            Err(TryLockError::Error(error)) => Err(error).cannot("write", path.display())?,
            Ok(()) => {}
        }
        let count = count_kept_rows(&mut file, identity, &range).map_err(|problem| {
            problem!(
                "{} {problem}; remove it to start over, or choose another --out",
                path.display()
            )
        })?;
        let (count, writer) = if let Some(count) = count {
            (count, KeptWriter::resume(file))
        } else {
            let begun = file.set_len(0).and_then(|()| file.rewind());
            begun.cannot("write", path.display())?;
            (
                0,
                KeptWriter::begin(file, identity, &range).cannot("write", path.display())?,
            )
        };
        Ok(Self {
            path,
            identity: identity.to_owned(),
            range,
            count,
            writer,
            written: now(),
        })
    }

    pub(crate) fn missing(&self) -> Range<u64> {
        self.range.start + self.count..self.range.end
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn tell(&self) {
        if self.count > 0 {
            let known = counted(self.count, "row", "rows");
            prophet_text::tell!("note: {known} from an interrupted sweep already exist");
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn add(&mut self, found: &Result<PointResults, String>) -> io::Result<()> {
        self.count += 1;
        self.writer.add(found)?;
        if self.written.elapsed().as_secs_f64() > EVERY_S {
            self.written = now();
            return self.flush();
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    pub(crate) fn kept(
        &self,
    ) -> Result<impl Iterator<Item = Result<Result<PointResults, String>, Problem>>, Problem> {
        let path = &self.path;
        let told = move |problem: &dyn std::fmt::Display| problem!("{} {problem}", path.display());
        let file = File::open(path).map_err(|error| told(&error))?;
        let reader = KeptReader::open(BufReader::new(file), &self.identity);
        let reader = reader.map_err(|error| told(&error))?;
        Ok(reader.map(move |found| found.map_err(|error| told(&error))))
    }

    pub(crate) fn rows(
        &self,
        space: &Space,
        mut take: impl FnMut(&SweepRow) -> io::Result<()>,
    ) -> Result<(), Problem> {
        for (index, found) in self.range.clone().zip(self.kept()?) {
            let row = SweepRow {
                index,
                values: space.point(index),
                found: found?,
            };
            take(&row).cannot("write", "the rows")?;
        }
        Ok(())
    }

    /// Removes the file after its rows were stored elsewhere.
    pub(crate) fn remove(self) -> Result<(), Problem> {
        let removed = std::fs::remove_file(&self.path);
        removed.cannot("remove", self.path.display())
    }
}

/// Truncates a file after its last complete line, and returns the number of rows in it. Returns
/// `None` if the file is empty, or if its first line is incomplete.
fn count_kept_rows(
    file: &mut File,
    identity: &str,
    range: &Range<u64>,
) -> Result<Option<u64>, Problem> {
    let length = file.metadata().told()?.len();
    if length == 0 {
        return Ok(None);
    }
    let mut reader = KeptReader::open(BufReader::new(&*file), identity).told()?;
    if reader.range() != *range {
        return Err(crate::evaluate::KeptError::Other).told();
    }
    for row in reader.by_ref() {
        row.told()?.ok();
    }
    let (count, place) = (reader.given(), reader.place());
    let cut = file
        .set_len(place)
        .and_then(|()| file.seek(SeekFrom::Start(place)));
    cut.told()?;
    Ok(Some(count))
}
