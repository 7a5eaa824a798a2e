//! The result of a run in a file, for programs that keep it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::report::Report;

/// Writes a result as JSON on one line; all of it, or the file stays as it was.
pub(super) fn write(path: &Path, report: &Report<'_>) -> io::Result<()> {
    // Beside the file, so that the last step is nothing but a new name.
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(name);
    let file = File::create_new(&beside)?;
    let written = fill(file, report).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What went wrong is told; that this may fail as well is no news.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn fill(file: File, report: &Report<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    report.write_record(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()
}
