//! Reports the parts of a model that are not read: once per kind, with the number of occurrences.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::DiagramId;
use prophet_map::Map;

/// Maximum number of kinds to distinguish in each diagram; hostile files have millions.
const KINDS_MAX: usize = 2000;

/// The rule, what isn't supported, and the diagram that contains it.
type UnreadKind = (Cow<'static, str>, String, Option<DiagramId>);

/// Findings, of which only the first of each kind is shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread {
    found: Map<UnreadKind, (Diagnostic, usize)>,
}

impl Unread {
    /// Records a finding; findings that have the same rule and the same `kind` belong together.
    pub(super) fn note(&mut self, kind: &str, diagram: Option<DiagramId>, finding: Diagnostic) {
        let is_full = self.found.len() >= KINDS_MAX;
        let kind = if is_full { "anything else" } else { kind };
        let diagram = diagram.filter(|_| !is_full);
        let kind = (finding.code.clone(), kind.to_owned(), diagram);
        let (_, count) = self.found.get_or_insert(kind, (finding, 0));
        *count += 1;
    }

    /// Reports one finding of each kind. Those in diagrams that the program doesn't reach count as
    /// separate kinds; `elsewhere` returns the path of such a diagram.
    pub(super) fn report<'m>(
        self,
        elsewhere: impl Fn(DiagramId) -> Option<&'m str>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut kinds: Map<_, (Diagnostic, usize)> = Map::new();
        for ((code, kind, diagram), (mut finding, count)) in self.found {
            if let Some(path) = diagram.and_then(&elsewhere) {
                finding.demote_to_warning(path);
            }
            let kind = (code, kind, finding.is_elsewhere);
            let (first, all) = kinds.get_or_insert(kind, (finding.clone(), 0));
            if finding.span.start < first.span.start {
                *first = finding;
            }
            *all += count;
        }
        for (_, (mut diagnostic, count)) in kinds {
            match count {
                0 | 1 => {}
                2 => diagnostic.message.push_str(" (and once more in the file)"),
                _ => {
                    let more = format!(" (and {} more times in the file)", count - 1);
                    diagnostic.message.push_str(&more);
                }
            }
            diagnostics.push(diagnostic);
        }
    }
}
