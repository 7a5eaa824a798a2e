//! Conditions and first values that are no code, or in another language.

use super::chance::{code, free_name, shown};
use super::{Assumption, Change, Mender};
use prophet_model::diagnostic::Span;
use prophet_model::model::{Code, ElementId, NodeKind};

impl Mender<'_> {
    /// Leaves the condition of a `LoopNode` or a clause to chance; false if none is meant.
    pub(super) fn drop_condition(&mut self, holds: impl Fn(Span) -> bool) -> bool {
        let is_meant = |it: &Option<Code>| it.as_ref().is_some_and(|it| holds(it.text.span));
        let mut elements = self.model.elements.iter().enumerate();
        let found = elements.find_map(|(id, it)| {
            let mut conditions = conditions(&it.kind);
            let at = conditions.position(is_meant)?;
            // Each clause is as likely as those behind it.
            Some((ElementId(id), at, conditions.count() + 1))
        });
        let Some((id, at, open)) = found else {
            return false;
        };
        let element = &mut self.model.elements[id.0];
        let (span, is_loop) = (element.span, matches!(element.kind, NodeKind::Loop(_)));
        let words = match condition_mut(&mut element.kind, at).and_then(Option::take) {
            Some(code) => code.text.value,
            None => return false,
        };
        let share = match open {
            _ if is_loop => 0.5,
            open => 1.0 / f64::from(u32::try_from(open).unwrap_or(u32::MAX)),
        };
        let name = free_name(&[&element.name.clone(), &words], &mut self.names());
        let chance = code(&format!("bernoulli({name})"), span);
        if let Some(condition) = condition_mut(&mut self.model.elements[id.0].kind, at) {
            *condition = Some(chance);
        }
        self.add_parameter(id, &name, share);
        let path = &self.model.element(id).path;
        let text = format!(
            "{} in {path} holds with probability {share}, which `--{}` sets",
            shown(&words),
            name.replace('_', "-")
        );
        self.note(id, span, text, Change::ByHand);
        true
    }

    /// Drops the first value of a variable, which is zero then; false if none is meant.
    pub(super) fn drop_first_value(&mut self, holds: impl Fn(Span) -> bool) -> bool {
        let locals = self.model.diagrams.iter_mut().flat_map(|it| &mut it.locals);
        let mut all = self.model.globals.iter_mut().chain(locals);
        let is_meant = |it: &Code| holds(it.text.span);
        let Some(variable) = all.find(|it| it.default.as_ref().is_some_and(is_meant)) else {
            return false;
        };
        let words = variable.default.take().map(|it| it.text.value);
        let words = shown(&words.unwrap_or_default());
        self.assumptions.push(Assumption {
            element: variable.path.clone(),
            span: variable.name.span,
            text: format!("{} begins at 0: {words} is no code", variable.path),
            change: Change::ByHand,
        });
        true
    }
}

/// Conditions of a node, in order.
fn conditions(kind: &NodeKind) -> impl Iterator<Item = &Option<Code>> {
    let (of_loop, clauses) = match kind {
        NodeKind::Loop(node) => (Some(&node.condition), &[][..]),
        NodeKind::Conditional(clauses) => (None, clauses.as_slice()),
        _ => (None, &[][..]),
    };
    of_loop
        .into_iter()
        .chain(clauses.iter().map(|it| &it.condition))
}

/// One of the conditions of a node.
fn condition_mut(kind: &mut NodeKind, at: usize) -> Option<&mut Option<Code>> {
    match kind {
        NodeKind::Loop(node) => Some(&mut node.condition),
        NodeKind::Conditional(clauses) => clauses.get_mut(at).map(|it| &mut it.condition),
        _ => None,
    }
}
