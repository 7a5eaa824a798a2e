//! Counts the elements of a file after it was read. Everything that became part of the model counts
//! as read, and everything else as skipped.

use std::collections::BTreeSet;

use super::super::dialect::{self, Root};
use super::super::reader::{Reader, is_edge, is_node, is_pin};
use super::super::tree::{Namespace, NodeId};
use super::{Counts, Read, Skipped, Summary};
use crate::model::{DiagramId, Flow, Model};
use crate::path;
use prophet_map::Map;

/// Maximum number of kinds to distinguish, because a hostile file can have millions.
const KINDS_MAX: usize = 200;

type SkippedCounts = Map<(&'static str, String), usize>;

const FOREIGN: &str = "a stereotype of another profile";
const MISPLACED: &str = "a stereotype on an element that it does not fit";
const OTHER: &str = "has no meaning in a simulation";

/// The elements of the file that became part of the model.
struct MadeElements<'m> {
    /// Flows, by the start of their edge's tag.
    flows: Map<usize, &'m Flow>,
    skipped: SkippedCounts,
    read: Read,
}

impl Reader<'_, '_> {
    /// Counts the parts of the file that became part of `model`.
    pub(in crate::xmi) fn summary(&self, model: Option<&Model>) -> Summary {
        let empty = Model {
            name: String::new(),
            main: DiagramId(0),
            globals: Vec::new(),
            others: Vec::new(),
            mains: Vec::new(),
            functions: Vec::new(),
            diagrams: Vec::new(),
            elements: Vec::new(),
            assumed: Vec::new(),
            idle: BTreeSet::new(),
            places: Map::new(),
        };
        let model = model.unwrap_or(&empty);
        if let Ok(Root::Structured(_)) = dialect::root(self.tree) {
            return self.summary_of_form(model);
        }
        let flows = model.diagrams.iter().flat_map(|it| &it.flows);
        let variables = model.diagrams.iter().map(|it| it.locals.len());
        let stands_for =
            |it: &&NodeId| !matches!(self.kind_of_any(**it), "Activity" | "ActivityGraph");
        let implicit = self.activities.keys().filter(stands_for).count();
        let mut made = MadeElements {
            flows: flows.map(|flow| (flow.span.start, flow)).collect(),
            skipped: SkippedCounts::new(),
            read: Read {
                activities: self.activities.len() - implicit,
                implicit_activities: implicit,
                functions: model.functions.len(),
                variables: model.globals.len() + variables.sum::<usize>(),
                ..Read::default()
            },
        };
        self.count_stereotypes(model, &mut made);
        let functions: BTreeSet<usize> = model.functions.iter().map(|it| it.span.start).collect();
        for node in self.tree.ids() {
            let it = self.tree.node(node);
            let is_uml = matches!(it.namespace, Namespace::None | Namespace::Uml) || self.is_uml14;
            if it.is_extension || !is_uml || self.is_reference_of_any(node) {
                continue;
            }
            let is_function = functions.contains(&self.tree.span(node).start);
            self.count(node, is_function, &mut made);
        }
        let skipped = made.skipped.into_iter();
        let skipped = skipped.map(|((reason, kind), count)| Skipped {
            kind,
            reason,
            count,
        });
        let mut skipped: Vec<Skipped> = skipped.collect();
        skipped.sort_by_key(|it| it.reason == OTHER);
        Summary {
            file: self.tree.source.name.clone(),
            uml: if self.is_uml14 { "UML 1" } else { "UML 2" }.to_owned(),
            exporter: dialect::exporter(self.tree),
            read: made.read,
            skipped,
        }
    }

    /// Counts the parts of a file in our own XML format, including implied nodes and edges. Nothing
    /// in such a file is skipped, because unknown parts are errors.
    fn summary_of_form(&self, model: &Model) -> Summary {
        let variables = model.diagrams.iter().map(|it| it.locals.len());
        let mut read = Read {
            activities: self.activities.len(),
            functions: model.functions.len(),
            variables: model.globals.len() + variables.sum::<usize>(),
            ..Read::default()
        };
        for element in &model.elements {
            add(&mut read.nodes, element.kind.uml_name());
        }
        for flow in model.diagrams.iter().flat_map(|it| &it.flows) {
            add(&mut read.edges, "ControlFlow");
            read.guards += usize::from(flow.guard.is_some());
        }
        let of_nodes = model.elements.iter().map(|it| it.stereotype.as_ref());
        let of_diagrams = model.diagrams.iter().map(|it| it.stereotype.as_ref());
        for stereotype in of_nodes.chain(of_diagrams).flatten() {
            add(&mut read.stereotypes, stereotype.kind.name());
        }
        Summary {
            file: self.tree.source.name.clone(),
            uml: "Prophet XML".to_owned(),
            read,
            ..Summary::default()
        }
    }

    fn is_reference_of_any(&self, node: NodeId) -> bool {
        self.tree.is_reference(node) || self.tree.attribute(node, "xmi.idref").is_some()
    }

    /// Returns the kind of an element; empty if it has no UML type.
    fn kind_of_any(&self, node: NodeId) -> &str {
        if self.is_uml14 {
            let role = self.tree.role(node);
            return if role.contains('.') { "" } else { role };
        }
        self.tree.kind(node)
    }

