//! Finds the smallest value with the help of lower bounds: points whose bounds are too large need
//! no evaluation.

use crate::evaluate::{Evaluate, SweepRow};
use crate::terminal::Progress;
use prophet_runtime::RunHandle;
use prophet_text::{Problem, problem};

use super::shown::{number, place};
use super::tally::PointTally;

/// Maximum number of points with bounds, which are all in memory.
const POINTS_MAX: u64 = 10_000_000;
/// Number of points to evaluate at a time. It must not depend on the number of threads.
const BATCH: usize = 8;
/// How much rounding can raise a bound, relative to the bound.
const ROUNDING: f64 = 1e-9;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) sweep: &'a (dyn Evaluate + 'a),
    /// The flag with a value that turns predictions into bounds.
    pub(crate) flag: &'a str,
}

#[derive(Debug)]
pub(super) struct Bounds<'a> {
    flag: &'a str,
    open: Vec<(f64, u64)>,
    pub(super) refused: PointTally,
}

impl<'a> Bounds<'a> {
    /// Computes the bounds of all points. `value` reads the bound from a row. Points without a
    /// value are left out.
    pub(super) fn new(
        bound: Bound<'a>,
        jobs: usize,
        handle: &RunHandle,
        value: impl Fn(&SweepRow) -> Option<f64>,
    ) -> Self {
        let points = bound.sweep.space().points();
        let mut progress = Progress::new(points);
        let (mut open, mut refused) = (Vec::new(), PointTally::default());
        bound.sweep.evaluate(0..points, jobs, handle, |row| {
            progress.count();
            match value(&row) {
                Some(value) => open.push((value, row.index)),
                None => refused.add(&row),
            }
        });
        progress.clear();
        open.sort_unstable_by(|(a, i), (b, j)| b.total_cmp(a).then(j.cmp(i)));
        Self {
            flag: bound.flag,
            open,
            refused,
        }
    }

    pub(super) fn check(space: &crate::space::Space) -> Result<(), Problem> {
        if let Some(axis) = space.interval() {
            let name = prophet_text::plain::line(&axis.name);
            return Err(problem!(
                "`{name}` is an interval, but --bound needs all points: add a number of values, \
                 such as `0.1..0.9:5`"
            ));
        }
        if space.points() > POINTS_MAX {
            let (points, most) = (space.points(), POINTS_MAX);
            return Err(problem!(
                "--bound needs to compare {points} points, but supports at most {most}: vary fewer \
                 values"
            ));
        }
        Ok(())
    }

    /// Returns the next points that may be as good as `limit`, with their bounds.
    pub(super) fn next(&mut self, limit: Option<f64>) -> Vec<(f64, u64)> {
        let is_open = |it: &mut (f64, u64)| limit.is_none_or(|limit| below(it.0) <= limit);
        let next = std::iter::from_fn(|| self.open.pop_if(is_open));
        next.take(BATCH).collect()
    }

    /// Returns an error if a bound is above the value at its point.
    pub(super) fn hold(
        &self,
        bound: f64,
        value: f64,
        axes: &[String],
        row: &SweepRow,
    ) -> Result<(), Problem> {
        if below(bound) <= value {
            return Ok(());
        }
        Err(problem!(
            "--bound {} is not a bound: at {}, it gives {}, but the value is {}",
            prophet_text::plain::line(self.flag),
            place(axes, row),
            number(bound),
            number(value)
        ))
    }
}

fn below(bound: f64) -> f64 {
    bound - ROUNDING * bound.abs()
}
