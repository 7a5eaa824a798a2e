//! Explains the result of a run: [`page`] is the HTML report.

pub mod page;
