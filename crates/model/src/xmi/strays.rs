//! Assigns elements outside of all activities to an activity: nodes in a package, edges next to
//! their activity, and activities that are drawn as nodes of other diagrams.

use std::collections::BTreeSet;

use super::activity::{NO_PARTS, Place};
use super::reader::{Reader, is_edge, is_node};
use super::tree::NodeId;
use crate::model::{DiagramId, Element, ElementId, NodeKind};
use crate::path;
use prophet_map::Map;

impl Reader<'_, '_> {
    /// Adds nodes outside of all activities to the activity with the edges that connect them.
    /// Without such edges, adds them to an activity for the package or class that they are drawn
    /// in.
    pub(super) fn adopt_strays(&mut self) {
        let strays: BTreeSet<NodeId> = self.strays.iter().map(|(node, _)| *node).collect();
        let spare = self.dissolve_containers();
        let mut spare = spare.into_iter();
        let adopted = self.adopted_by_activities(&strays);
        self.place(&adopted);
        let drawn = self.edges_of_activities();
        self.draw_activities(&drawn, None);
        let mut at_home = Map::new();
        let edges = if strays.is_empty() {
            Vec::new()
        } else {
            self.edges.clone()
        };
        for edge in edges {
            let ends = self.ends_of(edge);
            let near = ends.iter().find_map(|&end| {
                let mut around = self.tree.ancestors(end);
                around.find_map(|it| at_home.get(&it).copied().or_else(|| self.diagram_with(it)))
            });
            let found = ends.iter().map(|&end| self.stray_around(end, &strays));
            for stray in found.flatten().collect::<Vec<_>>() {
                if !at_home.contains_key(&stray) && !adopted.contains_key(&stray) {
                    let diagram = near.or_else(|| self.home_of(stray, &mut spare));
                    at_home.extend(diagram.map(|diagram| (stray, diagram)));
                }
            }
        }
        self.place(&at_home);
        self.draw_activities(&drawn, Some(&mut spare));
    }

    fn place(&mut self, nodes: &Map<NodeId, DiagramId>) {
        for (&node, &diagram) in nodes.iter() {
            let path = self.diagrams[diagram.0].path.clone();
            let place = Place {
                diagram: Some(diagram),
                path: &path,
                parts: &NO_PARTS,
            };
            self.node(node, &place);
        }
    }

    /// Returns the activity of each stray node that is an end of an activity's edge.
    fn adopted_by_activities(&self, strays: &BTreeSet<NodeId>) -> Map<NodeId, DiagramId> {
        let mut adopted = Map::new();
        if strays.is_empty() {
            return adopted;
        }
        for &edge in &self.edges {
            let Some(diagram) = self.diagram_of_edge(edge) else {
                continue;
            };
            for end in self.ends_of(edge) {
                if let Some(stray) = self.stray_around(end, strays) {
                    adopted.get_or_insert(stray, diagram);
                }
            }
        }
        adopted
    }

    /// Finds the stray node that is `end` or contains it.
    fn stray_around(&self, end: NodeId, strays: &BTreeSet<NodeId>) -> Option<NodeId> {
        let mut around = self.tree.ancestors(end);
        around.find(|it| strays.contains(it))
    }

    fn diagram_with(&self, node: NodeId) -> Option<DiagramId> {
        let element = self.element_of.get(&node)?;
        Some(self.elements[element.0].diagram)
    }

    fn ends_of(&self, edge: NodeId) -> Vec<NodeId> {
        let end = |role| self.tree.reference(edge, role).and_then(|it| it.target);
        ["source", "target"].into_iter().filter_map(end).collect()
    }

    /// Finds the activity that contains an edge. An activity that is an end of the edge doesn't
    /// count.
    fn diagram_of_edge(&self, edge: NodeId) -> Option<DiagramId> {
        let ends = self.ends_of(edge);
        let mut around = self.tree.ancestors(edge);
        around.find_map(|it| {
            let diagram = self.activities.get(&it)?;
            (!ends.contains(&it)).then_some(*diagram)
        })
    }

