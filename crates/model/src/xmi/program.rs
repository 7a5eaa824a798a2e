//! Chooses the main activity, and finds the program's global variables.

use std::collections::{BTreeMap, BTreeSet};

use super::reader::Reader;
use super::references::did_you_mean;
use super::tree::NodeId;
use crate::diagnostic::catalogue::model as rules;
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::model::{DiagramId, HOOKS, Start, Variable};
use crate::path::shorten;

const CANDIDATES_MAX: usize = 8;

/// Maximum number of other main activities to examine if the choice isn't clear.
const STARTS_MAX: usize = 200;

impl Reader<'_, '_> {
    /// Chooses the activity where the program starts. If the choice isn't clear, chooses the first
    /// candidate.
    pub(super) fn main(
        &mut self,
        root: NodeId,
        wanted: Option<&str>,
        called: &BTreeSet<NodeId>,
    ) -> Option<(NodeId, DiagramId)> {
        let Some(first) = self.own_activities().next() else {
            let message = "the model has no activity";
            let help = "draw the program as an activity diagram";
            let span = self.tree.span(root);
            self.diagnostics
                .push(Diagnostic::new(&rules::NO_ACTIVITY, span, message).help(help));
            return None;
        };
        let main = match wanted {
            Some(name) => self.main_named(name),
            None => self.main_by_default(called),
        };
        let main = main.unwrap_or(first);
        Some((main, *self.activities.get(&main)?))
    }

    fn own_activities(&self) -> impl Iterator<Item = NodeId> {
        let all = self.activities.keys().copied();
        all.filter(|&it| self.tree.is_own(it))
    }

    /// Finds the activity with this name, with a path that ends like this, or with this id.
    fn main_named(&mut self, name: &str) -> Option<NodeId> {
        let all: Vec<NodeId> = self.own_activities().collect();
        let of_id = self.tree.with_id(0, name);
        if let Some(main) = of_id.filter(|it| all.contains(it)) {
            return Some(main);
        }
        let path = |it: &NodeId| self.diagrams[self.activities[it].0].path.as_str();
        let is_named = |it: &&NodeId| {
            let end = path(it).strip_suffix(name);
            self.tree.name(**it).value == name
                || end.is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
        };
        let named: Vec<NodeId> = all.iter().filter(is_named).copied().collect();
        let shown = shorten(name);
        match named.as_slice() {
            &[main] => Some(main),
            [] => {
                let known: Vec<String> = all.iter().map(|&it| self.tree.name(it).value).collect();
                let message = format!("unknown activity `{shown}`");
                let mut help = format!("the activities are {}", self.listed_activities(&all));
                if let Some(guess) = did_you_mean(name, known.iter().map(String::as_str)) {
                    help = format!("{guess} {help}");
                }
                self.unclear(&rules::UNKNOWN_MAIN, &[], None, message, help)
            }
            several => {
                let message = format!("there are {} activities named `{shown}`", several.len());
                let help = format!(
                    "give the path or id of one: {}",
                    self.listed_activities(several)
                );
                self.unclear(
                    &rules::SEVERAL_MAINS,
                    several,
                    several.get(1),
                    message,
                    help,
                )
            }
        }
    }

