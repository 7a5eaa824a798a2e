//! Evaluates a rule's conditions for one subject.

use super::code::{c, fragment, names};
use super::facts::Facts;
use super::graph::condition;
use super::guards;
use super::language::{
    Condition, DiagramKind, FlowSelection, GuardKind, GuardState, SetId, Tag, TagType, Wrong,
};
use crate::lang::ir::Type;
use prophet_model::diagnostic::Span;
use prophet_model::model::{Code, DiagramId, Element, ElementId, Flow, Guard, Variable};
use prophet_model::source::Text;

const VALUES_MAX: usize = 16;

#[derive(Debug, Clone, Copy)]
pub(super) enum SubjectElement<'m> {
    Element(ElementId),
    Flow(usize),
    Tag(ElementId, &'m Tag),
    Diagram(DiagramId),
    Variable(&'m Variable),
    Function(usize),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Place of the tag or guard that is being checked.
    pub(super) place: Option<Span>,
    pub(super) other: Option<ElementId>,
    pub(super) value: Option<String>,
    pub(super) count: Option<usize>,
}

pub(super) struct Evaluation<'f, 'm> {
    pub(super) facts: &'f Facts<'m>,
    pub(super) target: SubjectElement<'m>,
    pub(super) found: Found,
}

impl<'m> Evaluation<'_, 'm> {
    pub(super) fn all(&mut self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|it| self.holds(it))
    }

    fn holds(&mut self, it: &Condition) -> bool {
        match it {
            Condition::All(inside) => self.all(inside),
            Condition::Any(inside) => inside.iter().any(|it| self.holds(it)),
            Condition::Not(inside) => {
                let found = self.found.clone();
                let holds = self.all(inside);
                self.found = found;
                !holds
            }
            Condition::ProgramReaches { set, without } => {
                self.facts.program_reaches(*set, *without)
            }
            Condition::ProgramEnds(without) => self.facts.walk_without(*without).ends,
            Condition::Diagram(kind) => self.is_in(*kind),
            Condition::Used | Condition::Assigned | Condition::Default | Condition::Parameter => {
                self.about_variable(it)
            }
            Condition::Called => match self.target {
                SubjectElement::Diagram(id) => self.facts.is_called(id),
                SubjectElement::Function(index) => self.facts.codes.is_called(index),
                _ => false,
            },
            Condition::Guard(state) => self.flow().is_some_and(|it| self.guard(it, *state)),
            Condition::Empty | Condition::Contains { .. } | Condition::NeverEnds => {
                self.about_content(it)
            }
            Condition::Varies { tag: None, by } => {
                let flow = self.flow().map(|it| self.facts.graph.flows[it]);
                let code = flow.and_then(condition);
                code.is_some_and(|code| self.facts.varies(code.into(), *by))
            }
            Condition::Exists { set, partner } => {
                let Some((tag, absent)) = partner else {
                    return self.facts.exists(*set);
                };
                let text = self.tag(tag).map(|it| it.value.as_str());
                let names = tag == "request";
                let values = self.facts.values(*set, tag, absent, names);
                match absent.or(text, names) {
                    Some(own) => values.matches(&own),
                    None => !values.is_empty(),
                }
            }
            Condition::Is(set) => {
                let element = self.element().or_else(|| {
                    let flow = self.flow()?;
                    Some(self.facts.graph.flows[flow].target)
                });
                element.is_some_and(|id| self.facts.is(id, *set))
            }
            _ => match self.element() {
                Some(id) => self.about_element(id, it),
                None => false,
            },
        }
    }

    fn element(&self) -> Option<ElementId> {
        match self.target {
            SubjectElement::Element(id) | SubjectElement::Tag(id, _) => Some(id),
            _ => None,
        }
    }

    fn flow(&self) -> Option<usize> {
        match self.target {
            SubjectElement::Flow(flow) => Some(flow),
            _ => None,
        }
    }

    fn model(&self, id: ElementId) -> &'m Element {
        self.facts.graph.element(id)
    }

    fn tag(&self, name: &str) -> Option<&'m Text> {
        let element = self.model(self.element()?);
        element.stereotype.as_ref()?.tags.get(name)
    }

    fn is_in(&self, kind: DiagramKind) -> bool {
        let graph = self.facts.graph;
        let diagram = match self.target {
            SubjectElement::Element(id) | SubjectElement::Tag(id, _) => self.model(id).diagram,
            SubjectElement::Flow(flow) => self.model(graph.flows[flow].source).diagram,
            SubjectElement::Diagram(id) => id,
            SubjectElement::Variable(_) | SubjectElement::Function(_) => return false,
        };
        match kind {
            DiagramKind::Any => true,
            DiagramKind::Program => diagram == graph.model.main,
            DiagramKind::Activity => !graph.is_content(diagram),
            DiagramKind::Content => graph.is_content(diagram),
        }
    }

    fn about_variable(&self, it: &Condition) -> bool {
        let SubjectElement::Variable(variable) = self.target else {
            return false;
        };
        let name = variable.name.value.as_str();
        match it {
            Condition::Used => self.facts.codes.mentions(name),
            Condition::Assigned => self.facts.codes.assigns_to(name),
            Condition::Parameter => self.facts.is_parameter(variable),
            _ => variable.default.is_some(),
        }
    }

    fn about_content(&mut self, it: &Condition) -> bool {
        let facts = self.facts;
        match (it, self.target) {
            (Condition::Empty, SubjectElement::Diagram(id)) => {
                facts.graph.model.diagram(id).elements.is_empty()
            }
            (Condition::Contains { set, deep, count }, SubjectElement::Diagram(id)) => {
                self.counted(facts.counts(*set, *deep)[id.0], *count)
            }
            (Condition::NeverEnds, SubjectElement::Diagram(id)) => {
                !facts.plain_walk().passes_diagram(id)
            }
            (Condition::NeverEnds, _) => {
                let element = self.element().map(|id| self.model(id));
                element.is_some_and(|it| !facts.plain_walk().passes_diagram(it.diagram))
            }
            (Condition::Empty, _) => self.element().is_some_and(|id| facts.is_empty(id)),
            (Condition::Contains { set, deep, count }, _) => match self.element() {
                Some(id) => self.counted(facts.count_in(id, *set, *deep), *count),
                None => false,
            },
            _ => false,
        }
    }

    fn counted(&mut self, number: usize, count: super::language::Count) -> bool {
        self.found.count = Some(number);
        (count.min..=count.max).contains(&number)
    }

    fn guard(&mut self, flow: usize, state: GuardState) -> bool {
        let flow = self.facts.graph.flows[flow];
        let constant = || condition(flow).and_then(|it| self.facts.codes.constant_condition(it));
        let holds = match state {
            GuardState::Never => constant() == Some(false),
            GuardState::Always => constant() == Some(true),
            GuardState::Repeated => self.is_repeated(flow),
            GuardState::Else => matches!(flow.guard, Some(Guard::Else)),
            GuardState::Condition => condition(flow).is_some(),
        };
        if holds {
            self.found.place = Some(condition(flow).map_or(flow.span, |it| it.text.span));
            self.found.value = condition(flow).map(|it| shown(&it.text.value));
        }
        holds
    }

    /// Returns `true` if an earlier flow out of the same element has the same guard.
    fn is_repeated(&self, flow: &Flow) -> bool {
        let Some(own) = condition(flow) else {
            return false;
        };
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let own_text = plain(&own.text.value);
        let graph = self.facts.graph;
        let flows = graph.outgoing(flow.source).iter().take(GUARDS_MAX);
        let mut earlier = flows
            .map(|&it| graph.flows[it])
            .take_while(|it| it.span != flow.span)
            .filter_map(condition);
        earlier.any(|it| it.language == own.language && plain(&it.text.value) == own_text)
    }

    fn about_element(&mut self, id: ElementId, it: &Condition) -> bool {
        let facts = self.facts;
        match it {
            Condition::Flows { .. } => self.flows(id, it),
            Condition::Next { set, through } => self.note(facts.next(id, *set, *through)),
            Condition::Inside { set, until, same } => {
                let around = facts.inside(*set, *until)[self.model(id).diagram.0];
                self.note(around) && self.is_same(around, same.as_deref())
            }
            Condition::Named => !self.model(id).name.trim().is_empty(),
            Condition::SameName => facts.has_same_name(id),
            Condition::Implied => facts.is_implied(id),
            Condition::Unreachable => !facts.is_reachable(id),
            Condition::Endless => facts.is_endless(id),
            Condition::CanAllFail => self.can_all_fail(id),
            Condition::Branch { on, balanced } => {
                let decider = facts.deciders(*on, *balanced)[id.0];
                self.note(decider.filter(|it| !facts.is_loop(*it)))
            }
            Condition::Loop(on) => {
                let decider = facts.deciders(*on, None)[id.0];
                self.note(decider.filter(|it| facts.is_loop(*it)))
            }
            Condition::Chain(set) => self.note(facts.chains(*set)[id.0]),
            Condition::LeadsTo { set, without } => match set {
                Some(set) => facts.leads_to(*set, *without)[id.0],
                None => facts.leads_to_itself(id, *without),
            },
            Condition::Follows(set) => facts.follows(*set)[id.0],
            Condition::FromStart(without) => facts.walk_without(*without).reached[id.0],
            Condition::Code => fragment(self.model(id)).is_some(),
            Condition::AssignsGlobal => {
                let assigned = facts.codes.assigned_by(self.model(id));
                let global = assigned.iter().find(|it| facts.is_global(it));
                self.found.value = global.map(|it| shown(it));
                global.is_some()
            }
            Condition::Mentions(name) => self.mentions(id, name),
            _ => self.about_tag(it),
        }
    }

    fn note(&mut self, other: Option<ElementId>) -> bool {
        self.found.other = other.or(self.found.other);
        other.is_some()
    }

    fn is_same(&self, around: Option<ElementId>, tag: Option<&str>) -> bool {
        let Some(tag) = tag else {
            return true;
        };
        let other = around.and_then(|it| self.model(it).stereotype.as_ref());
        let text = |text: Option<&Text>| text.map(|it| it.value.trim().to_owned());
        text(other.and_then(|it| it.tags.get(tag))) == text(self.tag(tag))
    }

    fn flows(&mut self, id: ElementId, it: &Condition) -> bool {
        let Condition::Flows {
            way,
            guard,
            other,
            to_itself,
            count,
        } = it
        else {
            return false;
        };
        let graph = self.facts.graph;
        let flows = match way {
            FlowSelection::In => graph.incoming(id),
            FlowSelection::Out => graph.outgoing(id),
        };
        let fits = |flow: &Flow| {
            let end = match way {
                FlowSelection::In => flow.source,
                FlowSelection::Out => flow.target,
            };
            let kind = match &flow.guard {
                None => GuardKind::None,
                Some(Guard::Else) => GuardKind::Else,
                Some(Guard::When(_)) => GuardKind::Condition,
            };
            guard.is_none_or(|guard| guard == kind)
                && other.is_none_or(|set| self.facts.is(end, set))
                && (!to_itself || end == id)
        };
        let fitting: Vec<&Flow> = flows
            .iter()
            .map(|&flow| graph.flows[flow])
            .filter(|flow| fits(flow))
            .collect();
        if let [flow, ..] = fitting[..]
            && (guard.is_some() || other.is_some() || *to_itself)
        {
            self.found.place = Some(flow.span);
            self.found.other = Some(match way {
                FlowSelection::In => flow.source,
                FlowSelection::Out => flow.target,
            });
        }
        self.counted(fitting.len(), *count)
    }

    /// Returns `true` if all guards of an element could fail. With too many or unreadable guards,
    /// the result is `false`.
    fn can_all_fail(&self, id: ElementId) -> bool {
        let graph = self.facts.graph;
        let flows = graph.outgoing(id);
        if flows.len() > GUARDS_MAX {
            return false;
        }
        let mut expressions = Vec::new();
        for &flow in flows {
            let Some(code) = condition(graph.flows[flow]) else {
                return false;
            };
            match self.facts.codes.expression(code.into(), &Type::Bool) {
                Some(expression) => expressions.push(expression),
                // Code that doesn't parse is reported elsewhere.
                None => return false,
            }
        }
        let values = |name: &str| {
            let values = self.facts.codes.values_of(name)?;
            (values.len() <= VALUES_MAX).then_some(values)
        };
        !expressions.is_empty() && !guards::cover(&expressions, &values)
    }

    fn mentions(&mut self, id: ElementId, name: &str) -> bool {
        let element = self.model(id);
        let tags = element.stereotype.iter().flat_map(|it| &it.tags);
        for (_, text) in tags {
            if names(c(text)).any(|it| it == name) {
                self.found.place = Some(text.span);
                return true;
            }
        }
        let graph = self.facts.graph;
        let flows = graph.outgoing(id).iter().map(|&it| graph.flows[it]);
        let guards = flows.filter_map(condition);
        let code = element.body.iter().chain(guards);
        let has = |code: &&Code| names((*code).into()).any(|it| it == name);
        let found = code.into_iter().find(has);
        self.found.place = found.map(|it| it.text.span).or(self.found.place);
        found.is_some()
    }

    fn about_tag(&mut self, it: &Condition) -> bool {
        let facts = self.facts;
        let (Condition::Has(name)
        | Condition::Offset(name)
        | Condition::Fraction(name)
        | Condition::Below { tag: name, .. }
        | Condition::Mismatch { tag: name, .. }
        | Condition::Text { tag: name, .. }
        | Condition::Value { tag: name, .. }
        | Condition::Varies {
            tag: Some(name), ..
        }) = it
        else {
            return match it {
                Condition::Wrong(wrong) => self.is_wrong(*wrong),
                _ => false,
            };
        };
        let Some(text) = self.tag(name) else {
            return false;
        };
        let holds = match it {
            Condition::Has(_) => true,
            Condition::Offset(_) => facts.offset(text).is_some(),
            Condition::Fraction(_) => facts.codes.is_fraction(text),
            Condition::Below { tag, set } => self.is_below(tag, text, *set),
            Condition::Mismatch { partner, set, .. } => self.fits_none(text, partner, *set),
            Condition::Text { equals, .. } => {
                let plain = |text: &str| text.split_whitespace().collect::<String>();
                plain(&text.value) == plain(equals)
            }
            Condition::Value {
                below,
                above,
                equals,
                ..
            } => {
                let value = facts.codes.constant_tag(text);
                value.is_some_and(|value| {
                    below.is_none_or(|it| value < it)
                        && above.is_none_or(|it| value > it)
                        && equals.is_none_or(|it| (value - it).abs() == 0.0)
                })
            }
            Condition::Varies { by, .. } => facts.varies(c(text), *by),
            _ => false,
        };
        if holds {
            self.found.place = Some(text.span);
            self.found.value = Some(shown(&text.value));
        }
        holds
    }

    /// Returns `true` if a value is less than the same tag's value in every element that could send
    /// the message.
    fn is_below(&self, tag: &str, text: &Text, set: SetId) -> bool {
        let least = self.element().and_then(|id| {
            let messages = self.facts.messages(set, tag);
            messages.least(self.model(id))
        });
        let value = self.facts.codes.constant_tag(text);
        value.zip(least).is_some_and(|(value, least)| value < least)
    }

    /// Returns `true` if no possible partner's `partner` tag points back over the distance that
    /// this tag adds to `pid`.
    fn fits_none(&self, text: &Text, partner: &str, set: SetId) -> bool {
        let offset = self.facts.offset(text);
        self.element().zip(offset).is_some_and(|(id, offset)| {
            let messages = self.facts.messages(set, partner);
            !messages.fit(self.model(id), offset)
        })
    }

    /// Returns `true` if the current tag violates its declaration as `wrong` describes.
    fn is_wrong(&mut self, wrong: Wrong) -> bool {
        let SubjectElement::Tag(_, tag) = self.target else {
            return false;
        };
        let Some(text) = self.tag(&tag.name) else {
            return wrong == Wrong::Missing && tag.required;
        };
        let plain = text.value.trim();
        if tag.or.as_deref() == Some(plain) {
            return false;
        }
        let holds = match wrong {
            Wrong::Missing => false,
            Wrong::Type => !has_type(plain, &tag.ty),
            Wrong::Range => {
                let value = self.facts.codes.constant_tag(text);
                value.is_some_and(|value| {
                    tag.min.is_some_and(|min| value < min) || tag.max.is_some_and(|max| value > max)
                })
            }
        };
        if holds {
            self.found.place = Some(text.span);
            self.found.value = Some(shown(&text.value));
        }
        holds
    }
}

const GUARDS_MAX: usize = 64;

/// Returns `true` if a text can be a value of this type. Expressions always can, because they're
/// checked when they're compiled.
fn has_type(text: &str, ty: &TagType) -> bool {
    let is_name = |text: &str| {
        let is_letter = |c: char| c == '_' || c.is_alphanumeric();
        text.chars().all(is_letter) && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    match ty {
        TagType::Integer | TagType::Real | TagType::Text => true,
        TagType::Number => text.parse::<f64>().is_ok_and(f64::is_finite),
        TagType::Name => is_name(text),
        TagType::OneOf(words) => words.iter().any(|word| word == text),
    }
}

/// Shortens a model's text to a single line for a message.
pub(super) fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    prophet_model::path::shorten(&line).into_owned()
}
