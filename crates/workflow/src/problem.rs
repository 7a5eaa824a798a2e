//! Problems of workflows and machines, as users read them.

use std::fmt;

/// A problem: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Describes what is wrong. Names of strangers in it are safe to print.
    pub what: String,
    /// The place in the file, or the part of the workflow; empty for all of it.
    pub place: String,
    /// The file, safe to print; empty for the workflow's file.
    pub file: String,
    /// Describes what to do, in the imperative.
    pub help: String,
}

impl Problem {
    /// A problem without its own place.
    pub fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: String::new(),
            file: String::new(),
            help: help.into(),
        }
    }

    /// This problem, at a place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = place.into();
        self
    }

    /// This problem, in another file than the workflow's.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}\nhelp: {}", self.what, self.help)
    }
}

impl std::error::Error for Problem {}

/// A stranger's name in quotes, safe to print and of a bounded length.
///
/// ```
/// assert_eq!(prophet_workflow::quoted("a\u{1b}[2J"), r"`a\u{1b}[2J`");
/// ```
pub fn quoted(name: &str) -> String {
    const LONGEST: usize = 80;
    let mut chars = name.chars();
    let shown: String = chars.by_ref().take(LONGEST).collect();
    let rest = if chars.next().is_some() { "…" } else { "" };
    format!("`{}{rest}`", prophet_text::plain::line(&shown))
}
