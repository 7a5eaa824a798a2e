//! What is met and not read: said once for each kind of thing, with how often it was met.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::map::Map;

/// How many kinds of things are told apart; hostile files have millions.
const KINDS_MAX: usize = 200;

/// Findings of which only the first of a kind is shown.
#[derive(Debug, Default)]
pub(super) struct Unread {
    found: Map<(Cow<'static, str>, String), (Diagnostic, usize)>,
}

impl Unread {
    /// Takes note of a finding; those with one rule and one `kind` are of one kind.
    pub(super) fn note(&mut self, kind: &str, finding: Diagnostic) {
        let is_full = self.found.len() >= KINDS_MAX;
        let kind = if is_full { "anything else" } else { kind };
        let kind = (finding.code.clone(), kind.to_owned());
        let (_, count) = self.found.get_or_insert(kind, (finding, 0));
        *count += 1;
    }

    pub(super) fn report(self, diagnostics: &mut Diagnostics) {
        for (_, (mut diagnostic, count)) in self.found {
            match count {
                0 | 1 => {}
                2 => diagnostic.message.push_str(" (and once more in the file)"),
                _ => {
                    let more = format!(" (and {} times more in the file)", count - 1);
                    diagnostic.message.push_str(&more);
                }
            }
            diagnostics.push(diagnostic);
        }
    }
}
