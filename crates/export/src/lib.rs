//! Exports traces to other tools' formats, and summarizes them.
//!
//! `docs/traces.md` describes a record in each format.
//!
//! Command lines list the formats, so their names are available without the feature `conversion`,
//! which would delay a first prediction.
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | is |
//! |---|---|
//! | `format` | supported formats |
//! | `conversion` | reading traces, to write them in the formats or summarize them |

#[cfg(feature = "conversion")]
mod conversion;
mod format;

#[cfg(feature = "conversion")]
pub use conversion::{ExportError, TraceSummary, command, export, export_plain};
pub use format::TraceFormat;
