//! Result of a run in a file, for programs that keep it.

use std::io::{self, BufWriter};
use std::path::Path;

use prophet_files::Output;

use crate::command::report::Report;

/// Writes a result as JSON on one line; all of it, or the file remains as it was.
pub(super) fn write(path: &Path, report: &Report<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(Output::create(path)?);
    report.write_record(&mut out)?;
    out.into_inner()?.commit().map(drop)
}
