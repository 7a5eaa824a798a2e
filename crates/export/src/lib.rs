//! Traces in the formats of other tools, and summed up.
//!
//! `docs/traces.md` says what becomes of a record in each format.

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
