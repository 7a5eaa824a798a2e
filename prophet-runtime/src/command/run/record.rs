//! Result of a run in a file, for programs that keep it.

use std::io::{self, BufWriter};
use std::path::Path;

use prophet_files::Output;

use crate::command::report::Report;

/// Writes a whole result as JSON on one line; on failure, the file is unchanged.
pub(super) fn write(path: &Path, report: &Report<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(Output::create(path)?);
    report.write_record(&mut out)?;
    out.into_inner()?.commit().map(drop)
}
