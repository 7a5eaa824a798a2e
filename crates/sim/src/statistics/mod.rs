//! Statistics of what happened, with confidence intervals.

mod batch_means;
mod histogram;
mod student;
mod tally;
mod time_weighted;

pub use batch_means::BatchMeans;
pub use histogram::Histogram;
pub use student::student_quantile;
pub use tally::{Interval, Tally};
pub use time_weighted::TimeWeighted;
