//! Resolves the partners and requests of messages.

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, ExpressionKind, Type, Variable};
use crate::program::action::{Action, Mode};
use crate::program::{List, ListPlace, RequestIndex};
use prophet_map::Map;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Element, Stereotype, StereotypeKind};
use prophet_model::source::Text;
use prophet_text::similar;

/// Returns the index of a name in `all`. Adds the name if it is new. `known` maps names to their
/// indices.
pub(super) fn number_of<P: ListPlace>(
    name: &str,
    known: &mut Map<String, P>,
    all: &mut List<P, String>,
) -> P {
    if let Some(&number) = known.get(name) {
        return number;
    }
    let number = all.push(name.to_owned());
    known.insert(name.to_owned(), number);
    number
}

impl Resolver<'_> {
    pub(super) fn check_process(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        tag: &str,
        value: &Expression,
    ) {
        if !matches!(tag, "dest" | "source") {
            return;
        }
        let whole = match &value.kind {
            // If the language converts a real to an int, the real number itself is checked.
            ExpressionKind::Cast(real) if real.ty == Type::Real => constant(real),
            _ => constant(value),
        };
        let wrong = match whole {
            Some(Constant::Int(number)) if number < 0 => number.to_string(),
            Some(Constant::Real(number)) if number < 0.0 || number.fract() != 0.0 => {
                format!("{number:?}")
            }
            _ => return,
        };
        let Some(text) = stereotype.tags.get(tag) else {
            return;
        };
        let name = stereotype.kind.name();
        let message = format!("the {tag} of `{name}` is {wrong}, which is not a process");
        let help = match tag {
            "source" => {
                "processes are numbered from 0; write ANY for any sender, or PROC_NULL for no \
                 process"
            }
            _ => "processes are numbered from 0; write PROC_NULL for no process",
        };
        self.report(&rules::NO_PROCESS, text.span, &element.path, message, help);
    }

    pub(super) fn requests(&mut self, element: &Element, of: &Stereotype) -> Vec<RequestIndex> {
        use StereotypeKind as S;
        let Some(text) = of.tags.get("request") else {
            return Vec::new();
        };
        let request = text.value.trim();
        if request.is_empty() {
            return Vec::new();
        }
        let name = of.kind.name();
        let instead = match of.kind {
            S::BSend => "nbsend",
            S::BRecv => "nbrecv",
            S::Wait => return self.awaited_requests(element, text),
            S::NbSend | S::NbRecv => {
                if request.contains(',') {
                    let message = format!("the request {request:?} of `{name}` contains a comma");
                    let help = "give it one name; commas separate the requests of a wait";
                    self.report(&rules::WRONG_VALUE, text.span, &element.path, message, help);
                }
                return vec![self.request(request)];
            }
            // A custom stereotype's tag with this name isn't a request.
            _ => return Vec::new(),
        };
        let message =
            format!("`{name}` is complete when it returns, so nothing can wait for its request");
        let help = format!("remove the request, or make it an `{instead}`");
        let rule = &rules::REQUEST_OF_BLOCKING;
        self.report(rule, text.span, &element.path, message, &help);
        Vec::new()
    }

    fn request(&mut self, name: &str) -> RequestIndex {
        number_of(
            name,
            &mut self.numbers_of_requests,
            &mut self.program.requests,
        )
    }

    fn awaited_requests(&mut self, element: &Element, text: &Text) -> Vec<RequestIndex> {
        let mut wrong = |message: String, help: &str| {
            self.report(&rules::WRONG_VALUE, text.span, &element.path, message, help);
        };
        let mut names = BTreeSet::new();
        for name in text.value.split(',').map(str::trim) {
            if name.is_empty() {
                let message = "the request of `wait` has a comma without a name before or after it";
                wrong(message.to_owned(), "write the names as in `first, second`");
            } else if !names.insert(name) {
                let message = format!("the request of `wait` names {name:?} twice");
                wrong(message, "name each request once");
            }
        }
        let mut requests = Vec::new();
        for name in text.value.split(',').map(str::trim) {
            // Removing the name makes sure that a repeated request counts only once, at its first
            // position.
            if names.remove(name) {
                let request = self.request(name);
                requests.push(request);
                self.waits.push((request, element.path.clone(), text.span));
            }
        }
        requests
    }

    /// Returns what ends a wait. `place` is the variable for the position of the completed request.
    pub(super) fn mode(
        &mut self,
        element: &Element,
        of: &Stereotype,
        place: Option<Variable>,
    ) -> Mode {
        if of.kind != StereotypeKind::Wait {
            return Mode::All;
        }
        let mut wrong = |at: &Text, message: String, help: &str| {
            self.report(&rules::WRONG_VALUE, at.span, &element.path, message, help);
        };
        let text = of.tags.get("mode");
        let mode = match text.map(|text| (text, text.value.trim().to_ascii_lowercase())) {
            None => Mode::All,
            Some((text, word)) => match word.as_str() {
                "all" | "" => Mode::All,
                "any" => Mode::Any { index: place },
                other => {
                    let message = format!("unknown mode {other:?}");
                    wrong(text, message, "write all or any; the default is all");
                    return Mode::All;
                }
            },
        };
        if let Some(index) = of.tags.get("index") {
            if mode == Mode::All {
                let message = "a `wait` for all of its requests cannot have an index";
                wrong(
                    index,
                    message.to_owned(),
                    "set `mode` to any, or remove the index",
                );
            } else if !of.tags.contains_key("request") {
                let message = "the index of `wait` needs a list of requests";
                wrong(
                    index,
                    message.to_owned(),
                    "name the requests, or remove the index",
                );
            }
        }
        mode
    }

    /// Reports waits for requests that no operation starts.
    pub(super) fn check_waits(&mut self) {
        let begins = |action: &Action| !matches!(action, Action::Wait(_));
        let actions = self.program.executions().map(|it| &it.action);
        let begun: BTreeSet<RequestIndex> = actions
            .filter(|action| begins(action))
            .flat_map(|action| action.requests().iter().copied())
            .collect();
        for (request, path, span) in std::mem::take(&mut self.waits) {
            if begun.contains(&request) {
                continue;
            }
            let names = &self.program.requests;
            let (name, known) = (&names[request], begun.iter().map(|known| &*names[*known]));
            let message = format!("no nbsend or nbrecv in the program has the request {name:?}");
            let help = match similar(name, known) {
                // The place may contain several names, so the suggestion can replace it only if it
                // contains just this one.
                Some(guess) if span.range().len() == name.len() => {
                    Advice::did_you_mean(&guess, Remedy::Text)
                }
                Some(guess) => format!("did you mean `{guess}`?").into(),
                None => "to wait for all requests, remove the tag `request`".into(),
            };
            self.report(&rules::UNKNOWN_REQUEST, span, &path, message, help);
        }
    }
}
