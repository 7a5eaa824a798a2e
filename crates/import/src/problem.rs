//! A reason why a trace cannot be read, with its place.

use std::fmt;
use std::path::{Path, PathBuf};

/// Reason why a trace cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    file: PathBuf,
    line: u64,
    message: String,
}

impl Problem {
    /// Problem of a file.
    pub fn of(file: &Path, message: impl Into<String>) -> Self {
        Self::at(file, 0, message)
    }

    /// Problem at a line of a file, counted from 1.
    pub fn at(file: &Path, line: u64, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        write!(f, " {}", prophet_text::plain::line(&self.message))
    }
}

impl std::error::Error for Problem {}
