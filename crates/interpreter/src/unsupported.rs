//! Refusal of programs that only a compiled crate can run.

use std::fmt;

/// Feature of a program that only a compiled crate can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub(crate) String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has {}", self.0)
    }
}
