//! Statistics of your observations, with confidence intervals.

mod batch_means;
mod histogram;
mod plain;
mod student;
mod tally;
mod time_weighted;

pub use batch_means::BatchMeans;
pub use histogram::Histogram;
pub use plain::{mean, median};
pub use student::student_quantile;
pub use tally::{Interval, Tally};
pub use time_weighted::TimeWeighted;
