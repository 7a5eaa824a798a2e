//! Rows as files: CSV, JSON Lines and Parquet.

mod columns;
mod csv;
mod keeping;
mod lines;
mod parquet;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use prophet_text::{Context as _, Problem, problem};

use crate::evaluate::SweepRow;

use clap::ValueEnum;
pub(crate) use columns::{Columns, RowWriter, metrics_beside};
pub(crate) use keeping::Keeping;

pub(crate) type Take<'t> = &'t mut dyn FnMut(&SweepRow) -> io::Result<()>;

/// Ignores a reader that closes the output early (`| head`), but not a full disk.
///
/// # Errors
///
/// Another reason why the rows could not be written.
pub fn told(written: io::Result<()>) -> Result<(), Problem> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.cannot("write", "the rows"),
    }
}

/// Refuses `--json` where nothing is to be found, and `--format` where no rows are written.
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

/// Makes the writer of a format.
///
/// # Errors
///
/// If the output cannot be written.
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

/// Writes a file of rows: all of it, or nothing.
///
/// # Errors
///
/// The reason why the file could not be written, with its name.
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
    /// The format of a file by its name.
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
