//! Traces in the formats of other tools, and summaries.
//!
//! `docs/traces.md` describes the form of a record in each format.
//!
//! Command lines list the formats, so that the names are there without the feature `conversion`;
//! the conversion itself would delay a first prediction.
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | is |
//! |---|---|
//! | `format` | supported formats |
//! | `conversion` | reading of traces, to write them in the formats or sum them up |

#[cfg(feature = "conversion")]
mod conversion;
mod format;

#[cfg(feature = "conversion")]
pub use conversion::{ExportError, TraceSummary, command, export, export_plain};
pub use format::TraceFormat;
