//! Turns the outgoing flows of decisions into probabilities.
//!
//! Flows are tried in file order. Each is taken with its probability, given that no earlier flow
//! was taken. The last flow, or the `else`, takes the remaining probability.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, FlowIndex, Mender};
use prophet_model::chance;
use prophet_model::diagnostic::Span;
use prophet_model::model::{Code, DiagramId, ElementId, Guard, Language, NodeKind, Variable};
use prophet_model::source::Text;

/// Maximum number of characters that a parameter's name can take over from the drawing.
const NAME_MAX: usize = 40;

struct Chance {
    flow: FlowIndex,
    words: String,
    span: Span,
}

impl Mender<'_> {
    /// Leaves a flow to chance if it has no condition; returns `false` if no such flow is at
    /// `place`.
    pub(super) fn take_chance(&mut self, place: Span) -> bool {
        for diagram in &mut self.model.diagrams {
            let is_open = |guard: &Option<Guard>| !matches!(guard, Some(Guard::When(_)));
            let mut flows = diagram.flows.iter_mut().enumerate();
            let found = flows.find(|(_, it)| it.span == place && is_open(&it.guard));
            if let Some((index, flow)) = found {
                // Makes a condition that compiles for now, so that the next trial finds the other
                // errors.
                flow.guard = Some(Guard::When(code("true", place)));
                let chances = self.chances.entry(flow.source).or_default();
                chances.insert(index, String::new());
                return true;
            }
        }
        false
    }

    /// Drops a guard that is not a condition. If the node has several outgoing flows, chance
    /// decides which of them is taken.
    pub(super) fn drop_guard(&mut self, diagram: DiagramId, index: FlowIndex) -> bool {
        let flows = &mut self.model.diagrams[diagram.0].flows;
        let (source, span) = (flows[index].source, flows[index].span);
        let siblings = flows.iter().filter(|it| it.source == source).count();
        let decides = self.model.elements[source.0].kind == NodeKind::Decision;
        if siblings > 1 && !decides {
            return false;
        }
        let Some(Guard::When(words)) = flows[index].guard.take() else {
            return false;
        };
        let words = words.text.value;
        let element = self.model.element(source);
        if siblings > 1 {
            let place = Guard::When(code("true", span));
            self.model.diagrams[diagram.0].flows[index].guard = Some(place);
            let chances = self.chances.entry(source).or_default();
            return chances.insert(index, words).is_none();
        }
        let words = shown(&words);
        let text = format!(
            "{words} decides nothing: the flow out of {} is always taken",
            element.path
        );
        let change = Change::Guard {
            flow: span,
            text: None,
            parameter: None,
        };
        self.note(source, span, text, change);
        true
    }

    /// Leaves a decision's flows to chance if their guards are numbers between 0 and 1, which are
    /// never conditions. A decision with a single outgoing flow is skipped.
    pub(super) fn take_numbers(&mut self) {
        for diagram in &mut self.model.diagrams {
            let mut outflows: BTreeMap<ElementId, usize> = BTreeMap::new();
            for flow in &diagram.flows {
                *outflows.entry(flow.source).or_default() += 1;
            }
            for (index, flow) in diagram.flows.iter_mut().enumerate() {
                let decides = self.model.elements[flow.source.0].kind == NodeKind::Decision;
                let Some(Guard::When(guard)) = &mut flow.guard else {
                    continue;
                };
                let number = guard.text.value.trim().parse::<f64>();
                let is_share = number.is_ok_and(|it| 0.0 < it && it < 1.0);
                if is_share && decides && outflows[&flow.source] > 1 {
                    let words = std::mem::replace(guard, code("true", flow.span)).text.value;
                    let chances = self.chances.entry(flow.source).or_default();
                    chances.insert(index, words);
                }
            }
        }
    }

    /// Assigns probabilities to the flows that are left to chance.
    pub(super) fn draw_lots(&mut self, taken: &mut BTreeSet<String>) {
        for (decision, chances) in std::mem::take(&mut self.chances) {
            self.draw_lot(decision, chances, taken);
        }
    }

    fn draw_lot(
        &mut self,
        decision: ElementId,
        chances: BTreeMap<FlowIndex, String>,
        taken: &mut BTreeSet<String>,
    ) {
        let diagram = self.model.element(decision).diagram;
        let flows = &self.model.diagram(diagram).flows;
        let is_else = |it: &prophet_model::model::Flow| {
            it.source == decision && it.guard == Some(Guard::Else)
        };
        let has_else = flows.iter().any(is_else);
        let chance = |(flow, words)| Chance {
            flow,
            words,
            span: flows[flow].span,
        };
        let mut chances: Vec<Chance> = chances.into_iter().map(chance).collect();
        let rest = if has_else { None } else { chances.pop() };
        let shares = shares(&chances, rest.as_ref());
        let mut before = Vec::new();
        for (chance, share) in chances.into_iter().zip(shares) {
            let name = self.name(decision, diagram, &chance, taken);
            let guard = condition(&before, &name);
            self.add_chance(decision, &name, share);
            let text = format!(
                "{} is taken with probability {share}, which `--{}` sets",
                self.described(decision, diagram, &chance),
                name.replace('_', "-")
            );
            let change = Change::Guard {
                flow: chance.span,
                text: Some(guard.clone()),
                parameter: Some((name.clone(), share.to_string())),
            };
            self.set_guard(diagram, &chance, Guard::When(code(&guard, chance.span)));
            self.note(decision, chance.span, text, change);
            before.push(name);
        }
        if let Some(chance) = rest {
            let flow = self.described(decision, diagram, &chance);
            let text = format!("{flow} is taken when no other flow is");
            let change = Change::Guard {
                flow: chance.span,
                text: Some("else".to_owned()),
                parameter: None,
            };
            self.set_guard(diagram, &chance, Guard::Else);
            self.note(decision, chance.span, text, change);
        }
    }

    fn set_guard(&mut self, diagram: DiagramId, chance: &Chance, guard: Guard) {
        self.model.diagrams[diagram.0].flows[chance.flow].guard = Some(guard);
    }

    fn described(&self, decision: ElementId, diagram: DiagramId, chance: &Chance) -> String {
        let target = self.target(diagram, chance);
        let [from, to] = [decision, target].map(|it| &self.model.element(it).path);
        let words = if chance.words.is_empty() {
            String::new()
        } else {
            format!(" with {}", shown(&chance.words))
        };
        format!("the flow from {from} to {to}{words}")
    }

    /// Returns the node that a flow leads to in the drawing.
    fn target(&self, diagram: DiagramId, chance: &Chance) -> ElementId {
        let flows = &self.model.diagram(diagram).flows;
        let target = flows[chance.flow].target;
        let behind = flows.iter().find(|it| it.source == target);
        match behind {
            // An added merge or join has a single node after it.
            Some(next) if target.0 >= self.drawn => next.target,
            _ => target,
        }
    }

    fn add_chance(&mut self, decision: ElementId, name: &str, share: f64) {
        let path = &self.model.element(decision).path;
        let comment = format!("Probability of a flow out of {path} (assumed)");
        self.add_parameter(decision, (name, "Real", &share.to_string()), comment);
    }

    pub(super) fn add_parameter(
        &mut self,
        of: ElementId,
        (name, type_name, value): (&str, &str, &str),
        comment: String,
    ) {
        let span = self.model.element(of).span;
        let owner = &self.model.diagram(self.model.main).path;
        let parameter = Variable {
            name: Text::new(name, span),
            path: format!("{owner}::{name}"),
            type_name: Text::new(type_name, span),
            length: None,
            read_only: true,
            is_required: false,
            default: Some(code(value, span)),
            comment: Some(comment),
        };
        self.model.globals.push(parameter);
    }

    /// Returns the names of the model's variables and functions in lower case, as flags spell them.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let globals = self.model.globals.iter().map(|it| &it.name);
        let locals = self.model.diagrams.iter().flat_map(|it| &it.locals);
        let functions = self.model.functions.iter().map(|it| &it.name);
        let arguments = self.model.functions.iter().flat_map(|it| &it.parameters);
        let variables = locals.chain(arguments).map(|it| &it.name);
        let all = globals.chain(functions).chain(variables);
        all.map(|it| it.value.to_lowercase()).collect()
    }

    /// Derives a name for a flow's probability from the decision and the flow's words or target.
    fn name(
        &self,
        decision: ElementId,
        diagram: DiagramId,
        chance: &Chance,
        taken: &mut BTreeSet<String>,
    ) -> String {
        let target = self.target(diagram, chance);
        let named = |id: ElementId| self.model.element(id).name.as_str();
        let mut what = chance.words.as_str();
        if probability(what).is_some() {
            what = what.trim_end_matches(|c: char| !c.is_alphabetic());
        }
        if what.is_empty() {
            what = named(target);
        }
        free_name(identifier("p", &[named(decision), what]), taken)
    }
}

