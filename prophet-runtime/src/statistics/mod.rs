//! Statistics of what happened, with confidence intervals.

pub(crate) mod batch_means;
pub(crate) mod histogram;
pub(crate) mod student;
pub(crate) mod tally;
pub(crate) mod time_weighted;
pub(crate) mod usage;
