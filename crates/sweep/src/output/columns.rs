//! Defines the columns of the rows, for all output formats.

use std::io;

use crate::evaluate::{Metric, PointResults, SweepRow};
use crate::space::{Axis, AxisForm, AxisValue, Space};

/// The columns of the rows: axes, results, and the reason if there are no results.
#[derive(Debug, Clone)]
pub struct Columns {
    pub(crate) axes: Vec<String>,
    pub(crate) forms: Vec<AxisForm>,
    /// Indices and names of the results to show, without those that are axes.
    metrics: Vec<(usize, &'static str)>,
    has_seeds: bool,
}

impl Columns {
    /// Returns the columns for predictions with these results, in the order of
    /// [`PointResults::metrics`].
    pub(crate) fn of(space: &Space, metrics: &[Metric], has_seeds: bool) -> Self {
        let axes: Vec<String> = space.axes().map(|axis| axis.name.clone()).collect();
        let shown = metrics_beside(space, metrics).into_iter();
        Self {
            metrics: shown.map(|at| (at, metrics[at].name)).collect(),
            has_seeds,
            axes,
            forms: space.axes().map(Axis::form).collect(),
        }
    }

    pub(crate) fn results(&self) -> impl Iterator<Item = &'static str> {
        let of_seeds = self.has_seeds.then_some(["half_width_s", "seeds"]);
        let metrics = self.metrics.iter().map(|(_, name)| *name);
        metrics.chain(of_seeds.into_iter().flatten())
    }

    /// Returns the results in the order of the columns; NaN if undefined.
    #[expect(clippy::cast_precision_loss, reason = "a number of seeds is small")]
    pub(crate) fn values(&self, found: &PointResults) -> impl Iterator<Item = f64> {
        let of_seeds = self
            .has_seeds
            .then_some([found.half_width_s, found.seeds as f64]);
        let metrics = self.metrics.iter().map(|(place, _)| found.metrics[*place]);
        metrics.chain(of_seeds.into_iter().flatten())
    }
}

/// Returns the indices of the results to show next to the axes. Results that are axes are left out.
pub(crate) fn metrics_beside(space: &Space, metrics: &[Metric]) -> Vec<usize> {
    let is_axis = |name: &str| space.axes().any(|axis| axis.name.replace('-', "_") == name);
    let places = 0..metrics.len();
    places
        .filter(|place| !is_axis(metrics[*place].name))
        .collect()
}

pub trait RowWriter {
    /// Writes a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the output can't be written.
    fn row(&mut self, row: &SweepRow) -> io::Result<()>;

    /// Writes the remaining rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the output can't be written.
    fn finish(&mut self) -> io::Result<()>;
}

pub(super) fn number(number: f64) -> Option<String> {
    number
        .is_finite()
        .then(|| AxisValue::from(number).to_string())
}
