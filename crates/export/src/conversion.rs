//! Converts traces to other formats, and summarizes them.

mod csv;
mod devices;
mod error;
mod json;
mod names;
mod otf2;
mod paje;
mod parquet;
mod pti;
mod summary;
mod timeline;
mod xml;

use std::io::{BufWriter, IntoInnerError};
use std::path::Path;

use prophet_files::{Inputs, Output};
use prophet_trace::TraceReader;

use crate::format::TraceFormat;
pub use error::ExportError;
pub use summary::TraceSummary;

type Input = TraceReader;

/// Converts the trace in the file `from`, and writes it to the file `to`.
///
/// # Errors
///
/// Returns an error if the trace can't be read or the output can't be written. In that case, `to`
/// keeps its old content.
pub fn export(from: &Path, format: TraceFormat, to: &Path) -> Result<(), ExportError> {
    convert(from, (format, true), to)
}

/// Exports a trace like [`export`], but omits what hardware models add.
///
/// # Errors
///
/// Returns the same errors as [`export`].
pub fn export_plain(from: &Path, format: TraceFormat, to: &Path) -> Result<(), ExportError> {
    convert(from, (format, false), to)
}

/// Writes a trace in this format. If `extensions` is `true`, includes what hardware models add.
fn convert(
    from: &Path,
    (format, extensions): (TraceFormat, bool),
    to: &Path,
) -> Result<(), ExportError> {
    let mut input = open(from)?;
    let inputs = Inputs::from_iter([from]);
    inputs
        .refuse([("--out", to)])
        .map_err(|why| ExportError::new(why.to_string()))?;
    let place = |error: ExportError| ExportError::new(format!("{}: {error}", to.display()));
    if format == TraceFormat::Otf2 {
        return otf2::write(&mut input, to).map_err(place);
    }
    let file = Output::create(to).map_err(|error| place(error.into()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = match format {
        TraceFormat::Perfetto | TraceFormat::Chrome | TraceFormat::Otf2 => {
            json::write(&mut input, extensions, &mut out)
        }
        TraceFormat::Paje => paje::write(&mut input, &mut out),
        TraceFormat::Csv => csv::write(&mut input, &mut out),
        TraceFormat::Parquet => parquet::write(&mut input, &mut out),
        TraceFormat::PtiXml => pti::write(&mut input, extensions, &mut out),
    };
    let whole = written.and_then(|()| Ok(out.into_inner().map_err(IntoInnerError::into_error)?));
    let ended = whole.and_then(|output| Ok(output.commit()?));
    ended.map(drop).map_err(place)
}

fn open(path: &Path) -> Result<Input, ExportError> {
    let place = |error| ExportError::new(format!("{}: {error}", path.display()));
    let file = prophet_files::open(path).map_err(|why| ExportError::new(why.message))?;
    TraceReader::new(file).map_err(place)
}
