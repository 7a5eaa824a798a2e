//! Applies all rules to their subjects, and writes a message for each finding.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::RuleSet;
use super::code::Codes;
use super::evaluate::{Evaluation, Found, SubjectElement, shown};
use super::facts::Facts;
use super::graph::ModelGraph;
use super::language::{
    Condition, DiagramKind, Language, Rule, RuleSubject, Tag, TagType, VariableKind,
};
use super::shape::node_name;
use prophet_model::diagnostic::{Diagnostic, Diagnostics, Severity, Span};
use prophet_model::model::{DiagramId, ElementId, Model, StereotypeKind};
use prophet_model::source::Source;

/// Maximum number of reported findings per rule.
const FINDINGS_MAX: usize = 1000;
/// Maximum length of a message or help text in bytes; the rest is cut off.
const TEXT_BYTES: usize = 4096;

pub(super) fn report(
    model: &Model,
    source: &Source,
    rules: &RuleSet,
    diagnostics: &mut Diagnostics,
) {
    let graph = ModelGraph::new(model);
    let facts = Facts::new(&graph, Codes::new(&graph, source), &rules.language);
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let known: BTreeSet<Span> = diagnostics
        .iter()
        .filter(is_error)
        .map(|it| it.span)
        .collect();
    let is_workflow = is_workflow(model);
    // Workflow files aren't executed, so they count even if no flow reaches them.
    let files = model.idle.iter().filter(|_| is_workflow);
    let files: BTreeSet<Span> = files.map(|id| model.element(*id).span).collect();
    let is_on = |it: &&Rule| !it.off && rules.is_on(&it.code);
    let matters = |it: &&Rule| !(is_workflow && it.of_programs);
    for rule in rules.rules().filter(is_on).filter(matters) {
        let concludes = rule.when.iter().any(Condition::is_about_absence);
        if concludes && !known.is_empty() {
            continue;
        }
        let mut findings = findings(rule, &facts);
        findings.retain(|it| !known.contains(&it.span) && !files.contains(&it.span));
        for finding in findings {
            diagnostics.push(finding);
        }
    }
}

fn is_workflow(model: &Model) -> bool {
    let stereotype = model.diagram(model.main).stereotype.as_ref();
    stereotype.is_some_and(|it| it.kind == StereotypeKind::Workflow)
}

fn findings(rule: &Rule, facts: &Facts<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut count = 0_usize;
    let most = if rule.first_only { 1 } else { FINDINGS_MAX };
    for_each_target(rule, facts, &mut |target| {
        let mut evaluation = Evaluation {
            facts,
            target,
            found: Found::default(),
        };
        if !evaluation.all(&rule.when) {
            return;
        }
        count += 1;
        if found.len() < most {
            let case = Case {
                facts,
                target,
                found: evaluation.found,
            };
            found.push(case.diagnostic(rule));
        }
    });
    if let Some(last) = found.last_mut()
        && count > most
    {
        let more = format!(" (and {} more in the file)", count - most);
        last.message.push_str(&more);
    }
    found
}

fn for_each_target<'m>(rule: &Rule, facts: &Facts<'m>, ask: &mut dyn FnMut(SubjectElement<'m>)) {
    let graph = facts.graph;
    let model = graph.model;
    match rule.subject {
        RuleSubject::Element(set) => {
            let set = facts.set(set);
            for id in graph.elements_where(|it| set.has(it)) {
                ask(SubjectElement::Element(id));
            }
        }
        RuleSubject::Flow(set) => {
            let set = facts.set(set);
            for id in graph.elements_where(|it| set.has(it)) {
                for &flow in graph.outgoing(id) {
                    ask(SubjectElement::Flow(flow));
                }
            }
        }
        RuleSubject::Tag(set) => {
            let set = facts.set(set);
            let language: &'m Language = facts.language;
            for id in graph.elements_where(|it| set.has(it)) {
                for tag in language.tags_of(graph.element(id), &rule.file) {
                    ask(SubjectElement::Tag(id, tag));
                }
            }
        }
        RuleSubject::Diagram(kind) => {
            for id in (0..model.diagrams.len()).map(DiagramId) {
                let fits = match kind {
                    DiagramKind::Any => true,
                    DiagramKind::Program => id == model.main,
                    DiagramKind::Activity => !graph.is_content(id),
                    DiagramKind::Content => graph.is_content(id),
                };
                if fits {
                    ask(SubjectElement::Diagram(id));
                }
            }
        }
        RuleSubject::Variable(kind) => for_each_variable(kind, facts, ask),
        RuleSubject::Function => {
            (0..model.functions.len()).for_each(|it| ask(SubjectElement::Function(it)));
        }
    }
}

fn for_each_variable<'m>(
    kind: VariableKind,
    facts: &Facts<'m>,
    ask: &mut dyn FnMut(SubjectElement<'m>),
) {
    let model = facts.graph.model;
    let globals = model.globals.iter().map(|it| {
        let kind = if it.read_only {
            VariableKind::Parameter
        } else {
            VariableKind::Global
        };
        (it, kind)
    });
    let diagrams = facts.graph.program.iter().map(|&it| model.diagram(it));
    let locals = diagrams.flat_map(|it| &it.locals);
    let locals = locals.map(|it| (it, VariableKind::Local));
    for (variable, own) in globals.chain(locals) {
        if kind == VariableKind::Any || kind == own {
            ask(SubjectElement::Variable(variable));
        }
    }
}

