//! Assigns the profile's stereotypes to actions that send signals or wait for events.
//!
//! A time event becomes a delay, and a signal event becomes a wait for one of the process's
//! signals. Other events can occur at any time, so they're assumed to have already occurred.

use super::reader::Reader;
use super::tree::NodeId;
use crate::diagnostic::catalogue::model as rules;
use crate::diagnostic::{Diagnostic, Span};
use crate::marte_values::{self, Dimension};
use crate::model::{Element, ElementId, Stereotype, StereotypeKind};
use crate::path;
use crate::source::Text;

/// Common names for units of time, with the unit in VSL.
const UNITS: [(&str, &str); 18] = [
    ("second", "s"),
    ("seconds", "s"),
    ("secs", "s"),
    ("msec", "ms"),
    ("millisecond", "ms"),
    ("milliseconds", "ms"),
    ("microsecond", "us"),
    ("microseconds", "us"),
    ("m", "min"),
    ("min", "min"),
    ("mins", "min"),
    ("minute", "min"),
    ("minutes", "min"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("nanoseconds", "ns"),
];

/// Returns `true` for UML types of actions that have an event or a signal.
pub(super) fn is_triggered(kind: &str) -> bool {
    matches!(
        kind,
        "AcceptEventAction" | "AcceptCallAction" | "SendSignalAction"
    )
}

enum Event {
    Time(Text),
    Signal(Text),
    /// Another event, described in words.
    Other(String),
}

impl Reader<'_, '_> {
    /// Applies a matching stereotype to each action without a stereotype that sends a signal or
    /// waits for an event.
    pub(super) fn read_triggers(&mut self) {
        for id in (0..self.elements.len()).map(ElementId) {
            let node = self.element_nodes[id.0];
            let is_drawn = self.element_of.get(&node) == Some(&id);
            let kind = self.tree.kind(node);
            let is_free = self.elements[id.0].stereotype.is_none() && !self.is_step(node);
            if !(is_drawn && is_free && is_triggered(kind)) {
                continue;
            }
            let event = match kind {
                "SendSignalAction" => self.sent(node, id),
                _ => self.awaited(node, id),
            };
            let (kind, tag, text) = match event {
                Event::Time(text) => (StereotypeKind::Delay, "cost", text),
                Event::Signal(text) if kind == "SendSignalAction" => {
                    (StereotypeKind::SendSignal, "signal", text)
                }
                Event::Signal(text) => (StereotypeKind::AcceptSignal, "signal", text),
                Event::Other(what) => {
                    self.note_unknown(node, id, &what);
                    continue;
                }
            };
            self.elements[id.0].stereotype = Some(Stereotype {
                kind,
                tags: [(tag.to_owned(), text)].into(),
                span: self.tree.span(node),
                is_implied: true,
            });
        }
    }

    fn sent(&mut self, node: NodeId, id: ElementId) -> Event {
        match self.signal_name(node, id) {
            Some(name) => Event::Signal(name),
            None => Event::Other("does not name a signal and does nothing".to_owned()),
        }
    }

    fn awaited(&mut self, node: NodeId, id: ElementId) -> Event {
        let events = self.events_of(node, id);
        let waits =
            |what: &str| Event::Other(format!("waits for {what}, which counts as having occurred"));
        let event = match events[..] {
            [] => return waits("an event that it does not name"),
            [event] => event,
            _ => return waits("the first of several events"),
        };
        let kind = self.tree.kind(event);
        match kind {
            "TimeEvent" => match self.time(event, id) {
                Some(time) => Event::Time(time),
                None => waits("a time that is not given"),
            },
            "SignalEvent" => match self.signal_name(event, id) {
                Some(name) => Event::Signal(name),
                None => waits("a signal that is not given"),
            },
            "ChangeEvent" => waits("a condition (ChangeEvent)"),
            "CallEvent" => waits("a call (CallEvent)"),
            "AnyReceiveEvent" => waits("any message (AnyReceiveEvent)"),
            _ => waits("an event that is not supported"),
        }
    }

    fn events_of(&mut self, node: NodeId, id: ElementId) -> Vec<NodeId> {
        let path = self.elements[id.0].path.clone();
        let children = self.tree.children_in(node, "trigger");
        let mut triggers: Vec<NodeId> =
            children.filter(|&it| !self.tree.is_reference(it)).collect();
        for reference in self.tree.references(node, "trigger") {
            triggers.extend(self.resolve(&reference, &path));
        }
        let mut events = Vec::new();
        for trigger in triggers {
            if let Some(inner) = self.event_within(trigger) {
                events.push(inner);
            } else if let Some(reference) = self.tree.reference(trigger, "event") {
                events.extend(self.resolve(&reference, &path));
            } else {
                events.push(trigger);
            }
        }
        events
    }

    /// Returns the event of a trigger. Some tools write the event in place of the trigger, and
    /// others nest it.
    fn event_within(&self, trigger: NodeId) -> Option<NodeId> {
        let is_event = |it: &NodeId| matches!(self.tree.kind(*it), "TimeEvent" | "SignalEvent");
        let children = || self.tree.children(trigger);
        let deeper = children().flat_map(|it| self.tree.children(it));
        std::iter::once(trigger)
            .chain(children())
            .chain(deeper)
            .find(is_event)
    }

    fn signal_name(&mut self, node: NodeId, id: ElementId) -> Option<Text> {
        let reference = self.tree.reference(node, "signal")?;
        let name = if reference.file.is_some() {
            reference.id.clone()
        } else {
            let path = self.elements[id.0].path.clone();
            let signal = self.resolve(&reference, &path)?;
            let name = self.tree.name(signal).value;
            if name.is_empty() {
                reference.id.clone()
            } else {
                name
            }
        };
        Some(Text::new(name, reference.span))
    }

    /// Returns the time of a time event as an expression, in seconds.
    fn time(&mut self, event: NodeId, id: ElementId) -> Option<Text> {
        let when = self.tree.children_in(event, "when").next();
        let inner = when.and_then(|it| self.tree.children_in(it, "expr").next());
        let text = if let Some(expr) = inner {
            let path = self.elements[id.0].path.clone();
            self.value(expr, &path)?.text
        } else {
            let of_child = when.and_then(|it| self.written(it));
            of_child.or_else(|| self.tree.property(event, "when"))?
        };
        let text = text.trimmed(self.tree.source);
        if text.value.is_empty() {
            return None;
        }
        if self
            .tree
            .property(event, "isRelative")
            .is_none_or(|it| it.value != "true")
        {
            self.note_absolute(id, text.span);
        }
        Some(self.trigger_duration(text))
    }

    /// Returns the text of a value that isn't stored in a separate expression.
    fn written(&self, when: NodeId) -> Option<Text> {
        let property = ["value", "body", "expr"]
            .into_iter()
            .find_map(|it| self.tree.property(when, it));
        property.or_else(|| self.tree.content(when))
    }

    /// Converts a duration to seconds. It can have a unit, as in `5 ms`, be written in VSL, or be
    /// an expression.
    fn trigger_duration(&mut self, text: Text) -> Text {
        let text = without_after(text, self.tree.source);
        let text = with_known_unit(text);
        let has_unit = marte_values::parse(&text.value)
            .is_ok_and(|it| matches!(it.kind, marte_values::ValueKind::Tuple(_)));
        if has_unit {
            // Invalid values have been reported.
            let price = self.price("when", &text, Dimension::Time);
            return price.map_or_else(|| Text::new("0.0", text.span), |it| it.text);
        }
        text
    }

    fn note_absolute(&mut self, id: ElementId, span: Span) {
        let Element { path, .. } = &self.elements[id.0];
        let message = "the time of the event counts from the start of its action";
        let help = "set `isRelative=true` to make this explicit: a simulation has no time of day";
        let finding = Diagnostic::new(&rules::ABSOLUTE_TIME, span, message);
        let finding = finding.element(path.clone()).help(help);
        self.note_kind("TimeEvent", finding);
    }

    fn note_unknown(&mut self, node: NodeId, id: ElementId, what: &str) {
        self.idle.insert(id);
        let kind = path::shorten(self.tree.kind(node));
        let message = format!("the {kind} {what}");
        let help = "give it a time or a signal of the program, or apply a stereotype";
        let finding = Diagnostic::new(&rules::INERT_ACTION, self.tree.span(node), message);
        let finding = finding.element(self.elements[id.0].path.clone()).help(help);
        self.note_kind(&format!("{kind} {what}"), finding);
    }
}

/// Removes the word before a duration in texts such as `after 2 days`.
fn without_after(text: Text, source: &crate::source::Source) -> Text {
    const AFTER: &str = "after ";
    let begins = text.value.get(..AFTER.len());
    if begins.is_some_and(|it| it.eq_ignore_ascii_case(AFTER)) {
        let end = text.value.len();
        return text.slice(source, AFTER.len(), end).trimmed(source);
    }
    text
}

/// Replaces the name of a unit with the unit in VSL.
fn with_known_unit(text: Text) -> Text {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let word = text.value.trim_start_matches(is_number).trim_start();
    let number = text.value[..text.value.len() - word.len()].trim_end();
    let unit = UNITS
        .iter()
        .find(|(known, _)| word.eq_ignore_ascii_case(known));
    match unit {
        Some((_, unit)) if !number.is_empty() => {
            let tuple = format!("(value={number}, unit={unit})");
            Text::new(tuple, text.span)
        }
        _ => text,
    }
}
