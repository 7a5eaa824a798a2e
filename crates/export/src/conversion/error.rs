//! Defines the errors that can occur during an export.

use std::fmt;
use std::io;

use prophet_trace::ReadError;

/// Why a trace couldn't be exported, as a sentence for the user.
#[derive(Debug)]
pub struct ExportError(String);

impl ExportError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExportError {}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self(format!("cannot write it: {error}"))
    }
}

impl From<ReadError> for ExportError {
    fn from(error: ReadError) -> Self {
        Self(error.to_string())
    }
}
