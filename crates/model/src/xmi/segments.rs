//! Finds the children of an element by path segments.

use std::cell::RefCell;
use std::rc::Rc;

use super::tree::NodeId;
use crate::source::escape;
use prophet_map::Map;

/// The children of elements that paths have led through, kept for later paths.
pub(super) type Passed<'s> = RefCell<Map<NodeId, Rc<NamedChildren<'s>>>>;

/// The children of an element, by what a path can call them.
#[derive(Debug, Default)]
pub(super) struct NamedChildren<'s> {
    pub(super) names: Map<String, Vec<NodeId>>,
    pub(super) roles: Map<&'s str, Vec<NodeId>>,
    pub(super) annotations: Map<String, NodeId>,
}

impl NamedChildren<'_> {
    /// Finds the child that a segment of a path refers to.
    pub(super) fn at(&self, segment: &str) -> Option<NodeId> {
        if let Some(feature) = segment.strip_prefix('@') {
            let (role, number) = numbered(feature).unwrap_or((feature, 0));
            return self.roles.get(role)?.get(number).copied();
        }
        let decoded = escape::uri(segment);
        let source = segment
            .strip_prefix('%')
            .and_then(|it| it.strip_suffix('%'));
        let annotation = || {
            let source = source?;
            let decoded = escape::uri(source);
            self.annotations.get(decoded.as_deref().unwrap_or(source))
        };
        let names = [Some(segment), decoded.as_deref()].into_iter().flatten();
        let mut names = names.filter(|name| !name.is_empty());
        let named = names.find_map(|name| {
            let of = |name: &str, number: usize| self.names.get(name)?.get(number).copied();
            of(name, 0).or_else(|| numbered(name).and_then(|(name, number)| of(name, number)))
        });
        named.or_else(|| annotation().copied())
    }
}

/// Splits off the number after the last dot in a segment.
fn numbered(text: &str) -> Option<(&str, usize)> {
    let (name, number) = text.rsplit_once('.')?;
    Some((name, number.parse().ok()?))
}
