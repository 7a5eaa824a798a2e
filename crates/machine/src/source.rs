//! Reads changes, line by line, from a file or a pipe.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

use prophet_text::Problem;

use crate::quantity::one_line;

/// A source of lines, as named on the command line; `-` is the standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source(pub String);

impl Source {
    /// Returns `true` if the source is a regular file, not a pipe or the standard input.
    pub fn can_be_read_again(&self) -> bool {
        self.0 != "-" && std::fs::metadata(&self.0).is_ok_and(|found| found.is_file())
    }

    /// Checks that the source exists. This doesn't open it, because a pipe can be opened only once.
    ///
    /// # Errors
    ///
    /// Returns an error if the source doesn't exist.
    pub fn check(&self) -> Result<(), Problem> {
        let found = match self.0.as_str() {
            "-" => Ok(()),
            path => std::fs::metadata(path).map(drop),
        };
        found.map_err(|error| self.unreadable(&error).into())
    }

    /// Returns the message for an error while reading the source.
    pub fn unreadable(&self, error: &io::Error) -> String {
        Problem::unread(self.to_string().as_ref(), error).message
    }

    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub fn open(&self) -> io::Result<Box<dyn BufRead>> {
        if self.0 == "-" {
            return Ok(Box::new(io::stdin().lock()));
        }
        Ok(Box::new(BufReader::new(File::open(&self.0)?)))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.0 == "-" { "<stdin>" } else { &self.0 };
        f.write_str(&one_line(name))
    }
}
