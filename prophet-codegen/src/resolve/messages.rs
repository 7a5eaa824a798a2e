//! Messages: their partners and requests.

use std::collections::BTreeSet;

use super::Resolver;
use crate::diagnostic::catalogue::element as rules;
use crate::lang;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, ExpressionKind, Type};
use crate::model::{Element, Stereotype, StereotypeKind};

impl Resolver<'_> {
    /// Reports the partner of a message that is a constant and no process.
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
            // What the language converts is looked at as it was.
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
        let message = format!("the {tag} of `{name}` is {wrong}, which is no process");
        let help = match tag {
            "source" => "processes are numbered from 0; ANY stands for whoever sends",
            _ => "processes are numbered from 0",
        };
        self.report(&rules::NO_PROCESS, text.span, &element.path, message, help);
    }

    /// Notes the request of an element that begins one or waits for one.
    pub(super) fn name_request(&mut self, index: usize, element: &Element, of: &Stereotype) {
        use StereotypeKind as S;
        let Some(text) = of.tags.get("request") else {
            return;
        };
        let request = text.value.trim();
        if request.is_empty() {
            return;
        }
        let instead = match of.kind {
            S::BSend => "nbsend",
            S::BRecv => "nbrecv",
            _ => {
                let requests = &mut self.program.requests;
                let known = requests.iter().position(|known| known == request);
                let request = known.unwrap_or_else(|| {
                    requests.push(request.to_owned());
                    requests.len() - 1
                });
                self.program.elements[index].request = Some(request);
                if of.kind == S::Wait {
                    self.waits.push((request, element.path.clone(), text.span));
                }
                return;
            }
        };
        let name = of.kind.name();
        let message = format!("`{name}` is over when it returns: nothing can wait for a request");
        let help = format!("leave the request out, or make it an `{instead}`");
        let rule = &rules::REQUEST_OF_BLOCKING;
        self.report(rule, text.span, &element.path, message, &help);
    }

    /// Reports waits for what nothing begins.
    pub(super) fn check_waits(&mut self) {
        let elements = &self.program.elements;
        let begun: BTreeSet<usize> = elements
            .iter()
            .filter(|element| element.stereotype != Some(StereotypeKind::Wait))
            .filter_map(|element| element.request)
            .collect();
        for (request, path, span) in std::mem::take(&mut self.waits) {
            if begun.contains(&request) {
                continue;
            }
            let names = &self.program.requests;
            let (name, known) = (&names[request], begun.iter().map(|known| &*names[*known]));
            let message = format!("no nbsend or nbrecv of the program has the request {name:?}");
            let help = match lang::similar(name, known) {
                Some(guess) => format!("did you mean `{guess}`?"),
                None => "a wait without a request is for all".to_owned(),
            };
            self.report(&rules::UNKNOWN_REQUEST, span, &path, message, &help);
        }
    }
}
