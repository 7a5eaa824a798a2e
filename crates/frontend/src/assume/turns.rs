//! Turns the tests of loops and clauses into probabilities.
//!
//! After each iteration, a loop continues with a probability of 1/2, unless a flag sets a different
//! one. The clauses of a conditional node are tried in order. Each has a probability, like a flow
//! out of a decision.

use std::collections::BTreeSet;

use super::chance::{code, condition, free_name, identifier, probability, shown};
use super::{Change, Mender};
use prophet_model::diagnostic::Span;
use prophet_model::model::{Code, ElementId, NodeKind};

/// A test, identified by its node and the index of its clause (0 for a loop).
pub(super) type Test = (ElementId, usize);

impl Mender<'_> {
    /// Leaves the test at `place`, or the missing test of `lacking`, to chance. Returns `false` if
    /// there is no such test, or it was already left to chance.
    pub(super) fn take_turn(&mut self, place: Span, lacking: Option<ElementId>) -> bool {
        let holds = |test: &Option<Code>, id: ElementId| match test {
            Some(code) => code.text.span.start <= place.start && place.end <= code.text.span.end,
            None => lacking == Some(id),
        };
        let mut found = None;
        for (index, element) in self.model.elements.iter_mut().enumerate() {
            let id = ElementId(index);
            let span = element.span;
            let mut tests: Vec<(Span, &mut Option<Code>)> = match &mut element.kind {
                NodeKind::Loop(node) => vec![(span, &mut node.condition)],
                NodeKind::Conditional(clauses) => {
                    let clauses = clauses.iter_mut();
                    clauses.map(|it| (it.span, &mut it.condition)).collect()
                }
                _ => continue,
            };
            let wrong = |(span, test): &(Span, &mut Option<Code>)| {
                holds(test, id) && (test.is_some() || *span == place)
            };
            if let Some(at) = tests.iter().position(wrong) {
                let (span, test) = &mut tests[at];
                let span = test.as_ref().map_or(*span, |it| it.text.span);
                let words = test.replace(code("bernoulli(0.5)", span));
                let words = words.map_or_else(String::new, |it| it.text.value);
                found = Some(((id, at), words));
                break;
            }
        }
        // If the test was already left to chance, something else is wrong with it.
        found.is_some_and(|(test, words)| self.turns.insert(test, words).is_none())
    }

    /// Assigns probabilities to the tests that are left to chance.
    pub(super) fn draw_turns(&mut self, taken: &mut BTreeSet<String>) {
        let mut before: Vec<String> = Vec::new();
        let mut last = None;
        for ((id, at), words) in std::mem::take(&mut self.turns) {
            if last.replace(id) != Some(id) {
                before.clear();
            }
            let element = self.model.element(id);
            let (share, what) = match &element.kind {
                NodeKind::Conditional(clauses) => {
                    let count = u32::try_from(clauses.len()).unwrap_or(u32::MAX);
                    let what = format!("clause {} of {} is taken", at + 1, element.path);
                    (1.0 / f64::from(count), what)
                }
                _ => (0.5, format!("{} goes on", element.path)),
            };
            let share = probability(&words).unwrap_or(share);
            let named = [element.name.as_str(), &words];
            let name = free_name(identifier("p", &named), taken);
            let told = if words.is_empty() {
                what.clone()
            } else {
                format!("{} in {} holds", shown(&words), element.path)
            };
            let flag = name.replace('_', "-");
            let text = format!("{told} with probability {share}, which `--{flag}` sets");
            let test = condition(&before, &name);
            let comment = format!("Probability that {what} (assumed)");
            self.add_parameter(id, (&name, "Real", &share.to_string()), comment);
            let span = self.set_test((id, at), &test);
            let change = Change::Test {
                place: span,
                text: test,
                parameter: (name.clone(), share.to_string()),
            };
            self.note(id, span, text, change);
            before.push(name);
        }
    }

    fn set_test(&mut self, (id, at): Test, text: &str) -> Span {
        let element = &mut self.model.elements[id.0];
        let test = match &mut element.kind {
            NodeKind::Loop(node) => &mut node.condition,
            NodeKind::Conditional(clauses) => &mut clauses[at].condition,
            _ => return element.span,
        };
        let span = test.as_ref().map_or(element.span, |it| it.text.span);
        *test = Some(code(text, span));
        span
    }
}
