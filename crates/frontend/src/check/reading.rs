//! State of reading a rule file.

use std::collections::BTreeSet;

use super::language::Language;
use prophet_model::diagnostic::Diagnostic;

/// A rule file that is being read.
pub(super) struct Reading<'l> {
    pub(super) language: &'l mut Language,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) file: String,
    /// Codes of this file's rules.
    pub(super) codes: BTreeSet<String>,
}
