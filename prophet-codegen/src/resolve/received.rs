//! The variables that get what elements tell: what they have received, or which request ended a
//! wait.

use std::collections::BTreeSet;

use super::Resolver;
use crate::diagnostic::catalogue::element as rules;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Type, Variable};
use crate::lang::scope::Binding;
use crate::model::{Element, Stereotype, StereotypeKind};
use crate::program::{Argument, Assigned, Step, Told};
use crate::similar::similar;
use crate::source::Text;

impl Resolver<'_> {
    /// The variables that get what an element tells.
    pub(super) fn results(&mut self, element: &Element, stereotype: &Stereotype) -> Vec<Assigned> {
        if let StereotypeKind::Own(_) = stereotype.kind {
            return Vec::new();
        }
        let later = stereotype.kind == StereotypeKind::NbRecv;
        let mut results = Vec::new();
        for (part, tag) in Told::ALL {
            let Some(text) = stereotype.tags.get(tag) else {
                continue;
            };
            let takes_reals = part == Told::Value;
            match self.target(text, takes_reals, later) {
                Ok(Binding { variable, ty, .. }) => results.push(Assigned { part, variable, ty }),
                Err((why, help)) => {
                    let name = stereotype.kind.name();
                    let message = format!("the {tag} of `{name}` {why}");
                    let rule = &rules::NO_TARGET;
                    self.report(rule, text.span, &element.path, message, &help);
                }
            }
        }
        results
    }

    /// The variable that a tag names, for something to be assigned to, maybe `later`; else why
    /// there is none, and what to do.
    fn target(
        &self,
        text: &Text,
        takes_reals: bool,
        later: bool,
    ) -> Result<Binding, (String, String)> {
        let name = text.value.trim();
        let types = if takes_reals {
            "an int or a double (Integer or Real)"
        } else {
            "an int (Integer)"
        };
        let Some(binding) = self.scope.variables.get(name) else {
            let known = self.scope.variables.iter();
            let known = known.filter(|(_, binding)| binding.writable);
            let help = match similar(name, known.map(|(name, _)| &**name)) {
                Some(guess) => format!("did you mean `{guess}`?"),
                None => format!("declare {types} of that name in the class"),
            };
            return Err((format!("is `{name}`, and there is no such variable"), help));
        };
        if !binding.writable {
            let why = format!("is `{name}`, which cannot be assigned to");
            return Err((why, "name a variable that is not read-only".to_owned()));
        }
        let fits = match &binding.ty {
            Type::Int => true,
            Type::Real => takes_reals,
            Type::Bool | Type::Array(..) => false,
        };
        if !fits {
            let why = format!("is `{name}`, a variable of another type");
            return Err((why, format!("name {types}")));
        }
        if later && !matches!(binding.variable, Variable::Global(_)) {
            let why = format!("is `{name}`, which may be gone when a wait ends the receive");
            let help = "make it a global variable, an attribute of the class";
            return Err((why, help.to_owned()));
        }
        Ok(binding.clone())
    }

    /// Warns of receives that want a value where no send of the program that may be theirs, by its
    /// tag, gives its message one.
    pub(super) fn check_values(&mut self) {
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        let mut open: Vec<&Step> = self
            .program
            .diagrams
            .iter()
            .flat_map(|it| &it.steps)
            .collect();
        while let Some(step) = open.pop() {
            open.extend(step.blocks().into_iter().flatten());
            let Step::Execute(execute) = step else {
                continue;
            };
            let argument = |tag: &str| execute.arguments.iter().find(|it| it.tag == tag);
            if let Some(value) = argument("value") {
                sends.push((tag_of(argument("tag")), value.value.is_some()));
            }
            let wants = |it: &Assigned| it.part == Told::Value;
            if execute.results.iter().any(wants) {
                receives.push((tag_of(argument("tag")), execute.element));
            }
        }
        let all: Tags = sends.iter().map(|(tag, _)| *tag).collect();
        let carrying = sends.iter().filter(|(_, carries)| *carries);
        let carrying: Tags = carrying.map(|(tag, _)| *tag).collect();
        receives.sort_by_key(|(_, element)| *element);
        for (tag, element) in receives {
            if !may_match(&all, tag) || may_match(&carrying, tag) {
                continue;
            }
            let element = &self.program.elements[element];
            let (span, path) = (element.span, element.path.clone());
            let message = format!("no send gives {path} a value");
            let help = "give the send a `value`, or leave `into` out";
            self.report(&rules::NO_VALUE, span, &path, message, help);
        }
    }
}

/// Tags of messages; none is one that only a run knows.
type Tags = BTreeSet<Option<i64>>;

/// Whether a receive of that tag may get a message with one of these.
fn may_match(tags: &Tags, tag: Option<i64>) -> bool {
    match tag {
        None => !tags.is_empty(),
        Some(_) => tags.contains(&tag) || tags.contains(&None),
    }
}

/// The tag of a send or a receive, as far as it is known before a run.
fn tag_of(argument: Option<&Argument>) -> Option<i64> {
    match argument.and_then(|argument| argument.value.as_ref()) {
        None => Some(0),
        Some(tag) => match constant(tag) {
            Some(Constant::Int(tag)) => Some(tag),
            _ => None,
        },
    }
}
