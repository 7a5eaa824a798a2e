//! Turns the demands of steps into costs, and `rep` into loops.

use super::super::reader::Reader;
use super::super::tree::NodeId;
use super::{Annotation, DEMANDS};
use crate::path;
use prophet_text::article;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::marte as rules;
use crate::marte_values::{self, Dimension, Statistic, ValueProblem};
use crate::model::{DiagramId, Element, ElementId, NodeKind, Stereotype, StereotypeKind};
use crate::source::Text;

/// Tags of steps that are supported, or that can't change a prediction, such as results and names.
const KNOWN: [&str; 19] = [
    "hostDemand",
    "execTime",
    "prob",
    "rep",
    "respT",
    "throughput",
    "utilization",
    "utilizationOnHost",
    "interOccT",
    "isAtomic",
    "cause",
    "effect",
    "root",
    "steps",
    "parentStep",
    "childSteps",
    "inputRel",
    "outputRel",
    "usedResources",
];

impl Reader<'_, '_> {
    /// Applies stereotypes and costs to the nodes that MARTE annotates as steps.
    pub(in crate::xmi) fn price_steps(&mut self) {
        for (node, step) in std::mem::take(&mut self.marte.steps) {
            self.note_tags(&step, &KNOWN);
            match self.element_of.get(&node).copied() {
                Some(id) => self.price_element(node, id, &step),
                None => self.price_nothing(node, &step),
            }
        }
    }

    fn price_element(&mut self, node: NodeId, id: ElementId, step: &Annotation) {
        let element = &self.elements[id.0];
        if let Some(own) = &element.stereotype {
            let name = own.kind.name();
            let message = format!(
                "it is unclear whether its cost comes from `{name}` or `{}`",
                step.name
            );
            return self.unclear_step(id, step, message, "remove one of the two stereotypes");
        }
        match &element.kind {
            NodeKind::Action => self.price_action(id, step),
            NodeKind::Call(_) | NodeKind::Structured(_) => self.price_content(id, step),
            kind => {
                let demand = DEMANDS.iter().find(|it| step.value(it).is_some());
                if let Some(demand) = demand {
                    let message =
                        format!("{} takes no time, but has a `{demand}`", kind.uml_name());
                    let help = "annotate the action before or after it";
                    self.unclear_step(id, step, message, help);
                }
            }
        }
        self.check_chosen(node, id, step);
    }

    fn price_action(&mut self, id: ElementId, step: &Annotation) {
        let Some(cost) = self.demand(id, step) else {
            return;
        };
        let tags = [("cost".to_owned(), cost)].into();
        let stereotype = Stereotype {
            kind: StereotypeKind::ActionPlus,
            tags,
            span: step.span,
            is_implied: false,
        };
        let repeated = match self.repetition(step) {
            Some(repetition) => {
                let inner = self.enclose(id);
                self.elements[id.0].stereotype = Some(repetition);
                inner
            }
            None => id,
        };
        self.elements[repeated.0].stereotype = Some(stereotype);
    }

    /// Handles a node whose content has the demands: makes it a loop or, without `rep`, measures
    /// its time.
    fn price_content(&mut self, id: ElementId, step: &Annotation) {
        if let Some(demand) = DEMANDS.iter().find(|it| step.value(it).is_some()) {
            let message = format!("it has both content and a `{demand}`");
            return self.unclear_step(id, step, message, "annotate the actions inside it instead");
        }
        let measured = || Stereotype {
            kind: StereotypeKind::ActivityPlus,
            tags: [].into(),
            span: step.span,
            is_implied: false,
        };
        let stereotype = self.repetition(step).unwrap_or_else(measured);
        self.elements[id.0].stereotype = Some(stereotype);
    }

    /// Reports a step with a probability that no decision uses.
    fn check_chosen(&mut self, node: NodeId, id: ElementId, step: &Annotation) {
        let Some(text) = step.value("prob") else {
            return;
        };
        let is_sure = text.value.parse() == Ok(1.0);
        if is_sure || self.marte.chosen.contains(&node) {
            return;
        }
        let path = self.elements[id.0].path.clone();
        let message = "a `prob` has no effect here, because no decision leads to the step";
        let help = "put a DecisionNode with another outgoing flow before it";
        let diagnostic = Diagnostic::new(&rules::BAD_CHOICE, text.span, message);
        self.diagnostics.push(diagnostic.element(path).help(help));
    }

    fn price_nothing(&mut self, node: NodeId, step: &Annotation) {
        let is_flow = self.is_flow(node);
        if is_flow && step.value("prob").is_some() && !self.marte.chosen.contains(&node) {
            let message = "a `prob` has no effect: its flow does not leave a DecisionNode";
            let help = "put a DecisionNode before the flow";
            let diagnostic = Diagnostic::new(&rules::BAD_CHOICE, step.span, message);
            self.diagnostics.push(diagnostic.help(help));
        }
        let says = |tag: &&&str| step.value(tag).is_some();
        let tags = ["hostDemand", "execTime", "rep"];
        let Some(tag) = tags.iter().find(says) else {
            return;
        };
        let kind = path::shorten(self.tree.kind(node)).into_owned();
        let message = format!("`{tag}` of {} {kind} is ignored", article(&kind));
        let help = "annotate the actions of an activity";
        let finding = Diagnostic::new(&rules::UNREAD_STEREOTYPE, step.span, message);
        self.note_kind(&format!("{}.{kind}", step.name), finding.help(help));
    }

