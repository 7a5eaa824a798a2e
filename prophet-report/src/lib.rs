//! Explains the result of a run: [`analysis`] says where the time of a trace went, [`page`] is the
//! HTML report.

pub mod analysis;
pub mod page;
