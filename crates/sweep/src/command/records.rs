//! Writes the full results of all points, in the format in which a repository stores them.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use prophet_text::{Context as _, Problem, counted};

use crate::evaluate::{Evaluate, in_order};

use crate::terminal::{Progress, listen};

/// Writes each point's results as `run --record` does, one point per line. Either the whole file is
/// written or nothing. Returns `true` if all points are done.
///
/// Rows contain only a few numbers from each result, so each point is evaluated once more.
pub(crate) fn write(path: &Path, sweep: &dyn Evaluate, jobs: usize) -> Result<bool, Problem> {
    let mut file = prophet_files::Output::create(path).cannot("write", path.display())?;
    let mut out = BufWriter::new(&mut file);
    let handle = listen();
    let points = sweep.space().points();
    let work = |index| {
        let record = sweep.record(index, &handle);
        (!handle.is_stopped()).then_some(record)
    };
    let (mut written, mut missing) = (Ok(()), 0_u64);
    let mut progress = Progress::new(points);
    let goes_on = || !handle.is_stopped();
    in_order(0..points, jobs, goes_on, work, |text| {
        progress.count();
        match text.flatten() {
            Some(text) if written.is_ok() => written = out.write_all(&text),
            Some(_) => handle.stop(),
            None => missing += 1,
        }
    });
    progress.clear();
    written
        .and_then(|()| out.flush())
        .cannot("write", path.display())?;
    drop(out);
    if handle.is_stopped() {
        prophet_text::tell!("interrupted: {} was not written", path.display());
        return Ok(false);
    }
    if missing > 0 {
        let missing = counted(missing, "point", "points");
        prophet_text::tell!(
            "note: {missing} without a result omitted from {}",
            path.display()
        );
    }
    file.commit().map(drop).cannot("write", path.display())?;
    Ok(true)
}