/// Returns the probabilities of a decision's flows. A flow's words can state its probability. Flows
/// without a stated probability share the remaining probability equally. `rest`, the `else`, is one
/// of them.
fn shares(chances: &[Chance], rest: Option<&Chance>) -> Vec<f64> {
    let mut said: Vec<Option<f64>> = chances.iter().map(|it| probability(&it.words)).collect();
    let mut of_rest = rest.and_then(|it| probability(&it.words));
    let sum: f64 = said.iter().chain([&of_rest]).flatten().sum();
    if sum > 1.0 + 1e-9 {
        said.fill(None);
        of_rest = None;
    }
    let is_open = |it: &&Option<f64>| it.is_none();
    let open = said.iter().filter(is_open).count() + usize::from(of_rest.is_none());
    let left = 1.0 - said.iter().flatten().sum::<f64>() - of_rest.unwrap_or_default();
    let share = left.max(0.0) / f64::from(u32::try_from(open.max(1)).unwrap_or(u32::MAX));
    said.into_iter().map(|it| it.unwrap_or(share)).collect()
}

/// Returns the probability that a flow's words state, as in `0.3`, `30%`, `yes, 0.3` or `p = 0.3`.
pub(super) fn probability(words: &str) -> Option<f64> {
    let words = words.trim_end_matches([')', ']', ' ']);
    let (words, whole) = match words.strip_suffix('%') {
        Some(words) => (words.trim_end(), 100.0),
        None => (words, 1.0),
    };
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let before = words.trim_end_matches(is_number);
    let number = &words[before.len()..];
    let before = before.trim_end();
    let named = before.strip_suffix('=').unwrap_or(before).trim_end();
    let name = &named[named.trim_end_matches(char::is_alphabetic).len()..];
    let is_named = ["p", "prob", "probability"].contains(&name.to_lowercase().as_str());
    if !(before.is_empty() || before.ends_with([',', ';', ':', '(', '[']) || is_named) {
        return None;
    }
    let share = number.parse::<f64>().ok()? / whole;
    let is_said = whole > 1.0 || number.contains('.');
    (is_said && (0.0..=1.0).contains(&share)).then_some(share)
}

