//! Counts the points of a sweep, and how many of them have no result.

use prophet_text::{Problem, count, problem};

use crate::evaluate::SweepRow;

#[derive(Debug, Default)]
pub(crate) struct PointTally {
    pub(crate) points: u64,
    pub(crate) failed: u64,
    /// Why the first point without a result has none.
    failure: Option<String>,
}

impl PointTally {
    pub(crate) fn add(&mut self, row: &SweepRow) {
        self.points += 1;
        if let Err(why) = &row.found {
            self.failed += 1;
            self.failure.get_or_insert_with(|| why.clone());
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.points += other.points;
        self.failed += other.failed;
        if self.failure.is_none() {
            self.failure.clone_from(&other.failure);
        }
    }

    /// Prints how many points have no result, unless none of them has one.
    pub(crate) fn tell(&self) {
        if let Some(why) = self.failure.as_ref().filter(|_| self.failed < self.points) {
            let (failed, all) = (count(self.failed), count(self.points));
            prophet_text::tell!(
                "note: {failed} of {all} points could not be predicted; the first error: {why}"
            );
        }
    }

    pub(super) fn require_results(&self) -> Result<(), Problem> {
        match &self.failure {
            Some(why) if self.failed == self.points => Err(problem!(
                "none of the {} points could be predicted; the first error: {why}",
                count(self.points)
            )),
            _ => Ok(()),
        }
    }
}
