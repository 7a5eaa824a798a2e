//! Assigns the nodes in loop nodes and conditional nodes to the parts of these nodes.

use std::collections::VecDeque;

use super::activity::Place;
use super::reader::{Reader, is_edge, is_node, is_pin};
use super::tree::NodeId;
use super::values::Body;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::model as rules;
use crate::model::{Clause, Code, DiagramId, LoopNode, NodeKind};
use crate::path;
use prophet_map::Map;

type PartNumber = usize;

type NodeParts = Map<NodeId, PartNumber>;

const SETUP: PartNumber = 0;
const TEST: PartNumber = 1;
const BODY: PartNumber = 2;

impl Reader<'_, '_> {
    pub(super) fn loop_node(
        &mut self,
        node: NodeId,
        name: &str,
        path: &str,
        outer: DiagramId,
    ) -> NodeKind {
        self.hoist_variables(node, path, outer);
        let mut parts = NodeParts::new();
        for (role, part) in [("setupPart", SETUP), ("test", TEST), ("bodyPart", BODY)] {
            self.assign(node, node, role, part, path, &mut parts);
        }
        self.spread(node, &mut parts);
        for member in self.members(node) {
            parts.get_or_insert(member, BODY);
        }
        let tests = parts.iter().filter(|&(_, &part)| part == TEST);
        let tests: Vec<NodeId> = tests.map(|(&member, _)| member).collect();
        let condition = self.decision(node, node, &tests, path);
        let is_used = |part| {
            parts
                .iter()
                .any(|(member, &it)| it == part && !self.absorbed.contains(member))
        };
        let (has_setup, has_test) = (is_used(SETUP), is_used(TEST));
        let named = |part: &str| match name {
            "" => part.to_owned(),
            _ => format!("{name} {part}"),
        };
        let setup = has_setup.then(|| self.diagram(node, named("setup"), path.to_owned()));
        let test = has_test.then(|| self.diagram(node, named("test"), path.to_owned()));
        let body = self.diagram(node, name.to_owned(), path.to_owned());
        let diagrams = parts.iter().filter_map(|(&member, &part)| {
            let diagram = match part {
                SETUP => setup,
                TEST => test,
                _ => Some(body),
            };
            Some((member, diagram?))
        });
        let place = Place {
            diagram: Some(body),
            path,
            parts: &diagrams.collect(),
        };
        self.content(node, &place);
        NodeKind::Loop(LoopNode {
            setup,
            test,
            condition,
            body,
            tested_first: self.tree.flag(node, "isTestedFirst") == Some(true),
        })
    }

    /// Reads a `ConditionalNode`. It is drawn in the diagram `outer`.
    pub(super) fn conditional(
        &mut self,
        node: NodeId,
        name: &str,
        path: &str,
        outer: DiagramId,
    ) -> NodeKind {
        self.hoist_variables(node, path, outer);
        let clauses: Vec<NodeId> = self.tree.children_in(node, "clause").collect();
        let mut parts = NodeParts::new();
        for (number, &clause) in clauses.iter().enumerate() {
            self.assign(node, clause, "test", 2 * number, path, &mut parts);
            self.assign(node, clause, "body", 2 * number + 1, path, &mut parts);
        }
        self.spread(node, &mut parts);
        let mut tests: Map<PartNumber, Vec<NodeId>> = Map::new();
        for (&member, &part) in parts.iter() {
            tests.get_or_default(part).push(member);
        }
        let conditions: Vec<Option<Code>> = (0..)
            .zip(&clauses)
            .map(|(number, &clause)| {
                let tests = tests.get(&(2 * number)).map_or(&[][..], Vec::as_slice);
                self.decision(node, clause, tests, path)
            })
            .collect();
        let mut bodies = Vec::new();
        for number in 1..=clauses.len() {
            let name = match name {
                "" => format!("clause {number}"),
                _ => format!("{} {number}", path::shorten(name)),
            };
            bodies.push(self.diagram(node, name, path.to_owned()));
        }
        let mut diagrams = Map::new();
        for member in self.members(node) {
            match parts.get(&member) {
                Some(part) if part % 2 == 1 => {
                    diagrams.extend(bodies.get(part / 2).map(|&body| (member, body)));
                }
                Some(_) => self.leave_out_test(member, path),
                None => {}
            }
        }
        let place = Place {
            diagram: None,
            path,
            parts: &diagrams,
        };
        self.content(node, &place);
        let spans = clauses.iter().map(|&clause| self.tree.span(clause));
        let clauses = conditions.into_iter().zip(bodies).zip(spans);
        NodeKind::Conditional(
            clauses
                .map(|((condition, body), span)| Clause {
                    condition,
                    body,
                    span,
                })
                .collect(),
        )
    }

    /// Adds the variables of a loop or conditional node to the enclosing diagram, so that all parts
    /// of the node can use them.
    fn hoist_variables(&mut self, node: NodeId, path: &str, outer: DiagramId) {
        let variables = self.variables(node, "variable", path);
        self.diagrams[outer.0].locals.extend(variables);
    }