    /// Finds the activity that is the behavior of a class, or the only activity that no other
    /// activity calls.
    fn main_by_default(&mut self, called: &BTreeSet<NodeId>) -> Option<NodeId> {
        let mut candidates = Vec::new();
        for class in self.tree.own_ids() {
            if !self.is_content(class) {
                continue;
            }
            if let Some(reference) = self.tree.reference(class, "classifierBehavior") {
                let path = self.tree.name(class).value;
                self.resolve(&reference, &path);
            }
            let behavior = self.behavior_of(class);
            candidates.extend(behavior.filter(|it| self.activities.contains_key(it)));
        }
        candidates.sort_unstable();
        candidates.dedup();
        let choose = "choose one with `--main NAME`";
        let all: Vec<NodeId> = self.own_activities().collect();
        if candidates.len() > 1
            && let Some(main) = self.called_main(&all, called)
        {
            return Some(main);
        }
        match self.likely(&candidates, called).as_slice() {
            &[main] => return Some(main),
            [] => {}
            several => {
                let message = format!(
                    "{} classes have an activity as their behavior",
                    several.len()
                );
                let help = format!("{choose}: {}", self.listed_activities(several));
                let second = several.get(1);
                return self.unclear(&rules::SEVERAL_MAINS, several, second, message, help);
            }
        }
        if let &[only] = all.as_slice() {
            return Some(only);
        }
        let is_called = |it: &NodeId| called.contains(it);
        match self.likely(&all, called).as_slice() {
            &[main] => Some(main),
            several if several.iter().all(is_called) => {
                let message = "every activity is called by another one".to_owned();
                let help = format!("{choose}: {}", self.listed_activities(&all));
                self.unclear(&rules::SEVERAL_MAINS, &all, all.first(), message, help)
            }
            several => {
                let message = format!("{} activities are not called by any other", several.len());
                let help = format!(
                    "{choose}, or make one the behavior of a class: {}",
                    self.listed_activities(several)
                );
                self.unclear(
                    &rules::SEVERAL_MAINS,
                    several,
                    several.get(1),
                    message,
                    help,
                )
            }
        }
    }

    /// Selects the candidates that are most likely the program. Prefers, in this order, activities
    /// that no other activity calls, activities with elements, activities that aren't started by an
    /// operation or a state, activities that aren't hooks, and activities named `main`.
    fn likely(&self, candidates: &[NodeId], called: &BTreeSet<NodeId>) -> Vec<NodeId> {
        let is_uncalled = |it: &NodeId| !called.contains(it);
        let is_drawn = |it: &NodeId| !self.diagrams[self.activities[it].0].elements.is_empty();
        let is_free = |it: &NodeId| !self.is_started(*it);
        let is_no_hook = |it: &NodeId| !HOOKS.contains(&&*self.tree.name(*it).value);
        let is_main = |it: &NodeId| self.tree.name(*it).value.eq_ignore_ascii_case("main");
        let mut left = candidates.to_vec();
        let tests: [&dyn Fn(&NodeId) -> bool; 5] =
            [&is_uncalled, &is_drawn, &is_free, &is_no_hook, &is_main];
        for test in tests {
            if left.iter().any(test) && left.len() > 1 {
                left.retain(test);
            }
        }
        left
    }

    /// Returns the only activity named `main`, if no other activity calls it. If several classes
    /// have a behavior, this activity creates the objects.
    fn called_main(&self, all: &[NodeId], called: &BTreeSet<NodeId>) -> Option<NodeId> {
        let is_main = |it: &&NodeId| {
            self.tree.name(**it).value.eq_ignore_ascii_case("main") && !called.contains(it)
        };
        let mut mains = all.iter().filter(is_main);
        mains.next().copied().filter(|_| mains.next().is_none())
    }

    /// Returns `true` if an operation, a state or a transition starts the activity.
    fn is_started(&self, activity: NodeId) -> bool {
        let is_method = self.operations.contains_key(&activity)
            || self.tree.reference(activity, "specification").is_some();
        let role = self.tree.role(activity);
        is_method || matches!(role, "entry" | "exit" | "doActivity" | "effect")
    }

    /// Finds the behavior of a class. Some tools nest it in the element that should only refer to
    /// it.
    fn behavior_of(&self, class: NodeId) -> Option<NodeId> {
        let reference = self.tree.reference(class, "classifierBehavior");
        let named = reference.and_then(|it| it.target);
        named.or_else(|| {
            let mut nested = self.tree.children_in(class, "classifierBehavior");
            nested.find(|&child| self.is_content(child))
        })
    }

    /// Reports that it isn't clear which activity is the program.
    fn unclear(
        &mut self,
        rule: &'static Rule,
        candidates: &[NodeId],
        at: Option<&NodeId>,
        message: String,
        help: String,
    ) -> Option<NodeId> {
        self.is_open = true;
        candidates.clone_into(&mut self.candidates);
        self.mains = self.mains_of(candidates);
        let span = at.map_or(Span::default(), |&node| self.tree.span(node));
        self.diagnostics
            .push(Diagnostic::new(rule, span, message).help(help));
        None
    }

