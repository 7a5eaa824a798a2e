//! Drops initial values that are not code or are in an unsupported language.

use super::chance::shown;
use super::{Assumption, Change, Mender};
use prophet_model::diagnostic::Span;
use prophet_model::model::Code;

impl Mender<'_> {
    /// Drops a variable's initial value, so that it starts at zero. Returns `false` if no initial
    /// value has a place that `holds` accepts.
    pub(super) fn drop_first_value(&mut self, holds: impl Fn(Span) -> bool) -> bool {
        let locals = self.model.diagrams.iter_mut().flat_map(|it| &mut it.locals);
        let mut all = self.model.globals.iter_mut().chain(locals);
        let is_meant = |it: &Code| holds(it.text.span);
        let Some(variable) = all.find(|it| it.default.as_ref().is_some_and(is_meant)) else {
            return false;
        };
        let words = variable.default.take().map(|it| it.text.value);
        let words = shown(&words.unwrap_or_default());
        let (path, span) = (variable.path.clone(), variable.name.span);
        let program = self.model.diagrams[self.model.main.0].span;
        self.assumptions.push(Assumption {
            element: path.clone(),
            span,
            program,
            text: format!("{path} starts at 0: {words} is not code"),
            change: Change::ByHand,
            is_step: false,
        });
        true
    }
}