    pub(super) fn members(&self, node: NodeId) -> Vec<NodeId> {
        let is_member = |&child: &NodeId| {
            let role = self.tree.role(child);
            self.is_content(child)
                && !is_pin(self.tree.kind(child))
                && (is_node(self.tree.kind(child)) || matches!(role, "node" | "structuredNode"))
        };
        self.tree.children(node).filter(is_member).collect()
    }

    /// Finds the child of `node` that is or contains the node `inner`.
    fn member_around(&self, node: NodeId, inner: NodeId) -> Option<NodeId> {
        let mut around = self.tree.ancestors(inner);
        around.find(|&it| self.tree.node(it).parent == Some(node))
    }

    /// Assigns the nodes that `owner` refers to in a role to a part of `node`.
    fn assign(
        &mut self,
        node: NodeId,
        owner: NodeId,
        role: &str,
        part: PartNumber,
        path: &str,
        parts: &mut NodeParts,
    ) {
        for reference in self.tree.references(owner, role) {
            let Some(target) = self.resolve(&reference, path) else {
                continue;
            };
            if let Some(member) = self.member_around(node, target) {
                parts.get_or_insert(member, part);
            }
        }
        if owner == node {
            // Some tools nest the nodes in the role's element.
            for child in self.tree.children_in(node, role) {
                if self.is_content(child) && is_node(self.tree.kind(child)) {
                    parts.get_or_insert(child, part);
                }
            }
        }
    }

    /// Assigns control nodes to the part of the nodes that they connect, because UML doesn't assign
    /// them to a part.
    fn spread(&self, node: NodeId, parts: &mut NodeParts) {
        let mut neighbors: Map<NodeId, Vec<NodeId>> = Map::new();
        for edge in self.tree.children(node) {
            if !is_edge(self.tree.kind(edge)) {
                continue;
            }
            let end = |role| {
                let target = self.tree.reference(edge, role)?.target?;
                self.member_around(node, target)
            };
            if let (Some(source), Some(target)) = (end("source"), end("target")) {
                neighbors.get_or_default(source).push(target);
                neighbors.get_or_default(target).push(source);
            }
        }
        let mut reached: Vec<(PartNumber, NodeId)> =
            parts.iter().map(|(&it, &part)| (part, it)).collect();
        reached.sort_unstable();
        let mut queue = VecDeque::from(reached);
        while let Some((part, member)) = queue.pop_front() {
            for &neighbor in neighbors.get(&member).into_iter().flatten() {
                if !parts.contains_key(&neighbor) {
                    parts.insert(neighbor, part);
                    queue.push_back((part, neighbor));
                }
            }
        }
    }

    /// Finds the condition of a loop or clause: the body of the action with the `decider` pin or,
    /// without such a pin, of the only action with a body.
    fn decision(
        &mut self,
        node: NodeId,
        owner: NodeId,
        tests: &[NodeId],
        path: &str,
    ) -> Option<Code> {
        let named = self.tree.reference(owner, "decider");
        let named = named.and_then(|reference| self.resolve(&reference, path));
        let mut action = named.and_then(|pin| self.member_around(node, pin));
        if action.is_none() {
            let mut deciding = tests.iter().copied().filter(|&it| self.can_decide(it));
            action = deciding.next().filter(|_| deciding.next().is_none());
        }
        let action = action?;
        // An action can decide only once.
        if self.conditions.contains(&action) || self.absorbed.contains(&action) {
            return None;
        }
        let condition = self.condition(action, path)?;
        // An action with a cost stays in the test, because of its cost.
        let is_priced = self.stereotypes.contains_key(&action);
        let uses = if is_priced {
            &mut self.conditions
        } else {
            &mut self.absorbed
        };
        uses.insert(action);
        Some(condition)
    }

    fn can_decide(&self, action: NodeId) -> bool {
        match self.tree.kind(action) {
            "ValueSpecificationAction" => true,
            _ => !matches!(self.body(action), Body::Absent),
        }
    }

    /// Returns the expression that an action computes.
    fn condition(&mut self, action: NodeId, path: &str) -> Option<Code> {
        if self.tree.kind(action) == "ValueSpecificationAction" {
            let value = self.tree.children_in(action, "value").next()?;
            return self.value_or_words(value, path);
        }
        self.or_words(action, |reader| reader.expression(action, path))
    }

    /// Reports a node in the test of a clause that isn't the action that decides.
    fn leave_out_test(&mut self, member: NodeId, path: &str) {
        if !self.absorbed.insert(member) {
            return;
        }
        let message = format!("{} is in the test of a clause", self.tree.describe(member));
        let help = "the test of a clause must be one action without a stereotype; move everything \
                    else before the ConditionalNode";
        let span = self.tree.span(member);
        let diagnostic = Diagnostic::new(&rules::CLAUSE_TEST, span, message);
        self.diagnostics.push(diagnostic.element(path).help(help));
    }

    /// Warns about a node in a `ConditionalNode` that isn't in any clause.
    pub(super) fn leave_out(&mut self, member: NodeId, path: &str) {
        self.absorbed.insert(member);
        let message = format!(
            "{} is outside any clause and is ignored",
            self.tree.describe(member)
        );
        let span = self.tree.span(member);
        let diagnostic = Diagnostic::new(&rules::STRAY_NODE, span, message);
        let path = path::join(path, &self.tree.short_name(member));
        self.diagnostics.push(diagnostic.element(path));
    }
}
