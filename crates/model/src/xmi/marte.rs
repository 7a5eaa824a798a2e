//! Reads annotations of the OMG's MARTE (UML Profile for Modeling and Analysis of Real-Time and
//! Embedded Systems): costs of steps, probabilities, workloads, analysis variables.
//!
//! MARTE stereotypes are recognized only by name, because namespaces and prefixes differ between
//! tools and versions. Annotations are converted to the profile `prophet`, so that only the reader
//! needs to know MARTE.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `annotation` | MARTE stereotypes | their tags, by annotated element |
//! | `choices` | `prob` of flows and steps | weights of flows |
//! | `steps` | `hostDemand`, `execTime`, `rep` | `action+` and its cost, `loop+` |
//! | `context` | `GaAnalysisContext` | model parameters |
//! | `workload` | `GaWorkloadEvent`, `GaExecHost` | an arrival pattern, advice on flags |
//! | `arrivals` | an arrival pattern | an activity that calls the program's activity |

mod annotation;
mod arrivals;
mod choices;
mod context;
mod steps;
mod workload;

use super::profile::Profile;
use super::reader::{COPIES_MAX, Reader, is_edge};
use super::tree::{Namespace, NodeId};
use crate::diagnostic::catalogue::marte as rules;
use crate::diagnostic::{Diagnostic, Rule};
use crate::marte_values::{self, Dimension, Quantity, Scale, ValueProblem};
use crate::path::shorten;
use crate::source::Text;
use annotation::Annotation;
pub(super) use annotation::Marte;

/// Stereotypes of steps that are supported.
const STEPS: [&str; 3] = ["GaStep", "PaStep", "SaStep"];

/// Stereotypes that only group elements, or contain the results of an analysis.
const PASSIVE: [&str; 4] = [
    "GaScenario",
    "GaWorkloadBehavior",
    "GaResourcesPlatform",
    "GaPlatformResources",
];

/// Stereotypes for performance analysis that aren't supported, although they would change the
/// prediction.
const UNREAD: [&str; 17] = [
    "GaAcqStep",
    "GaRelStep",
    "GaCommStep",
    "GaRequestedService",
    "GaWorkloadGenerator",
    "GaEventTrace",
    "GaCommHost",
    "GaCommChannel",
    "GaLatencyObs",
    "GaTimedObs",
    "PaCommStep",
    "PaRequestedStep",
    "PaRunTInstance",
    "PaLogicalResource",
    "ResPassStep",
    "SaCommStep",
    "SaSharedResource",
];

/// Tags that tools without the profile, such as Enterprise Architect, store in separate elements.
const LOOSE: [&str; 7] = [
    "hostDemand",
    "execTime",
    "prob",
    "rep",
    "pattern",
    "context",
    "resMult",
];

/// Tags for the cost of a step. Other profiles use them too.
const DEMANDS: [&str; 2] = ["hostDemand", "execTime"];

pub(super) struct Price {
    pub(super) text: Text,
    is_random: bool,
}

impl Reader<'_, '_> {
    /// Reads a MARTE stereotype. Returns `false` if the element isn't one.
    pub(super) fn annotation(&mut self, node: NodeId, profile: &Profile) -> bool {
        let it = self.tree.node(node);
        let parent = it.parent.map(|parent| self.tree.node(parent).namespace);
        let is_nested = matches!(parent, Some(Namespace::Other(_)));
        if profile.is_ours(it.namespace) || is_nested {
            return false;
        }
        let name = self.tree.role(node);
        let is_known = STEPS.contains(&name)
            || PASSIVE.contains(&name)
            || UNREAD.contains(&name)
            || matches!(name, "GaWorkloadEvent" | "GaAnalysisContext" | "GaExecHost");
        if !is_known {
            if !self.loose_tag(node, name) {
                self.note_foreign_demand(node, name);
            }
            return false;
        }
        let is_set = |text: &Text| !matches!(text.value.trim(), "" | "null");
        let tags = self.tree.tag_values(node).into_iter();
        let tags = tags.filter(|(_, text)| is_set(text));
        let annotation = Annotation {
            name: name.to_owned(),
            tags: tags
                .map(|(name, text)| (name, text.trimmed(self.tree.source)))
                .collect(),
            span: self.tree.span(node),
        };
        if !UNREAD.contains(&name) {
            self.marte.read.insert(annotation.span.start);
        }
        for target in self.annotated(node) {
            self.annotate(target, annotation.clone());
        }
        true
    }

