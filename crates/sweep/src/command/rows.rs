//! Evaluates points, and writes their rows to a file or to standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use crate::evaluate::{Evaluate, SweepRow};
use prophet_runtime::RunHandle;
use prophet_text::{Context as _, Problem, count, counted};

use crate::goal::{Bound, Evaluator, OpenGoals};
use crate::output::{self, Columns, Format, Keeping, told};
use crate::readers::{Readers, print};
use crate::study::SweepStudy;
use crate::terminal::{Progress, listen};

#[derive(Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) study: &'a (dyn SweepStudy + 'a),
    pub(crate) sweep: &'a (dyn Evaluate + 'a),
    pub(crate) bound: Option<Bound<'a>>,
    pub(crate) jobs: usize,
    pub(crate) out: Option<&'a Path>,
    pub(crate) format: Format,
    pub(crate) goals: String,
}

/// Returns `true` if a path is a stream, such as a pipe.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

impl Rows<'_> {
    pub(crate) fn write(&self, readers: &mut Readers) -> Result<bool, Problem> {
        let choose = readers.goals.as_ref().is_some_and(OpenGoals::choose_points);
        match self.out {
            _ if choose => self.chosen(readers),
            Some(path) if !is_stream(path) => self.to_file(path, readers),
            Some(path) => self.to_stream(open(path)?, readers),
            None if readers.goals.is_some() => self.to_nowhere(readers),
            None => self.to_stream(io::stdout().lock(), readers),
        }
    }

    fn to_nowhere(&self, readers: &mut Readers) -> Result<bool, Problem> {
        let handle = listen();
        let all = 0..self.study.space().points();
        told(self.evaluate(all, &handle, readers, |readers, row| {
            readers.take(row);
            Ok(())
        }))?;
        Ok(is_done(&handle))
    }

    fn to_stream(&self, out: impl Write, readers: &mut Readers) -> Result<bool, Problem> {
        let handle = listen();
        let writer = output::writer(self.format, self.columns(), BufWriter::new(out));
        let mut writer = writer.cannot("write", "the rows")?;
        let all = 0..self.study.space().points();
        let written = self.evaluate(all, &handle, readers, |readers, row| {
            readers.take(row);
            writer.row(row)
        });
        told(written.and_then(|()| writer.finish()))?;
        Ok(is_done(&handle))
    }

    /// Keeps rows until all of them are complete, then writes the file.
    fn to_file(&self, path: &Path, readers: &mut Readers) -> Result<bool, Problem> {
        let space = self.study.space();
        let identity = self.study.identity(self.sweep, None);
        let mut keeping = Keeping::open(path, &identity, 0..space.points())?;
        keeping.tell();
        let handle = listen();
        let missing = keeping.missing();
        let kept = self.evaluate(missing, &handle, readers, |_, row| keeping.add(&row.found));
        let kept = kept.and_then(|()| keeping.flush());
        kept.cannot("write", keeping.path().display())?;
        if handle.is_stopped() {
            let of = format!(" of {}", counted(space.points(), "row", "rows"));
            tell_kept(&keeping, &of);
            return Ok(false);
        }
        output::commit(path, self.format, self.columns(), |writer| {
            keeping.rows(space, |row| {
                readers.take(row);
                writer.row(row)
            })
        })?;
        keeping.remove()?;
        Ok(true)
    }

    /// Evaluates the points that goals choose, and keeps the rows until all of them are complete.
    fn chosen(&self, readers: &mut Readers) -> Result<bool, Problem> {
        let Readers { goals, page, .. } = readers;
        let Some(goals) = goals else { return Ok(true) };
        let file = self.out.filter(|path| !is_stream(path));
        let keep = |path| {
            let identity = self.study.identity(self.sweep, Some(&self.goals));
            Keeping::open(path, &identity, 0..goals.points_max())
        };
        let mut keeping = file.map(keep).transpose()?;
        keeping.iter().for_each(Keeping::tell);
        let handle = listen();
        let mut rows = Vec::new();
        let mut evaluator = Evaluator {
            sweep: self.sweep,
            bound: self.bound,
            jobs: self.jobs,
            handle: &handle,
            take: &mut |row| {
                if let Some(page) = page {
                    page.row(row);
                }
                rows.extend(self.out.map(|_| row.clone()));
                Ok(())
            },
            keeping: keeping.as_mut(),
        };
        evaluator.evaluate(goals)?;
        if handle.is_stopped() {
            let so_far: Vec<_> = goals.so_far().into_iter().collect();
            print(&so_far, false)?;
            match &keeping {
                Some(keeping) => tell_kept(keeping, ""),
                None => prophet_text::tell!("interrupted"),
            }
            return Ok(false);
        }
        let written = |writer: &mut dyn output::RowWriter| {
            let written = rows.iter().try_for_each(|row| writer.row(row));
            written.cannot("write", "the rows")
        };
        match (self.out, keeping) {
            (Some(path), Some(keeping)) => {
                output::commit(path, self.format, self.columns(), written)?;
                keeping.remove()?;
            }
            (Some(path), None) => {
                let out = BufWriter::new(open(path)?);
                let mut writer = output::writer(self.format, self.columns(), out)
                    .cannot("write", path.display())?;
                written(&mut *writer)?;
                writer.finish().cannot("write", path.display())?;
            }
            (None, _) => {}
        }
        Ok(true)
    }

    fn columns(&self) -> Columns {
        self.study.columns()
    }

    /// Evaluates points, and shows the progress on the terminal.
    fn evaluate(
        &self,
        range: Range<u64>,
        handle: &RunHandle,
        readers: &mut Readers,
        mut take: impl FnMut(&mut Readers, &SweepRow) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut progress = Progress::new(range.end - range.start);
        let mut taken = Ok(());
        let mut failed = 0_u64;
        self.sweep.evaluate(range, self.jobs, handle, |row| {
            failed += u64::from(row.found.is_err());
            progress.count();
            if taken.is_ok() {
                taken = take(readers, &row);
                if taken.is_err() {
                    handle.stop();
                }
            }
        });
        progress.clear();
        // Goals report failures themselves.
        if failed > 0 && readers.goals.is_none() {
            let failed = counted(failed, "point", "points");
            prophet_text::tell!("note: {failed} could not be predicted; see the column `error`");
        }
        taken
    }
}

fn open(path: &Path) -> Result<File, Problem> {
    let file = File::options().append(true).open(path);
    file.cannot("write", path.display())
}

/// Returns `true` unless the user stopped the sweep, which is then reported.
fn is_done(handle: &RunHandle) -> bool {
    if handle.is_stopped() {
        prophet_text::tell!("interrupted");
    }
    !handle.is_stopped()
}

/// Prints that the rows of a stopped sweep are kept.
fn tell_kept(keeping: &Keeping, of: &str) {
    let (known, kept) = (count(keeping.count()), keeping.path().display());
    let rows = if of.is_empty() { " rows" } else { of };
    prophet_text::tell!(
        "interrupted: {known}{rows} are kept in {kept}; run the same command to continue"
    );
}
