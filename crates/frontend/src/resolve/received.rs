//! Finds the variables that elements assign to: for received values, or for the request that ended
//! a wait.

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, Type, Variable};
use crate::lang::scope::Binding;
use crate::program::Action;
use crate::program::action::{Assigned, Told};
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Element, Stereotype, StereotypeKind};
use prophet_model::source::Text;
use prophet_text::similar;

impl Resolver<'_> {
    /// Returns the variables for the values that an element receives.
    pub(super) fn results(&mut self, element: &Element, stereotype: &Stereotype) -> Vec<Assigned> {
        let mut results = Vec::new();
        if let Some((variable, ty)) = self.told(element, stereotype, "into") {
            let part = if ty == Type::Real {
                Told::Real
            } else {
                Told::Int
            };
            results.push(Assigned { part, variable });
        }
        for (part, tag) in [
            (Told::Source, "status_source"),
            (Told::Tag, "status_tag"),
            (Told::Size, "status_size"),
        ] {
            if let Some((variable, _)) = self.told(element, stereotype, tag) {
                results.push(Assigned { part, variable });
            }
        }
        results
    }

    /// Returns the variable for the completed request's position in the wait's list.
    pub(super) fn index(&mut self, element: &Element, wait: &Stereotype) -> Option<Variable> {
        let (variable, _) = self.told(element, wait, "index")?;
        Some(variable)
    }

    fn told(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        tag: &str,
    ) -> Option<(Variable, Type)> {
        if let StereotypeKind::Own(_) = stereotype.kind {
            return None;
        }
        let text = stereotype.tags.get(tag)?;
        let later = stereotype.kind == StereotypeKind::NbRecv;
        match self.target(text, tag == "into", later) {
            Ok(Binding { variable, ty, .. }) => Some((variable, ty)),
            Err((why, help)) => {
                let name = stereotype.kind.name();
                let message = format!("the {tag} of `{name}` {why}");
                let rule = &rules::NO_TARGET;
                self.report(rule, text.span, &element.path, message, help);
                None
            }
        }
    }

    /// Returns the variable that a tag names, if it can be assigned to. `later` says that a wait
    /// assigns to it. Otherwise, returns what is wrong and how to fix it.
    fn target(
        &self,
        text: &Text,
        takes_reals: bool,
        later: bool,
    ) -> Result<Binding, (String, Advice)> {
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
                Some(guess) => Advice::did_you_mean(&guess, Remedy::Text),
                None => format!("declare {types} with that name in the class").into(),
            };
            return Err((format!("is `{name}`, which is not a variable"), help));
        };
        if !binding.writable {
            let why = format!("is `{name}`, which cannot be assigned to");
            return Err((why, "name a variable that can be assigned to".into()));
        }
        let fits = match &binding.ty {
            Type::Int => true,
            Type::Real => takes_reals,
            Type::Bool | Type::Array(..) => false,
        };
        if !fits {
            let why = format!("is `{name}`, a variable of the wrong type");
            return Err((why, format!("name {types}").into()));
        }
        if later && !matches!(binding.variable, Variable::Global(_)) {
            let why =
                format!("is `{name}`, which may no longer exist when a wait completes the receive");
            let help = "make it a global variable (an attribute of the class)";
            return Err((why, help.into()));
        }
        Ok(binding.clone())
    }

    /// Warns about receives that expect a value, if no matching send has one.
    pub(super) fn check_values(&mut self) {
        let mut sends = Vec::new();
        let mut receives = Vec::new();
        for execute in self.program.executions() {
            let tag = match &execute.action {
                Action::Send(it) => &it.tag,
                Action::Receive(it) => &it.tag,
                Action::SendReceive(it) => &it.tag,
                _ => continue,
            };
            let tag = tag_of(tag.as_ref());
            if !matches!(execute.action, Action::Receive(_)) {
                sends.push((tag, execute.action.sent().is_some()));
            }
            let wants = |it: &Assigned| it.part.is_value();
            if execute.action.results().iter().any(wants) {
                receives.push((tag, execute.element));
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
            let help = "give the send a `value`, or remove `into`";
            self.report(&rules::NO_VALUE, span, &path, message, help);
        }
    }
}

/// Message tags. `None` is a tag that is unknown before a run.
type Tags = BTreeSet<Option<i64>>;

/// Returns `true` if a receive with this tag could match a message with one of `tags`.
fn may_match(tags: &Tags, tag: Option<i64>) -> bool {
    match tag {
        None => !tags.is_empty(),
        Some(_) => tags.contains(&tag) || tags.contains(&None),
    }
}

/// Returns the tag of a send or receive; `None` if it is unknown before a run.
fn tag_of(tag: Option<&Expression>) -> Option<i64> {
    match tag {
        None => Some(0),
        Some(tag) => match constant(tag) {
            Some(Constant::Int(tag)) => Some(tag),
            _ => None,
        },
    }
}
