//! Supported formats.

use std::io::{BufWriter, IntoInnerError};
use std::path::Path;
use std::str::FromStr;

use prophet_files::{Output, is_same_file};
use prophet_trace::Reader;

use crate::{ExportError, csv, json, otf2, paje, parquet};

/// A trace being read.
pub(crate) type Input = Reader;

/// Format of an exported trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The JSON of trace events, for Perfetto.
    Perfetto,
    /// The JSON of trace events, for Chrome's `about:tracing`.
    Chrome,
    /// Pajé's, for `ViTE` and pajeng.
    Paje,
    /// A folder in the Open Trace Format 2, for Vampir, Scalasca and Cube.
    Otf2,
    /// Comma-separated values.
    Csv,
    /// A Parquet file.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Perfetto,
        Self::Chrome,
        Self::Paje,
        Self::Otf2,
        Self::Csv,
        Self::Parquet,
    ];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perfetto => "perfetto",
            Self::Chrome => "chrome",
            Self::Paje => "paje",
            Self::Otf2 => "otf2",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

impl FromStr for Format {
    type Err = ExportError;

    fn from_str(text: &str) -> Result<Self, ExportError> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            ExportError::new(format!("there is no format `{text}`, but {names}"))
        })
    }
}

/// Writes the trace at `from` in a format to `to`.
///
/// # Errors
///
/// The trace cannot be read, or the output cannot be written. Then the old content of `to` remains.
pub fn export(from: &Path, format: Format, to: &Path) -> Result<(), ExportError> {
    let mut input = open(from)?;
    if is_same_file(from, to) {
        return Err(ExportError::new("--out is the trace itself"));
    }
    let place = |error: ExportError| ExportError::new(format!("{}: {error}", to.display()));
    if format == Format::Otf2 {
        return otf2::write(&mut input, to).map_err(place);
    }
    let file = Output::create(to).map_err(|error| place(error.into()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = match format {
        Format::Perfetto | Format::Chrome | Format::Otf2 => json::write(&mut input, &mut out),
        Format::Paje => paje::write(&mut input, &mut out),
        Format::Csv => csv::write(&mut input, &mut out),
        Format::Parquet => parquet::write(&mut input, &mut out),
    };
    let whole = written.and_then(|()| Ok(out.into_inner().map_err(IntoInnerError::into_error)?));
    let ended = whole.and_then(|output| Ok(output.commit()?));
    ended.map(drop).map_err(place)
}

/// Opens a trace.
pub(crate) fn open(path: &Path) -> Result<Input, ExportError> {
    let place = |error| ExportError::new(format!("{}: {error}", path.display()));
    Reader::open(path).map_err(place)
}
