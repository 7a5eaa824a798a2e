//! Refusals of edits.

use std::fmt;

/// Reason why an edit was not made, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub(crate) String);

impl Refused {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
