//! Diagnostics as text and as JSON.

use super::Diagnostic;
use crate::source::Source;

pub(super) fn human(_source: &Source, _diagnostics: &[Diagnostic], _color: bool) -> String {
    unimplemented!("the reader's session writes this")
}

pub(super) fn json(_source: &Source, _diagnostics: &[Diagnostic]) -> String {
    unimplemented!("the reader's session writes this")
}
