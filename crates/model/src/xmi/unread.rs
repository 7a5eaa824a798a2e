//! Reports the parts of a model that aren't read: once for each kind, with the number of parts.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::DiagramId;
use prophet_map::Map;

/// Maximum number of kinds to distinguish in each diagram, because a hostile file can have
/// millions.
const KINDS_MAX: usize = 2000;

/// The rule, what isn't supported, and the diagram that it is in.
type UnreadKind = (Cow<'static, str>, String, Option<DiagramId>);

/// Findings by kind. Only the first finding of each kind is reported.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread {
    found: Map<UnreadKind, (Diagnostic, usize)>,
}

impl Unread {
    /// Records a finding. Findings with the same rule and the same `kind` are counted together.
    pub(super) fn note(&mut self, kind: &str, diagram: Option<DiagramId>, finding: Diagnostic) {
        let is_full = self.found.len() >= KINDS_MAX;
        let kind = if is_full { "anything else" } else { kind };
        let diagram = diagram.filter(|_| !is_full);
        let kind = (finding.code.clone(), kind.to_owned(), diagram);
        let (_, count) = self.found.get_or_insert(kind, (finding, 0));
        *count += 1;
    }

    /// Reports a finding of each kind. Findings in diagrams that the program doesn't reach are
    /// counted separately. For these diagrams, `elsewhere` returns the path.
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
