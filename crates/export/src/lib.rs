//! Traces in the formats of other tools, and summaries.
//!
//! `docs/traces.md` describes the form of a record in each format.

pub mod command;
mod csv;
mod error;
mod format;
mod json;
mod names;
mod otf2;
mod paje;
mod parquet;
mod summary;
mod timeline;

pub use error::ExportError;
pub use format::{Format, export};
pub use summary::Summary;
