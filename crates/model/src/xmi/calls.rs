//! Finds the activities that calls refer to.

use std::collections::BTreeSet;

use super::reader::Reader;
use super::references::Reference;
use super::tree::NodeId;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{DiagramId, ElementId, NodeKind, StereotypeKind};
use crate::path;
use prophet_map::Map;

impl Reader<'_, '_> {
    /// Finds the activity for each call, and returns the called activities.
    pub(super) fn resolve_calls(&mut self) -> BTreeSet<NodeId> {
        let mut called = self.drawn.clone();
        let mut nameless = Vec::new();
        for (element, node) in std::mem::take(&mut self.calls) {
            match self.tree.reference(node, "behavior") {
                Some(reference) => self.resolve_call(element, node, &reference, &mut called),
                None => nameless.push(element),
            }
        }
        self.call_by_name(&nameless, &mut called);
        called
    }

    pub(super) fn resolve_call(
        &mut self,
        element: ElementId,
        node: NodeId,
        reference: &Reference,
        called: &mut BTreeSet<NodeId>,
    ) {
        let path = self.elements[element.0].path.clone();
        if let (Some(file), None) = (&reference.file, reference.target) {
            let why = match self.tree.source.link(reference.span.start, file) {
                Some(Ok(_)) => "which has no element with that id",
                Some(Err(why)) => why,
                None => "which is not read",
            };
            let [id, file] = [&reference.id, file].map(|it| path::shorten(it));
            let what = format!("`{id}` in another file, `{file}`, {why}");
            return self.call_of_unread(element, reference, &what);
        }
        let Some(target) = self.resolve(reference, &path) else {
            return;
        };
        let Some(&diagram) = self.activities.get(&target) else {
            if is_behavior(self.tree.kind(target)) {
                let what = self.tree.describe(target);
                let what = format!("{what}, which is not an activity");
                return self.call_of_unread(element, reference, &what);
            }
            let what = self.tree.describe(target);
            let message = format!("a call names {what}, which is not an activity");
            let help = "call an activity, or use an OpaqueAction with code";
            let diagnostic = Diagnostic::new(&rules::WRONG_TARGET, reference.span, message);
            self.diagnostics.push(diagnostic.element(path).help(help));
            return;
        };
        self.elements[element.0].kind = NodeKind::Call(Some(diagram));
        let mut around = self.tree.ancestors(node);
        let of_call = around.find(|it| self.activities.contains_key(it));
        if of_call != Some(target) {
            called.insert(target);
        }
    }

    /// Turns a call of something that wasn't read into an action, which does only what its
    /// stereotype says.
    fn call_of_unread(&mut self, id: ElementId, reference: &Reference, what: &str) {
        let element = &mut self.elements[id.0];
        element.kind = NodeKind::Action;
        let message = format!("a call names {what}, so it becomes a plain action");
        let finding = Diagnostic::new(&rules::CALL_OF_UNREAD, reference.span, message);
        let help = "apply a stereotype with its cost, or call an activity of this file";
        let finding = finding.element(element.path.clone()).help(help);
        self.note_kind(what, finding);
    }

    /// Looks for the called activity by name, because not all tools can record it. This applies to
    /// calls without a reference, and to actions that must have content. If several activities have
    /// the name, none of them is called. Visual Paradigm exports every action as a
    /// `CallBehaviorAction`, so calls that can't have content become plain actions.
    pub(super) fn call_by_name(&mut self, nameless: &[ElementId], called: &mut BTreeSet<NodeId>) {
        let must_call = |id: &ElementId| {
            let element = &self.elements[id.0];
            let stereotype = element.stereotype.as_ref().map(|it| it.kind);
            let has_content = matches!(
                stereotype,
                Some(StereotypeKind::ActivityPlus | StereotypeKind::LoopPlus)
            );
            element.kind == NodeKind::Action && has_content
        };
        let all = (0..self.elements.len()).map(ElementId);
        let mut wanting: Vec<ElementId> = all.filter(must_call).collect();
        wanting.extend(nameless);
        if wanting.is_empty() {
            return;
        }
        let by_name = self.activities_by_name();
        for id in wanting {
            let element = &self.elements[id.0];
            let is_leaf = element.stereotype.as_ref().map(|it| !it.kind.has_content());
            let mut around = self.tree.ancestors(self.element_nodes[id.0]);
            // An author who draws the action `Cancel` in the activity `Cancel` doesn't mean
            // recursion.
            let named = by_name.get(&element.name).copied().flatten();
            let named = named.filter(|(target, _)| around.all(|it| it != *target));
            match (is_leaf, named) {
                (Some(true), _) => self.elements[id.0].kind = NodeKind::Action,
                (_, Some((target, diagram))) => {
                    called.insert(target);
                    self.elements[id.0].kind = NodeKind::Call(Some(diagram));
                }
                (None, None) => self.call_of_nothing(id),
                (Some(false), None) => {}
            }
        }
    }

    /// Turns a call without an activity into an action that does nothing, because users of Cameo
    /// draw all actions as calls.
    fn call_of_nothing(&mut self, id: ElementId) {
        let element = &mut self.elements[id.0];
        element.kind = NodeKind::Action;
        let node = self.element_nodes[id.0];
        if self.is_step(node) {
            return;
        }
        let element = &self.elements[id.0];
        let kind = self.tree.kind(node);
        let kind = match kind {
            "" => self.tree.role(node),
            kind => kind,
        };
        let kind = path::shorten(kind);
        let message = format!("the {kind} does not name an activity and does nothing");
        let finding = Diagnostic::new(&rules::INERT_ACTION, element.span, message);
        let help = "apply a stereotype, or set its property `behavior` to an activity";
        let finding = finding.element(element.path.clone()).help(help);
        self.note_kind(&format!("{kind} of nothing"), finding);
    }

    fn activities_by_name(&self) -> Map<String, Option<(NodeId, DiagramId)>> {
        let mut by_name = Map::new();
        for (&node, &diagram) in self.activities.iter() {
            let name = self.diagrams[diagram.0].name.clone();
            let is_known = by_name.contains_key(&name);
            by_name.insert(name, (!is_known).then_some((node, diagram)));
        }
        by_name.remove("");
        by_name
    }
}

/// Returns `true` if a UML type is a callable behavior other than an activity.
fn is_behavior(kind: &str) -> bool {
    matches!(
        kind,
        "OpaqueBehavior"
            | "FunctionBehavior"
            | "StateMachine"
            | "ProtocolStateMachine"
            | "Interaction"
            | "Operation"
    )
}