    fn count(&self, node: NodeId, is_function: bool, made: &mut MadeElements<'_>) {
        let kind = self.kind_of_any(node);
        let is_element = self.element_of.contains_key(&node);
        let is_activity = self.activities.contains_key(&node);
        if is_element && !is_activity {
            let kind = if kind.is_empty() {
                self.tree.role(node)
            } else {
                kind
            };
            return add(&mut made.read.nodes, kind);
        }
        if is_edge(kind) || (self.is_uml14 && kind == "Transition") {
            return self.count_edge(node, kind, made);
        }
        if is_activity || is_function || kind.is_empty() || is_part(kind) {
            return;
        }
        let reason = if self.absorbed.contains(&node) {
            "is part of a test, or is outside any clause"
        } else if self.containers.contains(&node) {
            "only holds the edges of other diagrams"
        } else if is_pin(kind) {
            "its edges count as edges of its action"
        } else if is_node(kind) {
            "is outside any activity"
        } else if matches!(kind, "OpaqueBehavior" | "FunctionBehavior" | "Method") {
            "has no body in C, C++ or Rust"
        } else if kind.ends_with("Partition") {
            "its border has no meaning"
        } else if kind.ends_with("ActivityRegion") {
            "is ignored, but its content is read"
        } else {
            OTHER
        };
        skip(&mut made.skipped, kind, reason);
    }

    fn count_edge(&self, node: NodeId, kind: &str, made: &mut MadeElements<'_>) {
        let has_guard = self.has_guard(node);
        let Some(flow) = made.flows.get(&self.tree.span(node).start) else {
            let reason = self.dropped.get(&node).copied();
            let reason = reason.unwrap_or("is not between two nodes of an activity");
            skip(&mut made.skipped, kind, reason);
            if has_guard {
                skip(&mut made.skipped, "guard", "its edge is skipped");
            }
            return;
        };
        add(&mut made.read.edges, kind);
        let is_from_name = self.guards_from_names.contains(&node);
        if is_from_name {
            made.read.guards_from_names += 1;
        } else if flow.guard.is_some() {
            made.read.guards += 1;
        }
        if has_guard && (is_from_name || flow.guard.is_none()) {
            let reason = "is empty, not read, or always true";
            skip(&mut made.skipped, "guard", reason);
        }
    }

    fn has_guard(&self, edge: NodeId) -> bool {
        if self.is_uml14 {
            return !self.tree.owned(edge, "guard").is_empty();
        }
        let child = self.tree.children_in(edge, "guard").next();
        child.is_some() || self.tree.attribute(edge, "guard").is_some()
    }

    /// Counts applied stereotypes. Those in the model count as read, and all others as skipped.
    fn count_stereotypes(&self, model: &Model, made: &mut MadeElements<'_>) {
        let of_nodes = model.elements.iter().map(|it| it.stereotype.as_ref());
        let of_diagrams = model.diagrams.iter().map(|it| it.stereotype.as_ref());
        let mut spans = BTreeSet::new();
        for stereotype in of_nodes.chain(of_diagrams).flatten() {
            // MARTE's stereotypes are counted by their own names below.
            if self.is_marte(stereotype.span.start) {
                continue;
            }
            // The call of a drawn activity has the same stereotype as the activity, so it counts
            // only once.
            if spans.insert(stereotype.span.start) || self.is_uml14 {
                add(&mut made.read.stereotypes, stereotype.kind.name());
            }
        }
        for node in self.tree.ids() {
            let start = self.tree.span(node).start;
            if self.is_uml14 || spans.contains(&start) || !self.applies_something(node) {
                continue;
            }
            if self.is_marte(start) {
                add(&mut made.read.stereotypes, self.tree.role(node));
                continue;
            }
            let is_ours = self.profile.is_ours(self.tree.node(node).namespace);
            let reason = if is_ours { MISPLACED } else { FOREIGN };
            skip(&mut made.skipped, self.tree.qualified_name(node), reason);
        }
    }

    /// Returns `true` if an element applies a stereotype, either of a profile or in an extension of
    /// Visual Paradigm.
    fn applies_something(&self, node: NodeId) -> bool {
        let it = self.tree.node(node);
        if !matches!(it.namespace, Namespace::Other(_)) {
            return it.is_extension && self.tree.role(node) == "appliedStereotype";
        }
        let attributes = self.tree.attributes(node).iter();
        let mut names = attributes.map(|it| self.tree.raw(it.name));
        let mut roles = self.tree.children(node).map(|it| self.tree.role(it));
        let is_base = |name: &str| name.starts_with("base_");
        names.any(is_base) || roles.any(is_base)
    }
}

/// Returns `true` if elements of this kind are parts of other elements, so that they aren't counted
/// separately.
fn is_part(kind: &str) -> bool {
    kind.starts_with("Literal")
        || kind.ends_with("Expression")
        || matches!(
            kind,
            "Property"
                | "Variable"
                | "Parameter"
                | "Attribute"
                | "Comment"
                | "Constraint"
                | "Clause"
                | "Guard"
                | "CompositeState"
                | "TaggedValue"
                | "Multiplicity"
                | "MultiplicityRange"
                | "UninterpretedAction"
                | "CallAction"
                | "InstanceValue"
                | "XMI"
        )
}

fn add(counts: &mut Counts, kind: &str) {
    let is_full = counts.len() >= KINDS_MAX;
    let kind = if is_full {
        "anything else".to_owned()
    } else {
        path::printable(kind)
    };
    *counts.entry(kind).or_default() += 1;
}

fn skip(skipped: &mut SkippedCounts, kind: &str, reason: &'static str) {
    let is_full = skipped.len() >= KINDS_MAX;
    let kind = if is_full {
        "anything else".to_owned()
    } else {
        path::printable(kind)
    };
    *skipped.get_or_default((reason, kind)) += 1;
}