    /// Lists all activities except `main` where the program could start. `globals` returns the
    /// global variables of each.
    pub(super) fn other_starts(
        &mut self,
        main: NodeId,
        mut globals: impl FnMut(&mut Self, NodeId) -> Vec<Variable>,
    ) -> Vec<Start> {
        let candidates = std::mem::take(&mut self.candidates).into_iter();
        let others: Vec<NodeId> = candidates.filter(|it| *it != main).collect();
        // What wasn't read of a class is counted only once, for its first activity.
        let unread = self.unread.clone();
        let mut starts = Vec::new();
        for other in others.into_iter().take(STARTS_MAX) {
            let Some(&main) = self.activities.get(&other) else {
                continue;
            };
            let globals = globals(self, other);
            starts.push(Start { main, globals });
        }
        self.unread = unread;
        starts
    }

    fn listed_activities(&self, activities: &[NodeId]) -> String {
        let mut shown = self.mains_of(&activities[..activities.len().min(CANDIDATES_MAX)]);
        for name in &mut shown {
            *name = format!("`{name}`");
        }
        if activities.len() > CANDIDATES_MAX {
            shown.push(format!("{} more", activities.len() - CANDIDATES_MAX));
        }
        shown.join(", ")
    }

    /// Returns the value of `--main` for each activity: its path or, if another activity has the
    /// same path, its id.
    fn mains_of(&self, activities: &[NodeId]) -> Vec<String> {
        let path = |it: NodeId| self.diagrams[self.activities[&it].0].path.as_str();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for it in self.own_activities() {
            *counts.entry(path(it)).or_default() += 1;
        }
        let main = |&it: &NodeId| {
            let id = self.tree.xmi_attribute(it, "id");
            let id = id.filter(|_| counts.get(path(it)) > Some(&1));
            id.map_or(path(it), |id| self.tree.raw(id)).to_owned()
        };
        activities.iter().map(main).collect()
    }

    pub(super) fn globals(&mut self, main: NodeId) -> Vec<Variable> {
        let behaves = |&class: &NodeId| self.behavior_of(class) == Some(main);
        let class = self.tree.own_ids().find(behaves).or_else(|| {
            let is_class = |&it: &NodeId| matches!(self.tree.kind(it), "Class" | "Component");
            self.tree.ancestors(main).find(is_class)
        });
        let mut globals = Vec::new();
        if let Some(class) = class {
            let path = self.qualified_name(class);
            globals.extend(self.variables(class, "ownedAttribute", &path));
        }
        if class != Some(main) {
            let path = self.diagrams[self.activities[&main].0].path.clone();
            globals.extend(self.variables(main, "ownedAttribute", &path));
        }
        globals
    }

    /// Adds the variables of each activity to its diagram and, unless it is the main activity, its
    /// attributes.
    pub(super) fn locals(&mut self, main: NodeId) {
        for (node, diagram) in self.activities.clone() {
            let path = self.diagrams[diagram.0].path.clone();
            let mut locals = self.variables(node, "variable", &path);
            if node != main {
                locals.extend(self.variables(node, "ownedAttribute", &path));
            }
            // The variables that the diagram already has come from loop and conditional nodes.
            locals.append(&mut self.diagrams[diagram.0].locals);
            self.diagrams[diagram.0].locals = locals;
        }
    }

    /// Joins the names of an element and all of its ancestors to a path.
    pub(super) fn qualified_name(&self, node: NodeId) -> String {
        let ancestors = self.tree.ancestors(node);
        let mut names: Vec<String> = ancestors.map(|it| self.tree.name(it).value).collect();
        names.reverse();
        let given = names.iter().filter(|name| !name.is_empty());
        given.fold(String::new(), |path, name| crate::path::join(&path, name))
    }
}
