//! Explains the result of a run: [`analysis`] says where the time of a trace went, [`page`] is the
//! HTML report, and [`of_trace`] is what it shows.

pub mod analysis;
mod compare;
mod file;
mod fill;
pub mod page;
mod summary;
pub mod text;

pub use compare::compare;
pub use file::{read, write_page};
pub use fill::{Extras, of_result, of_trace};
pub use summary::{summary_json, summary_text};
