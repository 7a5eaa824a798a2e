//! Explains the result of a run: [`analysis`] says where the time of a trace went, [`page`] is the
//! HTML report, and [`of_trace`] is what it shows.

pub mod analysis;
mod fill;
pub mod page;

pub use fill::{Extras, of_trace};
