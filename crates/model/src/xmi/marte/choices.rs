//! Reads the probabilities of decisions (`prob`), which are either on the outgoing flows or on the
//! steps that follow.

use super::super::flows::Edge;
use super::super::reader::Reader;
use super::super::values::c_code;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::marte as rules;
use crate::model::{ElementId, Guard, NodeKind};
use crate::source::{Span, Text};
use crate::{chance, marte_values};
use prophet_map::Map;

/// How much the sum of probabilities may differ from 1, because probabilities are often rounded.
const SUM_TOLERANCE: f64 = 1e-3;

impl Reader<'_, '_> {
    /// Turns probabilities on decisions' outgoing flows into guards.
    pub(in crate::xmi) fn choose_by_probability(&mut self, edges: &mut [Edge]) {
        self.note_values();
        if self.marte.steps.is_empty() {
            return;
        }
        let mut decisions: Map<ElementId, Vec<usize>> = Map::new();
        for (index, edge) in edges.iter().enumerate() {
            let source = edge.flow.source;
            if self.elements[source.0].kind == NodeKind::Decision {
                decisions.get_or_default(source).push(index);
            }
        }
        for (decision, outflows) in decisions {
            let probabilities: Vec<Option<Text>> = outflows
                .iter()
                .map(|&index| self.probability(&edges[index]))
                .collect();
            if probabilities.iter().all(Option::is_none) {
                continue;
            }
            let guarded = outflows.iter().any(|&it| edges[it].flow.guard.is_some());
            let guards = self.guards_of(decision, &probabilities, guarded);
            for (index, guard) in outflows.into_iter().zip(guards) {
                edges[index].flow.guard = Some(guard);
            }
        }
    }

    /// Returns the probability of an outgoing flow: its own or, if it has none, the probability of
    /// the step that it leads to.
    fn probability(&mut self, edge: &Edge) -> Option<Text> {
        let target = self.element_nodes[edge.flow.target.0];
        for node in [edge.node, target] {
            let step = self.marte.steps.get(&node);
            let Some(text) = step.and_then(|it| it.value("prob")) else {
                continue;
            };
            // If many flows lead to the same step, copies its text only once.
            if self.marte.chosen.insert(node) {
                return Some(text.clone());
            }
        }
        None
    }

    /// Returns the guards of a decision's outgoing flows. If there is a problem, reports it, and
    /// returns guards that cause no further ones.
    fn guards_of(
        &mut self,
        decision: ElementId,
        probabilities: &[Option<Text>],
        guarded: bool,
    ) -> Vec<Guard> {
        let count = probabilities.len();
        let open = probabilities.iter().filter(|it| it.is_none()).count();
        let wrong = if guarded {
            Some("its flows have both guards and probabilities".to_owned())
        } else if open > 1 {
            Some(format!("{open} of its {count} flows have no `prob`"))
        } else if count > CHOICES_MAX {
            Some(format!("it has more than {CHOICES_MAX} flows with `prob`"))
        } else {
            self.sum_problem(probabilities)
        };
        if let Some(wrong) = wrong {
            self.report_choice(decision, &wrong);
        }
        let mut weights: Vec<Option<Text>> = Vec::with_capacity(count);
        for text in probabilities {
            weights.push(match text {
                Some(text) => {
                    let price = self.price("prob", text, marte_values::Dimension::Number);
                    Some(price.map_or_else(|| Text::new("1.0", text.span), |it| it.text))
                }
                None => None,
            });
        }
        if open > 1 || count > CHOICES_MAX {
            // Any guards are good enough, because the decision is an error.
            let holds = Guard::When(c_code(Text::new("true", Span::default())));
            let mut guards = vec![holds; count.saturating_sub(1)];
            guards.push(Guard::Else);
            return guards;
        }
        let rest = rest(&weights);
        let weights: Vec<Text> = weights
            .into_iter()
            .map(|it| it.unwrap_or_else(|| rest.clone()))
            .collect();
        guards(&weights)
    }

    /// Describes a probability that isn't between 0 and 1, or a wrong sum, for the known values of
    /// variables. Returns `None` if nothing is wrong, or if a value is unknown.
    fn sum_problem(&self, probabilities: &[Option<Text>]) -> Option<String> {
        let known = |name: &str| self.value_of_variable(name);
        let mut sum = 0.0;
        for text in probabilities.iter().flatten() {
            let value = marte_values::parse(&text.value).ok()?;
            let value = marte_values::quantity(value, marte_values::Dimension::Number)
                .ok()?
                .value;
            let probability = marte_values::constant(&value, &known)?;
            if !(0.0..=1.0).contains(&probability) {
                return Some(format!(
                    "one of its flows has the probability {probability}"
                ));
            }
            sum += probability;
        }
        let is_open = probabilities.iter().any(Option::is_none);
        let is_wrong = sum > 1.0 + SUM_TOLERANCE || (!is_open && sum < 1.0 - SUM_TOLERANCE);
        is_wrong.then(|| format!("the probabilities of its flows sum to {sum}"))
    }

    fn report_choice(&mut self, decision: ElementId, wrong: &str) {
        let element = &self.elements[decision.0];
        let message = format!("{} cannot choose: {wrong}", element.path);
        let help = "give each flow out of it a `prob`, or all but one; the sum must be 1";
        let diagnostic = Diagnostic::new(&rules::BAD_CHOICE, element.span, message);
        let diagnostic = diagnostic.element(element.path.clone()).help(help);
        self.diagnostics.push(diagnostic);
    }
}

/// Returns the weight of the flow without a probability: 1 minus all other probabilities.
fn rest(weights: &[Option<Text>]) -> Text {
    let given: Vec<&Text> = weights.iter().flatten().collect();
    let span = given.first().map(|it| it.span).unwrap_or_default();
    let mut text = Text::new("fmax(0.0, 1.0", span);
    for weight in given {
        text.push_str(" - (");
        text.push(weight);
        text.push_str(")");
    }
    text.push_str(")");
    text
}

const CHOICES_MAX: usize = 32;

/// Creates guards that select each flow with a probability proportional to its weight. They must be
/// tried in this order, because each guard assumes that the guards before it were false. The last
/// guard is `else`.
fn guards(weights: &[Text]) -> Vec<Guard> {
    let last = weights.len().saturating_sub(1);
    let guard = |index: usize| {
        if index == last {
            return Guard::Else;
        }
        let rest = chance::sum(&weights[index..]);
        let text = chance::condition(&weights[index], Some(&rest));
        Guard::When(c_code(text))
    };
    (0..weights.len()).map(guard).collect()
}
