//! Traces in the formats of other tools, and summaries.
//!
//! `docs/traces.md` describes the form of a record in each format.
//!
//! Command lines list the formats, so that the names are there without the feature `conversion`;
//! the conversion itself would delay a first prediction.
//!
//! | module | is |
//! |---|---|
//! | `conversion` | reading of traces, to write them in the formats or sum them up |
//! | `format` | supported formats |

#[cfg(feature = "conversion")]
mod conversion;
mod format;

#[cfg(feature = "conversion")]
pub use conversion::{ExportError, Summary, command, export, export_plain};
pub use format::Format;
