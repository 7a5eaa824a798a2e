//! Collects the names of signals, and checks that every awaited signal is sent.

use std::collections::BTreeSet;

use super::Resolver;
use super::messages::number_of;
use crate::program::SignalIndex;
use crate::program::action::{Action, SignalPart};
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Element, Stereotype, StereotypeKind};
use prophet_text::similar;

impl Resolver<'_> {
    pub(super) fn signal(&mut self, element: &Element, of: &Stereotype) -> Option<SignalIndex> {
        let accepts = match of.kind {
            StereotypeKind::SendSignal => false,
            StereotypeKind::AcceptSignal => true,
            _ => return None,
        };
        let text = of.tags.get("signal");
        let Some(text) = text.filter(|it| !it.value.trim().is_empty()) else {
            let message = format!("`{}` needs the tag `signal`", of.kind.name());
            let help = "write the name of the signal";
            let rule = &rules::MISSING_TAG;
            self.report(rule, of.span, &element.path, message, help);
            return None;
        };
        let name = text.value.trim();
        let signals = &mut self.program.signals;
        let signal = number_of(name, &mut self.numbers_of_signals, signals);
        if accepts {
            self.accepts.push((signal, element.path.clone(), text.span));
        }
        Some(signal)
    }

    pub(super) fn check_signals(&mut self) {
        let sent = self.program.executions().filter_map(|it| match &it.action {
            Action::Signal(it) => (it.part == SignalPart::Sends).then_some(it.signal),
            _ => None,
        });
        let sent: BTreeSet<SignalIndex> = sent.collect();
        for (signal, path, span) in std::mem::take(&mut self.accepts) {
            if sent.contains(&signal) {
                continue;
            }
            let names = &self.program.signals;
            let (name, known) = (&names[signal], sent.iter().map(|known| &*names[*known]));
            let message = format!("nothing in the program sends the signal {name:?}");
            let help = match similar(name, known) {
                // The suggestion can replace the text only if the name is written here. In
                // drawings, it is written elsewhere.
                Some(guess) if span.range().len() == name.len() => {
                    Advice::did_you_mean(&guess, Remedy::Text)
                }
                Some(guess) => format!("did you mean `{guess}`?").into(),
                None => "send it earlier or in another flow, or delete the wait".into(),
            };
            self.report(&rules::UNSENT_SIGNAL, span, &path, message, help);
        }
    }
}