    fn annotated(&self, node: NodeId) -> Vec<NodeId> {
        let bases = self.bases(node).into_iter();
        let mut targets: Vec<NodeId> = bases.filter_map(|it| it.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.truncate(COPIES_MAX);
        targets
    }

    /// Reads a MARTE tag in a separate element. Returns `false` if the element isn't one.
    fn loose_tag(&mut self, node: NodeId, name: &str) -> bool {
        if !LOOSE.contains(&name) {
            return false;
        }
        let Some(text) = self.tree.property(node, name) else {
            return false;
        };
        for target in self.annotated(node) {
            let text = text.clone().trimmed(self.tree.source);
            self.marte.loose.push((target, name.to_owned(), text));
        }
        true
    }

    /// Attaches tags in separate elements to the stereotypes of the elements that they annotate.
    pub(super) fn attach_loose_annotations(&mut self) {
        for (target, name, text) in std::mem::take(&mut self.marte.loose) {
            let marte = &mut self.marte;
            let annotations = match name.as_str() {
                "pattern" => &mut marte.workloads,
                "context" => &mut marte.contexts,
                "resMult" => &mut marte.hosts,
                _ => &mut marte.steps,
            };
            if let Some(annotation) = annotations.get_mut(&target) {
                annotation.tags.push((name, text));
            }
        }
    }

    fn annotate(&mut self, target: NodeId, annotation: Annotation) {
        let marte = &mut self.marte;
        let annotations = match annotation.name.as_str() {
            "GaWorkloadEvent" => &mut marte.workloads,
            "GaAnalysisContext" => &mut marte.contexts,
            "GaExecHost" => &mut marte.hosts,
            // A pool limits the number of jobs, like the CPUs of a host.
            "PaLogicalResource" | "PaRunTInstance" if annotation.value("poolSize").is_some() => {
                &mut marte.hosts
            }
            name if STEPS.contains(&name) => &mut marte.steps,
            name => {
                if UNREAD.contains(&name) && !annotation.tags.is_empty() {
                    self.note_unread(&annotation);
                }
                return;
            }
        };
        match annotations.get_mut(&target) {
            // An element can have two stereotypes, such as `GaStep` and `PaStep`.
            Some(known) => known.tags.extend(annotation.tags),
            None => {
                annotations.insert(target, annotation);
            }
        }
    }

    fn note_unread(&mut self, annotation: &Annotation) {
        let name = &annotation.name;
        let message = format!("the MARTE stereotype `{name}` is ignored");
        let help = "docs/marte.md lists the supported stereotypes";
        let finding = Diagnostic::new(&rules::UNREAD_STEREOTYPE, annotation.span, message);
        self.note_kind(name, finding.help(help));
    }

    /// Warns about a cost in another profile's stereotype, because many profiles are based on
    /// MARTE.
    fn note_foreign_demand(&mut self, node: NodeId, name: &str) {
        let priced = DEMANDS
            .iter()
            .find(|tag| self.tree.property(node, tag).is_some());
        let Some(tag) = priced else { return };
        let name = shorten(name);
        let message =
            format!("`{tag}` of `{name}` is ignored, because `{name}` is not a MARTE stereotype");
        let help = "apply `GaStep` or `PaStep` as well";
        let span = self.tree.span(node);
        let finding = Diagnostic::new(&rules::UNREAD_STEREOTYPE, span, message);
        self.note_kind(&name, finding.help(help));
    }

    /// Returns `true` if the XML tag at `start` applies a supported MARTE stereotype.
    pub(super) fn is_marte(&self, start: usize) -> bool {
        self.marte.read.contains(&start)
    }

    pub(super) fn is_step(&self, node: NodeId) -> bool {
        self.marte.steps.contains_key(&node)
    }

    fn report_value(
        &mut self,
        rule: &'static Rule,
        tag: &str,
        text: &Text,
        problem: &ValueProblem,
    ) {
        let span = text.locate(self.tree.source, problem.at.start, problem.at.end);
        let span = if span.start == span.end {
            text.span
        } else {
            span
        };
        let message = format!("`{}` cannot be read: {}", shorten(tag), problem.message);
        let help = "write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`";
        self.diagnostics
            .push(Diagnostic::new(rule, span, message).help(help));
    }

    /// Translates the value of a tag to the cost language. If that fails, reports why.
    pub(super) fn price(&mut self, tag: &str, text: &Text, dimension: Dimension) -> Option<Price> {
        let read = marte_values::parse(&text.value)
            .and_then(|value| marte_values::quantity(value, dimension));
        match read.and_then(|quantity| self.code(&quantity, text)) {
            Ok(price) => Some(price),
            Err(problem) => {
                self.report_value(&rules::BAD_VALUE, tag, text, &problem);
                None
            }
        }
    }

    fn code(&mut self, quantity: &Quantity<'_>, text: &Text) -> Result<Price, ValueProblem> {
        self.code_of(&quantity.value, quantity.scale, text)
    }

    fn code_of(
        &mut self,
        value: &marte_values::Value<'_>,
        scale: Scale,
        text: &Text,
    ) -> Result<Price, ValueProblem> {
        let code = marte_values::CodeWriter::of(value, scale, text, self.tree.source)?;
        let (text, is_random) = (code.text(), code.is_random);
        for (name, span) in code.variables {
            self.marte.used.get_or_default(name).push(span);
        }
        Ok(Price { text, is_random })
    }

    /// Warns about unsupported tags that could make a difference.
    fn note_tags(&mut self, annotation: &Annotation, known: &[&str]) {
        for (tag, text) in &annotation.tags {
            let is_zero = text.value.parse() == Ok(0.0);
            if known.contains(&tag.as_str()) || is_zero {
                continue;
            }
            let name = &annotation.name;
            let tag = shorten(tag);
            let message = format!("the tag `{tag}` of `{name}` is ignored");
            let finding = Diagnostic::new(&rules::UNREAD_TAG, text.span, message);
            self.note_kind(&format!("{name}.{tag}"), finding);
        }
    }

    fn is_flow(&self, node: NodeId) -> bool {
        is_edge(self.tree.kind(node))
    }
}
