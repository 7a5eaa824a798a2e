//! Assumes numbers that UML can't express, and signals that come from outside the program.

use super::chance::{free_name, identifier};
use super::{Change, Mender};
use prophet_model::diagnostic::Diagnostic;
use prophet_model::model::{Element, ElementId, Stereotype, StereotypeKind};
use prophet_model::source::Text;

impl Mender<'_> {
    /// Makes the number of elements of an expansion region a parameter.
    pub(super) fn count_elements(&mut self, error: &Diagnostic) -> bool {
        let Some(id) = self.element_at(error) else {
            return false;
        };
        let element = self.model.element(id);
        let kind = element.stereotype.as_ref().map(|it| it.kind);
        let (name, is_parallel) = match kind {
            Some(StereotypeKind::LoopPlus) => ("loop+", false),
            Some(StereotypeKind::ParallelDo) => ("paralleldo", true),
            _ => return false,
        };
        let (span, path) = (element.span, element.path.clone());
        let mut taken = self.names();
        let parameter = free_name(identifier("n", &[&element.name]), &mut taken);
        let mut tags = vec![("iterations", parameter.clone())];
        if is_parallel {
            // One thread per element. Without elements, a single thread that does nothing.
            tags.push(("threads", format!("max({parameter}, 1)")));
        }
        let comment = format!("Number of elements of {path} (assumed)");
        self.add_parameter(id, (&parameter, "Integer", "1"), comment);
        self.set_tags(id, &tags);
        let flag = parameter.replace('_', "-");
        let text = format!("{path} runs for 1 element; `--{flag}` sets the number");
        let change = Change::Stereotype {
            element: span,
            name,
            tags,
            parameter: Some((parameter, "1".to_owned())),
        };
        self.note(id, span, text, change);
        true
    }

    /// Assumes that a signal is available when it is awaited, if nothing in the program sends it.
    pub(super) fn let_come(&mut self, error: &Diagnostic) -> bool {
        let is_wait = |it: &Element| {
            let stereotype = it.stereotype.as_ref();
            let is_implied =
                |of: &Stereotype| of.kind == StereotypeKind::AcceptSignal && of.span == it.span;
            it.path == error.element && stereotype.is_some_and(is_implied)
        };
        let found = self.model.elements.iter().position(is_wait);
        let Some(id) = found.map(ElementId) else {
            return false;
        };
        let element = &mut self.model.elements[id.0];
        let (span, path) = (element.span, &element.path);
        let Some(stereotype) = &mut element.stereotype else {
            return false;
        };
        let signal = stereotype.tags.remove("signal");
        let signal = signal.map_or_else(String::new, |it| it.value);
        let signal = prophet_model::path::shorten(signal.trim());
        let text = format!("nothing sends the signal `{signal}`, so {path} does not wait for it");
        stereotype.kind = StereotypeKind::Delay;
        let tags = vec![("time", "0".to_owned())];
        self.set_tags(id, &tags);
        let change = Change::Stereotype {
            element: span,
            name: "delay",
            tags,
            parameter: None,
        };
        self.note(id, span, text, change);
        true
    }

    fn set_tags(&mut self, id: ElementId, tags: &[(&'static str, String)]) {
        let element = &mut self.model.elements[id.0];
        let span = element.span;
        if let Some(stereotype) = &mut element.stereotype {
            let tags = tags.iter();
            let tags = tags.map(|(tag, value)| ((*tag).to_owned(), Text::new(value.clone(), span)));
            stereotype.tags.extend(tags);
        }
    }
}