pub(super) fn free_name(name: String, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.clone()).chain(numbered);
    let free = candidates.find(|it| taken.insert(it.clone()));
    free.unwrap_or(name)
}

/// Returns the condition of a flow that is taken with the probability `name`. The probabilities of
/// the flows before it are `before`.
pub(super) fn condition(before: &[String], name: &str) -> String {
    let text = |value: &str| Text::new(value, Span::default());
    let rest = (!before.is_empty()).then(|| format!("1.0 - {}", before.join(" - ")));
    let rest = rest.map(|it| text(&it));
    chance::condition(&text(name), rest.as_ref()).value
}

pub(super) fn identifier(letter: &str, words: &[&str]) -> String {
    let mut name = letter.to_owned();
    for word in words {
        let parts = word.split(|c: char| !c.is_ascii_alphanumeric());
        for part in parts.filter(|it| !it.is_empty()) {
            if name.len() + part.len() < NAME_MAX {
                name.push('_');
                name.push_str(&part.to_ascii_lowercase());
            }
        }
    }
    if name.len() == 1 {
        name.push_str("_flow");
    }
    name
}

pub(super) fn shown(words: &str) -> String {
    format!("`{}`", prophet_model::path::shorten(words.trim()))
}

pub(super) fn code(text: &str, span: Span) -> Code {
    Code {
        language: Language::C,
        text: Text::new(text, span),
    }
}