    fn unclear_step(&mut self, id: ElementId, step: &Annotation, message: String, help: &str) {
        let path = self.elements[id.0].path.clone();
        let diagnostic = Diagnostic::new(&rules::UNCLEAR_STEP, step.span, message);
        self.diagnostics.push(diagnostic.element(path).help(help));
    }

    /// Returns the cost of an action in seconds. Reports an action without a cost.
    fn demand(&mut self, id: ElementId, step: &Annotation) -> Option<Text> {
        let given: Vec<&str> = (DEMANDS.into_iter())
            .filter(|tag| step.value(tag).is_some())
            .collect();
        match given[..] {
            [] => {
                let path = self.elements[id.0].path.clone();
                let name = &step.name;
                let message = format!("`{name}` has no `hostDemand`: the step takes no time");
                let help = "add one, such as `(value=5, unit=ms)`";
                let diagnostic = Diagnostic::new(&rules::TAKEN, step.span, message);
                self.diagnostics.push(diagnostic.element(path).help(help));
                None
            }
            [tag] => self.demand_of(id, step, tag),
            _ => {
                let message = "it has both a `hostDemand` and an `execTime`".to_owned();
                self.unclear_step(id, step, message, "remove one of them");
                None
            }
        }
    }

    /// Returns the cost from the values of a tag. If there are several, exactly one of them must be
    /// a mean.
    fn demand_of(&mut self, id: ElementId, step: &Annotation, tag: &str) -> Option<Text> {
        let values: Vec<&Text> = step.values(tag).collect();
        let statistic = |text: &&Text| self.statistic(tag, text);
        let read: Option<Vec<Statistic>> = values.iter().map(statistic).collect();
        let mut means = values.iter().zip(read?);
        let is_mean = |it: Statistic| matches!(it, Statistic::Mean | Statistic::Constant);
        let chosen: Vec<(&Text, Statistic)> = if let [only] = values[..] {
            vec![(only, means.next()?.1)]
        } else {
            means
                .filter(|it| is_mean(it.1))
                .map(|(&it, of)| (it, of))
                .collect()
        };
        let &[(text, statistic)] = chosen.as_slice() else {
            let message = format!(
                "its `{tag}` has {} values instead of one mean",
                values.len()
            );
            self.unclear_step(id, step, message, "keep one with `statQ=mean`");
            return None;
        };
        if !is_mean(statistic) {
            self.take_bound(id, text, statistic);
        }
        Some(self.price(tag, text, Dimension::Time)?.text)
    }

    /// Returns the statistic of a duration. If that fails, reports why.
    fn statistic(&mut self, tag: &str, text: &Text) -> Option<Statistic> {
        let read = marte_values::parse(&text.value)
            .and_then(|it| marte_values::quantity(it, Dimension::Time));
        match read {
            Ok(quantity) => Some(quantity.statistic),
            Err(problem) => {
                self.report_value(&rules::BAD_VALUE, tag, text, &problem);
                None
            }
        }
    }

    fn take_bound(&mut self, id: ElementId, text: &Text, statistic: Statistic) {
        let (which, bound) = match statistic {
            Statistic::Smallest => ("smallest", "a lower"),
            _ => ("largest", "an upper"),
        };
        let path = self.elements[id.0].path.clone();
        let message = format!("the {which} demand is used, so the prediction is {bound} bound");
        let diagnostic = Diagnostic::new(&rules::TAKEN, text.span, message);
        self.diagnostics.push(diagnostic.element(path));
    }

    /// Creates a `loop+` for the `rep` of a step; `None` if the step isn't repeated.
    fn repetition(&mut self, step: &Annotation) -> Option<Stereotype> {
        let text = step.value("rep")?;
        if text.value.parse() == Ok(1.0) {
            return None;
        }
        let price = self.price("rep", text, Dimension::Number)?;
        if price.is_random {
            let at = 0..text.value.len();
            let message = "a random number of repetitions is not supported".to_owned();
            self.report_value(
                &rules::BAD_VALUE,
                "rep",
                text,
                &ValueProblem { at, message },
            );
            return None;
        }
        let mut iterations = Text::new("lround(", price.text.span);
        iterations.push(&price.text);
        iterations.push_str(")");
        Some(Stereotype {
            kind: StereotypeKind::LoopPlus,
            tags: [("iterations".to_owned(), iterations)].into(),
            span: step.span,
            is_implied: false,
        })
    }

    /// Moves an action into a new structured node, which replaces the action in its diagram.
    /// Returns the moved action.
    fn enclose(&mut self, id: ElementId) -> ElementId {
        let node = self.element_nodes[id.0];
        let (name, path) = {
            let element = &self.elements[id.0];
            (element.name.clone(), element.path.clone())
        };
        let content = self.diagram(node, name.clone(), path.clone());
        let shown = if name.is_empty() { "Action" } else { &name };
        let inner = self.add_element(content, node, path::join(&path, shown), NodeKind::Action);
        let outer = &mut self.elements[id.0];
        outer.kind = NodeKind::Structured(content);
        let body = outer.body.take();
        let inner_element = &mut self.elements[inner.0];
        inner_element.name = name;
        inner_element.body = body;
        inner
    }

    /// Adds an element for a node of the file, in a diagram where the file doesn't contain it.
    pub(super) fn add_element(
        &mut self,
        diagram: DiagramId,
        node: NodeId,
        path: String,
        kind: NodeKind,
    ) -> ElementId {
        let id = ElementId(self.elements.len());
        self.element_nodes.push(node);
        self.diagrams[diagram.0].elements.push(id);
        self.elements.push(Element {
            name: String::new(),
            path,
            span: self.tree.span(node),
            comment: None,
            diagram,
            kind,
            stereotype: None,
            body: None,
        });
        id
    }
}
