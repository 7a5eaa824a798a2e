//! Refusals of invalid machines.

use std::fmt;

/// Reason why a platform cannot be made, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub(crate) String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// Shorthand for a refusal with a formatted text.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err($crate::refusal::Refusal(format!($($text)*)))
    };
}

pub(crate) use refuse;
