//! Writes rows as CSV, JSON Lines and Parquet.

mod columns;
mod csv;
mod keeping;
mod lines;
mod parquet;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use prophet_files::check_ending;
use prophet_text::{Context as _, Problem, problem};

use crate::evaluate::SweepRow;

use clap::ValueEnum;
pub(crate) use columns::{Columns, RowWriter, metrics_beside};
pub(crate) use keeping::Keeping;

pub(crate) type Take<'t> = &'t mut dyn FnMut(&SweepRow) -> io::Result<()>;

/// Ignores an error that occurred because the reader closed the output early (as in `| head`).
///
/// # Errors
///
/// Returns an error if the rows couldn't be written for another reason.
pub fn told(written: io::Result<()>) -> Result<(), Problem> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the rows"),
    }
}

/// Rejects `--json` without goals, and `--format` without rows.
pub(crate) fn check_words(
    has_goals: bool,
    json: bool,
    format: Option<Format>,
) -> Result<(), Problem> {
    if has_goals && format.is_some() {
        return Err("--format applies to rows in a file: add --out FILE".into());
    }
    if json && !has_goals {
        return Err(problem!(
            "--json needs --minimize, --pareto or --sensitivity, because it prints what they find; \
                    for rows, use --format jsonl"
        ));
    }
    Ok(())
}

/// Creates a writer for rows in a format.
///
/// # Errors
///
/// Returns an error if the output can't be written.
pub fn writer<'o>(
    format: Format,
    columns: Columns,
    out: impl Write + 'o,
) -> io::Result<Box<dyn RowWriter + 'o>> {
    Ok(match format {
        Format::Csv => Box::new(csv::Csv::new(columns, out)),
        Format::Jsonl => Box::new(lines::JsonLines::new(columns, out)),
        Format::Parquet => Box::new(parquet::Parquet::new(columns, out)?),
    })
}

/// Writes a file of rows, either completely or not at all.
///
/// # Errors
///
/// Returns an error with the file's name if the file can't be written.
pub fn commit(
    path: &Path,
    format: Format,
    columns: Columns,
    write: impl FnOnce(&mut dyn RowWriter) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut file = prophet_files::Output::create(path).cannot("write", path.display())?;
    let out = BufWriter::new(&mut file);
    let mut writer = self::writer(format, columns, out).cannot("write", path.display())?;
    write(&mut *writer)?;
    writer.finish().cannot("write", path.display())?;
    drop(writer);
    file.commit().map(drop).cannot("write", path.display())
}

/// Format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Comma-separated values, with a header
    Csv,
    /// JSON Lines, one object per row
    Jsonl,
    /// Parquet, for data frames
    Parquet,
}

impl Format {
    /// Returns the format of a file: the given one, or else the one that its name implies.
    pub(crate) fn choose(given: Option<Self>, out: Option<&Path>) -> Result<Self, Problem> {
        if let Some(format) = given.or_else(|| Self::of(out?)) {
            return Ok(format);
        }
        let endings = ["csv", "jsonl", "ndjson", "parquet", "dat", "txt"];
        let what = "rows as CSV, JSON Lines (.jsonl) or Parquet";
        out.map_or(Ok(()), |it| check_ending("--out", it, what, &endings))?;
        Ok(Self::Csv)
    }

    /// Returns the format that the extension of the file's name implies, if any.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}