    /// Removes unnamed activities with edges but no elements, in which Visual Paradigm collects the
    /// edges of all diagrams. Returns their diagrams, which can be reused.
    fn dissolve_containers(&mut self) -> Vec<DiagramId> {
        let is_container = |(node, diagram): &(&NodeId, &DiagramId)| {
            let diagram = &self.diagrams[diagram.0];
            let mut children = self.tree.children(**node);
            diagram.name.is_empty()
                && diagram.elements.is_empty()
                && children.any(|child| is_edge(self.tree.kind(child)))
        };
        let containers = self.activities.iter().filter(is_container);
        let containers: Vec<_> = containers.map(|(&node, &id)| (node, id)).collect();
        for (node, _) in &containers {
            self.activities.remove(node);
            self.containers.insert(*node);
        }
        containers.into_iter().map(|(_, diagram)| diagram).collect()
    }

    /// Finds or creates the activity for nodes that are drawn directly in a package or class.
    fn home_of(
        &mut self,
        node: NodeId,
        spare: &mut std::vec::IntoIter<DiagramId>,
    ) -> Option<DiagramId> {
        let mut around = self.tree.ancestors(node).skip(1);
        let home = around.find(|&it| {
            let kind = self.tree.kind(it);
            let is_lane = kind.ends_with("Partition") || kind.ends_with("Region");
            !kind.is_empty() && !is_lane && !is_node(kind) && !kind.starts_with("activitySwimlane")
        })?;
        if let Some(&diagram) = self.activities.get(&home) {
            return Some(diagram);
        }
        let name = self.tree.name(home).value;
        let path = self.qualified_name(home);
        let diagram = if let Some(diagram) = spare.next() {
            let it = &mut self.diagrams[diagram.0];
            (it.name, it.path, it.span) = (name, path, self.tree.span(home));
            self.diagram_owners[diagram.0] = home;
            diagram
        } else {
            self.diagram(home, name, path)
        };
        self.activities.insert(home, diagram);
        Some(diagram)
    }

    /// Lists the edges with an activity as one of their ends, and their ends.
    fn edges_of_activities(&self) -> Vec<(NodeId, Vec<NodeId>)> {
        let is_drawn =
            |it: &NodeId| self.activities.contains_key(it) && self.tree.kind(*it) == "Activity";
        let edges = self.edges.iter().map(|&edge| (edge, self.ends_of(edge)));
        edges
            .filter(|(_, ends)| ends.iter().any(is_drawn))
            .collect()
    }

    /// Turns activities at the ends of edges into calls, because Enterprise Architect and Visual
    /// Paradigm let you call an activity by drawing it in another activity's diagram. If no other
    /// node shows which diagram that is, the activity is drawn only if `spare` contains diagrams
    /// for its package.
    fn draw_activities(
        &mut self,
        edges: &[(NodeId, Vec<NodeId>)],
        mut spare: Option<&mut std::vec::IntoIter<DiagramId>>,
    ) {
        for (edge, ends) in edges {
            for &activity in ends {
                let is_drawn = self.element_of.contains_key(&activity);
                if is_drawn || self.tree.kind(activity) != "Activity" {
                    continue;
                }
                let Some(&called) = self.activities.get(&activity) else {
                    continue;
                };
                let diagram = ends.iter().find_map(|&end| {
                    let mut around = self.tree.ancestors(end);
                    around.find_map(|it| self.diagram_with(it))
                });
                let diagram = diagram.or_else(|| self.diagram_of_edge(*edge));
                let home = |spare| self.home_of(activity, spare);
                let diagram = diagram.or_else(|| spare.as_deref_mut().and_then(home));
                if let Some(diagram) = diagram.filter(|it| called != *it) {
                    self.draw_activity(activity, diagram);
                }
            }
        }
    }

    fn draw_activity(&mut self, activity: NodeId, diagram: DiagramId) {
        let called = self.activities[&activity];
        let name = self.diagrams[called.0].name.clone();
        let stereotype = self.diagrams[called.0].stereotype.clone();
        let id = ElementId(self.elements.len());
        self.elements.push(Element {
            path: path::join(&self.diagrams[diagram.0].path, &name),
            name,
            span: self.tree.span(activity),
            comment: None,
            diagram,
            kind: NodeKind::Call(Some(called)),
            stereotype: stereotype.filter(|it| it.kind.has_content()),
            body: None,
        });
        self.element_of.insert(activity, id);
        self.element_nodes.push(activity);
        self.diagrams[diagram.0].elements.push(id);
        self.drawn.insert(activity);
    }
}
