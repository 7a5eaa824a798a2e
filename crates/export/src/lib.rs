//! Exports traces to the formats of other tools, and summarizes them.
//!
//! `docs/traces.md` describes what a record looks like in each format.
//!
//! The names of the formats are available without the feature `conversion`, because command lines
//! list them, and compiling that feature would delay a first prediction.
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
pub use conversion::{ExportError, TraceSummary, export, export_plain};
pub use format::TraceFormat;
