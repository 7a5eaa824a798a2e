//! Evaluates points for any kind of subject, such as models.

use std::fmt::Debug;
use std::ops::Range;

use prophet_runtime::RunHandle;

use super::ordered::in_order;
use super::row::{PointResults, SweepRow};
use crate::space::{AxisPlace, Space};

/// Predicts a subject, such as a model, at the points of a space. Any number of threads can do so
/// at the same time.
pub trait Evaluate: Debug + Sync {
    fn space(&self) -> &Space;

    /// Returns the results at the point with these places on the axes. They are meaningless if
    /// `handle` has stopped the evaluation.
    ///
    /// # Errors
    ///
    /// Returns the reason why the point has no results.
    fn results_at(&self, places: &[AxisPlace], handle: &RunHandle) -> Result<PointResults, String>;

    /// Returns the texts on which the rows depend, except for the subject's own text.
    fn identity_texts(&self) -> Vec<String>;

    /// Returns the full result at the point with this index, in the form that a repository stores;
    /// `None` if there isn't one.
    fn record(&self, index: u64, handle: &RunHandle) -> Option<Vec<u8>>;
}

impl dyn Evaluate + '_ {
    /// Evaluates the points with indices in `range` with `jobs` threads, until `handle` stops the
    /// evaluation. Passes the rows to `take` in order, on the calling thread. Rows in progress when
    /// the evaluation stops are discarded.
    pub fn evaluate(
        &self,
        range: Range<u64>,
        jobs: usize,
        handle: &RunHandle,
        mut take: impl FnMut(SweepRow),
    ) {
        let work = |index| {
            let row = self.row_at(&self.space().places(index), index, handle);
            (!handle.is_stopped()).then_some(row)
        };
        let goes_on = || !handle.is_stopped();
        let mut is_whole = true;
        in_order(range, jobs, goes_on, work, |row| match row {
            Some(row) if is_whole => take(row),
            _ => is_whole = false,
        });
    }

    /// Evaluates the point at these places on the axes, and returns its row with this index. Ignore
    /// the row if `handle` has stopped the evaluation.
    pub fn row_at(&self, places: &[AxisPlace], index: u64, handle: &RunHandle) -> SweepRow {
        let found = self.results_at(places, handle);
        SweepRow {
            index,
            values: self.space().values(places),
            found: found.map_err(|message| prophet_text::plain::line(&message)),
        }
    }
}
