//! Evaluation of points, whatever is predicted there.

use std::fmt::Debug;
use std::ops::Range;

use prophet_runtime::RunHandle;

use super::ordered::in_order;
use super::row::{PointResults, SweepRow};
use crate::space::{AxisPlace, Space};

/// A subject on a space: predicts its points, from any number of threads.
pub trait Evaluate: Debug + Sync {
    /// The space.
    fn space(&self) -> &Space;

    /// The results at the point with these places on its axes; of no use after `handle` has ended
    /// it.
    ///
    /// # Errors
    ///
    /// The reason why the point has no results.
    fn results_at(&self, places: &[AxisPlace], handle: &RunHandle) -> Result<PointResults, String>;

    /// Texts of all that the rows depend on, beside the text of the subject.
    fn identity_texts(&self) -> Vec<String>;

    /// The whole result at the point of an index, as a repository keeps it; `None` if there is
    /// none.
    fn record(&self, index: u64, handle: &RunHandle) -> Option<Vec<u8>>;
}

impl dyn Evaluate + '_ {
    /// Evaluates the points of a range of indices with `jobs` threads, and takes the rows in their
    /// order on this thread, until `handle` ends it: rows that were begun then are not taken.
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

    /// Evaluates the point at a place on each axis, which gets this index; of no use after `handle`
    /// has ended it.
    pub fn row_at(&self, places: &[AxisPlace], index: u64, handle: &RunHandle) -> SweepRow {
        let found = self.results_at(places, handle);
        SweepRow {
            index,
            values: self.space().values(places),
            found: found.map_err(|message| prophet_text::plain::line(&message)),
        }
    }
}
