//! Reads the tags of performance elements as the vocabulary declares them.

use super::actions::Given;
use super::{Resolver, regions};
use crate::lang;
use crate::lang::ir::{Expression, ExpressionKind, Needs, Type, Variable};
use crate::program::{Execute, Fragment, Step};
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::model::{
    Code, Element, ElementId, Language, NodeKind, Stereotype, StereotypeKind,
};
use prophet_model::vocabulary::{Pricing, Required, Tag, ValueType, Word, word};

impl Resolver<'_> {
    /// Looks up an element's stereotype in the vocabulary. Reports a stereotype that isn't allowed
    /// on this kind of node.
    pub(super) fn word_of(&mut self, element: &Element) -> Option<Word> {
        let stereotype = element.stereotype.as_ref()?;
        let name = stereotype.kind.name();
        let mut word = word(stereotype.kind)?;
        let fits = regions::fits(stereotype.kind, &element.kind);
        if !fits {
            let message = format!(
                "`{name}` cannot be applied to {}",
                super::names::display_name(element)
            );
            let help = regions::where_it_fits(stereotype.kind);
            self.report(
                &rules::WRONG_NODE,
                stereotype.span,
                &element.path,
                message,
                help,
            );
            return None;
        }
        if word.pricing == Pricing::Optional && !matches!(element.kind, NodeKind::Action) {
            word.pricing = Pricing::Content;
        }
        self.check_tags(element, stereotype, &word);
        Some(word)
    }

    fn check_tags(&mut self, element: &Element, stereotype: &Stereotype, word: &Word) {
        let name = stereotype.kind.name();
        if word.pricing == Pricing::Content {
            for tag in ["cost", "time"] {
                if let Some(text) = stereotype.tags.get(tag) {
                    let (what, help) = match stereotype.kind {
                        StereotypeKind::Wait => (
                            "it costs as much as the operations it waits for",
                            "remove it, or give the send or receive a cost",
                        ),
                        StereotypeKind::SendSignal
                        | StereotypeKind::AcceptSignal
                        | StereotypeKind::Event
                        | StereotypeKind::Synchronize => (
                            "its only cost is the time that it waits",
                            "remove it, or give an action next to it a cost",
                        ),
                        StereotypeKind::Own(_) => ("its type computes its cost", "remove it"),
                        _ => (
                            "its content determines its cost",
                            "remove it, or give an element inside it a cost",
                        ),
                    };
                    let message = format!("`{name}` cannot have a {tag}, because {what}");
                    self.report(
                        &rules::PRICED_CONTENT,
                        text.span,
                        &element.path,
                        message,
                        help,
                    );
                }
            }
        }
    }

    /// Builds the step that executes an element without content.
    pub(super) fn execute(&mut self, id: ElementId, word: &Word) -> Option<Step> {
        let element = self.model.element(id);
        let stereotype = element.stereotype.as_ref()?;
        let priced = ["cost", "time"]
            .iter()
            .any(|tag| stereotype.tags.contains_key(*tag));
        let mut given = Given::default();
        for tag in word.tags {
            let required = match tag.required {
                Required::Always => true,
                Required::Unpriced => !priced,
                Required::With(other) => stereotype.tags.contains_key(other),
                Required::Never => false,
            };
            let value = self.typed_tag_value(element, stereotype, tag, required);
            if let Some(value) = &value {
                self.check_process(element, stereotype, tag.name, value);
                self.check_value(element, stereotype, tag.name, value);
            }
            given.values.push((*tag, value));
        }
        given.price = self.price(element, stereotype, word.pricing);
        if let (StereotypeKind::ActionPlus, Some(cost)) =
            (stereotype.kind, stereotype.tags.get("cost"))
        {
            let price = given.price.take();
            given.price = price.map(|price| self.named_cost(element, cost, price));
        }
        given.results = self.results(element, stereotype);
        let place = self.index(element, stereotype);
        let index = self.declare(id, true);
        self.name_lock(index, stereotype);
        given.requests = self.requests(element, stereotype);
        given.signal = self.signal(element, stereotype);
        self.program.elements[index].signal = given.signal;
        given.mode = self.mode(element, stereotype, place);
        given.to_host = self.copies_to_host(element, stereotype);
        self.check_kernel(element, stereotype);
        if stereotype.kind == StereotypeKind::Task {
            given.files = self.files(element, stereotype);
            given.model = self.model_of_task(element, stereotype);
            given.program = self.program_of_task(element, stereotype);
            if given.model.is_some() && given.price.is_none() {
                given.price = Some(nothing());
            }
        }
        let action = given.action(stereotype.kind)?;
        let mut needs = Needs::default();
        for value in action.expressions() {
            needs.merge(&self.needs_of(value));
        }
        let is_global = |it: &Variable| matches!(it, Variable::Global(_));
        needs.globals |= action.assigned().any(is_global);
        Some(Step::Execute(Box::new(Execute {
            element: index,
            action,
            needs,
        })))
    }

    /// Returns the value of an int tag. Reports the tag if it is required but missing.
    pub(super) fn tag_value(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        name: &'static str,
        required: bool,
    ) -> Option<Expression> {
        let tag = Tag {
            name,
            ty: ValueType::Int,
            required: Required::Never,
        };
        self.typed_tag_value(element, stereotype, &tag, required)
    }

    /// Returns the value of a tag. Reports the tag if it is required but missing.
    fn typed_tag_value(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        tag: &Tag,
        required: bool,
    ) -> Option<Expression> {
        let (is_number, ty) = (tag.ty == ValueType::Number, type_of(tag.ty));
        let tag = tag.name;
        if let Some(text) = stereotype.tags.get(tag) {
            self.scope.takes_any = takes_any(stereotype.kind, tag);
            let value = self.tag_expression(text, &ty, &element.path);
            self.scope.takes_any = false;
            return if is_number {
                value.map(as_it_is)
            } else {
                value
            };
        }
        // An invalid `rud` has already been reported.
        if required && !stereotype.tags.contains_key("rud") {
            let name = stereotype.kind.name();
            let is_implied = stereotype.is_implied;
            let message = if is_implied {
                format!(
                    "{} does not say how many elements it runs for",
                    element.path
                )
            } else {
                format!("`{name}` needs the tag `{tag}`")
            };
            let help = match tag {
                "iterations" if is_implied => {
                    "apply `loop+` or `paralleldo` with the tag `iterations`, or use `--assume` \
                     to make it a parameter"
                }
                "dest" => "write the pid of the partner, such as pid + 1",
                "source" => "write the pid of the partner, such as pid + 1, or ANY",
                "size" => {
                    "write the size in bytes, so that the machine can compute the cost, or give \
                     it a cost"
                }
                "iterations" => "write how many times its content runs, such as `iterations = 100`",
                "bytes" if stereotype.kind == StereotypeKind::Copy => {
                    "write how many bytes it copies, so that the machine can compute the cost, or \
                     give it a cost"
                }
                "bytes" => {
                    "write how many bytes it moves through the cache that holds its `working_set`"
                }
                "event" => "write the event's number; events are numbered from 0",
                _ => "",
            };
            self.report(
                &rules::MISSING_TAG,
                stereotype.span,
                &element.path,
                message,
                help,
            );
        }
        None
    }

    fn price(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        pricing: Pricing,
    ) -> Option<Expression> {
        let tags = &stereotype.tags;
        match (tags.get("cost"), tags.get("time")) {
            (Some(cost), Some(time)) => {
                let message = "the element has both a cost and a time".to_owned();
                let help = "keep one: cost is an expression, time a number of seconds";
                self.report(
                    &rules::SEVERAL_PRICES,
                    time.span,
                    &element.path,
                    message,
                    help,
                );
                self.tag_expression(cost, &Type::Real, &element.path)
            }
            (Some(cost), None) => self.tag_expression(cost, &Type::Real, &element.path),
            (None, Some(time)) => self.time(element, time),
            (None, None) => {
                let has_model =
                    stereotype.kind == StereotypeKind::Task && tags.contains_key("model");
                if pricing == Pricing::Required && !tags.contains_key("rud") && !has_model {
                    let name = stereotype.kind.name();
                    let message = format!("the `{name}` {:?} needs a cost", element.name);
                    let help = "add the tag cost (an expression) or time (seconds)";
                    self.report(
                        &rules::NO_PRICE,
                        stereotype.span,
                        &element.path,
                        message,
                        help,
                    );
                }
                None
            }
        }
    }

    fn time(
        &mut self,
        element: &Element,
        text: &prophet_model::source::Text,
    ) -> Option<Expression> {
        let value = text
            .value
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|t| t.is_finite() && *t >= 0.0);
        let Some(value) = value else {
            let message = format!("the time {:?} is not a number of seconds", text.value);
            let help = "write a number, 0 or more; an expression belongs in the tag cost";
            self.report(&rules::BAD_TIME, text.span, &element.path, message, help);
            return None;
        };
        Some(Expression {
            kind: ExpressionKind::Real(format!("{value:?}")),
            ty: Type::Real,
        })
    }

    pub(super) fn code(&mut self, id: ElementId) -> Option<Step> {
        let element = self.model.element(id);
        let tag = element.stereotype.as_ref().and_then(|s| s.tags.get("code"));
        let source = match (&element.body, tag) {
            (Some(body), Some(tag)) if body.text.value.trim() != tag.value.trim() => {
                let message = "the element has code both as its body and as a tag".to_owned();
                let help = "keep one of them";
                self.report(&rules::CODE_TWICE, tag.span, &element.path, message, help);
                body.clone()
            }
            (Some(body), _) => body.clone(),
            (None, Some(tag)) => Code {
                language: Language::C,
                text: tag.clone(),
            },
            (None, None) => return None,
        };
        self.load_tables(&source, &element.path);
        let place = lang::CodePlace {
            source: self.source,
            element: &element.path,
        };
        let statements = lang::fragment(&source, &self.scope, place, self.diagnostics)?;
        if statements.is_empty() {
            return None;
        }
        let needs = self.needs_of_statements(&statements);
        let index = self.declare(id, needs.fallible || needs.stream);
        Some(Step::Code(Fragment {
            element: index,
            statements,
            needs,
            source,
        }))
    }
}

/// Returns a placeholder for the cost of a task that another model predicts.
fn nothing() -> Expression {
    Expression {
        kind: ExpressionKind::Real("0.0".to_owned()),
        ty: Type::Real,
    }
}

/// Returns the type of a tag's value in the cost language. For a number, which may be an int or a
/// real, returns the default.
fn type_of(value: ValueType) -> Type {
    match value {
        ValueType::Int => Type::Int,
        ValueType::Real | ValueType::Number => Type::Real,
        ValueType::Bool => Type::Bool,
    }
}

fn takes_any(stereotype: StereotypeKind, tag: &str) -> bool {
    match tag {
        "source" => true,
        "tag" => matches!(stereotype, StereotypeKind::BRecv | StereotypeKind::NbRecv),
        _ => false,
    }
}

/// Removes the conversion of a number to a real, so that an int stays an int.
fn as_it_is(number: Expression) -> Expression {
    match number.kind {
        ExpressionKind::Cast(inside) if inside.ty == Type::Int => *inside,
        // `true` counts as 1.
        ExpressionKind::Cast(inside) if inside.ty == Type::Bool => Expression {
            kind: ExpressionKind::Cast(inside),
            ty: Type::Int,
        },
        _ => number,
    }
}