struct Case<'f, 'm> {
    facts: &'f Facts<'m>,
    target: SubjectElement<'m>,
    found: Found,
}

impl<'m> Case<'_, 'm> {
    fn diagnostic(&self, rule: &Rule) -> Diagnostic {
        let (path, span) = self.place();
        let span = self.found.place.unwrap_or(span);
        let message = self.fill(&rule.message);
        let code = Cow::Owned(rule.code.clone());
        Diagnostic::of_kind(code, rule.severity, span, message)
            .element(path)
            .help(self.fill(&rule.help))
    }

    fn place(&self) -> (&'m str, Span) {
        let graph = self.facts.graph;
        let element = |id: ElementId| graph.element(id);
        match self.target {
            SubjectElement::Element(id) => (&element(id).path, element(id).span),
            SubjectElement::Tag(id, _) => {
                let it = element(id);
                (
                    &it.path,
                    it.stereotype.as_ref().map_or(it.span, |it| it.span),
                )
            }
            SubjectElement::Flow(flow) => {
                let flow = graph.flows[flow];
                (&element(flow.source).path, flow.span)
            }
            SubjectElement::Diagram(id) => {
                let diagram = graph.model.diagram(id);
                (&diagram.path, diagram.span)
            }
            SubjectElement::Variable(variable) => (&variable.path, variable.name.span),
            SubjectElement::Function(index) => {
                let function = &graph.model.functions[index];
                (&function.path, function.name.span)
            }
        }
    }

    /// Replaces the placeholders in braces, and cuts off the text at the maximum length.
    fn fill(&self, template: &str) -> String {
        let mut text = String::new();
        for (number, part) in template.split('{').enumerate() {
            if text.len() > TEXT_BYTES {
                text.truncate(text.floor_char_boundary(TEXT_BYTES));
                text.push('…');
                break;
            }
            match part.split_once('}').filter(|_| number > 0) {
                Some((name, rest)) => {
                    text.push_str(&self.value(name));
                    text.push_str(rest);
                }
                None => text.push_str(part),
            }
        }
        text
    }

    fn value(&self, name: &str) -> String {
        let graph = self.facts.graph;
        match name {
            "name" => self.name(),
            "path" => self.place().0.to_owned(),
            "stereotype" => self
                .element()
                .and_then(|id| graph.element(id).stereotype.as_ref())
                .map_or_else(String::new, |it| it.kind.name().to_owned()),
            "type" => self
                .element()
                .map_or_else(String::new, |id| self.type_name(id)),
            "where" => self
                .found
                .other
                .map_or_else(String::new, |id| graph.element(id).path.clone()),
            "tag" => match self.target {
                SubjectElement::Tag(_, tag) => tag.name.clone(),
                _ => String::new(),
            },
            "expected" => match self.target {
                SubjectElement::Tag(_, tag) => expected(tag),
                _ => String::new(),
            },
            "value" => self.found.value.clone().unwrap_or_default(),
            _ => self.found.count.unwrap_or_default().to_string(),
        }
    }

    fn element(&self) -> Option<ElementId> {
        match self.target {
            SubjectElement::Element(id) | SubjectElement::Tag(id, _) => Some(id),
            SubjectElement::Flow(flow) => Some(self.facts.graph.flows[flow].source),
            _ => None,
        }
    }

    fn type_name(&self, id: ElementId) -> String {
        node_name(&self.facts.graph.element(id).kind).to_owned()
    }

    fn name(&self) -> String {
        let graph = self.facts.graph;
        let (name, other) = match self.target {
            SubjectElement::Element(_) | SubjectElement::Tag(..) | SubjectElement::Flow(_) => {
                let id = self.element().unwrap_or(ElementId(0));
                (&graph.element(id).name, self.type_name(id))
            }
            SubjectElement::Diagram(id) => {
                let diagram = graph.model.diagram(id);
                (&diagram.name, diagram.path.clone())
            }
            SubjectElement::Variable(variable) => (&variable.name.value, String::new()),
            SubjectElement::Function(index) => {
                (&graph.model.functions[index].name.value, String::new())
            }
        };
        if name.trim().is_empty() {
            other
        } else {
            shown(name)
        }
    }
}

fn expected(tag: &Tag) -> String {
    let mut text = match &tag.ty {
        TagType::Integer => "an integer".to_owned(),
        TagType::Real | TagType::Number => "a number".to_owned(),
        TagType::Name => "a name made of letters, digits and underscores".to_owned(),
        TagType::Text => "text".to_owned(),
        TagType::OneOf(words) => format!("one of {}", words.join(", ")),
    };
    let range = match (tag.min, tag.max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    };
    text.push_str(&range);
    if let Some(word) = &tag.or {
        text.push_str(", or ");
        text.push_str(word);
    }
    text
}
