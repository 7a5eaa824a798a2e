//! Resolves references between elements: attributes, lists of ids, and children with `xmi:idref` or
//! `href`.

use super::reader::Reader;
use super::tree::{NodeId, Slice, Tree};
use crate::path;
use prophet_text::article;

use crate::diagnostic::catalogue::model as rules;
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::source::escape;
use prophet_text::similar;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) id: String,
    pub(super) span: Span,
    /// The element; `None` if it isn't in any file that was read.
    pub(super) target: Option<NodeId>,
    /// The other file that contains the element, as written in the reference; `None` for the same
    /// file.
    pub(super) file: Option<String>,
}

/// Maximum number of dangling references to make suggestions for, because each suggestion searches
/// all ids.
const SUGGESTIONS_MAX: usize = 20;

impl Tree<'_> {
    pub(super) fn references(&self, node: NodeId, role: &str) -> Vec<Reference> {
        let mut references = Vec::new();
        if let Some(value) = self.attribute(node, role) {
            self.split_references(value, &mut references);
        }
        for child in self.children_in(node, role) {
            if let Some(value) = self.xmi_attribute(child, "idref") {
                self.split_references(value, &mut references);
            } else if let Some(value) = self.attribute(child, "href") {
                references.push(self.link(value));
            }
        }
        references
    }

    pub(super) fn reference(&self, node: NodeId, role: &str) -> Option<Reference> {
        self.references(node, role).into_iter().next()
    }

    /// Splits a list of ids into references. A single id can also contain spaces.
    pub(super) fn split_references(&self, value: Slice, references: &mut Vec<Reference>) {
        let span = value.span();
        let raw = self.raw(value);
        let list = escape::attribute(raw);
        let whole = list.trim();
        if whole.is_empty() {
            return;
        }
        let Some(document) = self.document_at(value.start) else {
            return;
        };
        if let Some(target) = self.find(document, whole) {
            references.push(Reference {
                id: whole.to_owned(),
                span,
                target: Some(target),
                file: None,
            });
            return;
        }
        let is_plain = raw.len() == list.len();
        for (start, id) in document.index.split(&list) {
            let at = span.start + start;
            references.push(Reference {
                id: id.to_owned(),
                span: if is_plain {
                    Span::new(at, at + id.len())
                } else {
                    span
                },
                target: self.find(document, id),
                file: None,
            });
        }
    }

    /// Reads an `href`, such as `#_a` or `library.uml#_a`. Old versions of MagicDraw write `|`
    /// instead of `#`.
    pub(super) fn link(&self, value: Slice) -> Reference {
        let text = escape::attribute(self.raw(value));
        let parts = text.rsplit_once('#').or_else(|| text.rsplit_once('|'));
        let (file, id) = parts.unwrap_or(("", &text));
        let other = || self.source.link(value.start as usize, file)?.as_ref().ok();
        let document = match file {
            "" => self.document_at(value.start),
            _ => other().and_then(|it| self.documents.get(it.0)),
        };
        Reference {
            id: id.to_owned(),
            span: value.span(),
            target: document.and_then(|it| self.find(it, id)),
            file: (!file.is_empty()).then(|| file.to_owned()),
        }
    }

    /// Describes an element for messages: `` the DecisionNode `A1` `` or `a DecisionNode without a
    /// name`.
    pub(super) fn describe(&self, node: NodeId) -> String {
        let name = self.short_name(node);
        let kind = path::shorten(match self.kind(node) {
            "" => self.role(node),
            kind => kind,
        });
        if name.is_empty() {
            format!("{} {kind} without a name", article(&kind))
        } else {
            format!("the {kind} `{name}`")
        }
    }
}

impl Reader<'_, '_> {
    /// Returns the element that a reference leads to. If it doesn't exist, reports that and returns
    /// `None`.
    pub(super) fn resolve(&mut self, reference: &Reference, element: &str) -> Option<NodeId> {
        self.resolve_as(reference, element, &rules::DANGLING)
    }

    /// Like [`Self::resolve`], but reports a missing element with the given rule.
    pub(super) fn resolve_as(
        &mut self,
        reference: &Reference,
        element: &str,
        rule: &'static Rule,
    ) -> Option<NodeId> {
        if reference.target.is_some() {
            return reference.target;
        }
        let id = path::shorten(&reference.id);
        let diagnostic = if let Some(file) = &reference.file {
            let file = path::shorten(file);
            let message = format!("`{id}` is in another file, `{file}`, which is not read");
            Diagnostic::new(rule, reference.span, message).help("keep a model in one file")
        } else {
            let message = format!("there is no element with the id `{id}`");
            Diagnostic::new(rule, reference.span, message).help(self.suggestion(reference))
        };
        self.diagnostics.push(diagnostic.element(element));
        None
    }

    fn suggestion(&mut self, reference: &Reference) -> String {
        let nothing = || "draw the element again, or remove the reference to it".to_owned();
        if self.suggestions == SUGGESTIONS_MAX {
            return nothing();
        }
        self.suggestions += 1;
        let start = u32::try_from(reference.span.start).unwrap_or(u32::MAX);
        let document = self.tree.document_at(start);
        let by_id = document.and_then(|it| it.index.closest(&reference.id));
        let describe = |id: &str, node| {
            let id = path::shorten(id);
            format!("did you mean `{id}`, {}?", self.tree.describe(node))
        };
        by_id.map_or_else(nothing, |(id, node)| describe(id, node))
    }
}

/// Suggests the most similar candidate (`did you mean …?`); `None` if no candidate is similar.
pub(super) fn did_you_mean<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let name = similar(wanted, candidates)?;
    Some(format!("did you mean `{}`?", path::shorten(&name)))
}
