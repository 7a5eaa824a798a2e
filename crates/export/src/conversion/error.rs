//! Errors of exporting a trace.

use std::fmt;
use std::io;

use prophet_trace::ReadError;

/// Reason why a trace could not be exported: a sentence for the user.
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

/// Converts the error of a failed write.
impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self(format!("cannot write it: {error}"))
    }
}

/// Converts the error of a trace that could not be read.
impl From<ReadError> for ExportError {
    fn from(error: ReadError) -> Self {
        Self(error.to_string())
    }
}
