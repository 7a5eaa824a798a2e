//! Forks: the branches of each become diagrams of their own, which threads execute.

use super::flows::{DiagramGraph, Drawn};
use super::names::display_name;
use super::scopes::{Behind, Scope, Scopes, scopes};
use super::{Resolver, id_of_path};
use crate::flow::{Exit, Graph, Node};
use crate::index::{List, Place as _};
use crate::lang::ir::Needs;
use crate::program::{Construct, Diagram, Element, ElementIndex, Region, Step};
use prophet_model::map::Map;
use prophet_model::model::ElementId;

/// A fork in a graph.
pub(super) struct Fork<'m> {
    pub(super) origin: Origin,
    pub(super) branches: Vec<DiagramGraph<'m>>,
}

/// Origin of a fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The fork is drawn.
    Drawn,
    /// An action with several flows out of it.
    Action,
    /// A diagram with several start nodes.
    Starts,
}

impl<'m> Resolver<'m> {
    /// Divides the nodes of a diagram among its forks; `None` once an error is reported.
    pub(super) fn divide(&mut self, drawn: Drawn<'m>) -> Option<DiagramGraph<'m>> {
        let scopes = match scopes(drawn.entry, &drawn.exits, &drawn.kinds) {
            Ok(scopes) => scopes,
            Err(problems) => {
                for problem in problems {
                    self.report_problem(problem, &drawn);
                }
                return None;
            }
        };
        Some(graphs(drawn, &scopes))
    }

    /// Makes the step of a fork, whose branches see the variables around it.
    pub(super) fn fork(&mut self, id: ElementId, fork: Fork<'m>) -> Step {
        let element = self.model.element(id);
        let index = if fork.origin == Origin::Drawn {
            // No stereotype fits a fork.
            self.word_of(element);
            self.declare(id, true)
        } else {
            self.declare_implied(id, fork.origin)
        };
        self.program.elements[index].forks = true;
        let name = self.program.elements[index].name.clone();
        let parts = fork
            .branches
            .into_iter()
            .enumerate()
            .map(|(number, branch)| {
                let part = self.reserve_diagram();
                let steps = self.apart(|it| it.flow(branch, element.span, &element.path));
                self.program.diagrams[part] = Diagram {
                    name: format!("{name} branch {}", number + 1),
                    path: element.path.clone(),
                    comment: None,
                    outer: self.outer(&[], &steps),
                    locals: Vec::new(),
                    steps,
                };
                part
            });
        Step::Region(Region {
            element: index,
            construct: Construct::Fork,
            parts: parts.collect(),
            needs: Needs::default(),
        })
    }

    /// Declares an element for a fork that is not drawn, at the element in front of it.
    fn declare_implied(&mut self, id: ElementId, origin: Origin) -> ElementIndex {
        let element = self.model.element(id);
        let drawn = self.model.diagram(element.diagram);
        let (name, around) = if origin == Origin::Starts {
            (format!("starts of {}", drawn.name), &drawn.path)
        } else {
            (
                format!("fork behind {}", display_name(element)),
                &element.path,
            )
        };
        let path = format!("{around}::{name}");
        self.program.elements.push(Element {
            id: id_of_path(&path),
            name,
            path,
            span: element.span,
            stereotype: None,
            forks: true,
            lock: None,
            signal: None,
            in_run: true,
            comment: None,
        })
    }
}

/// Builds the graph of the diagram, with those of the branches of its forks inside.
fn graphs<'m>(mut drawn: Drawn<'m>, scopes: &Scopes) -> DiagramGraph<'m> {
    let mut members: Vec<List<Node, Node>> = vec![List::default(); scopes.count()];
    for (node, scope) in scopes.of.entries() {
        members[scope.unwrap_or(0)].push(node);
    }
    for (&node, fork) in scopes.forks.iter() {
        drawn.exits[node] = match fork.behind {
            Behind::Join(join) => Exit::Next(join),
            Behind::End | Behind::OuterJoin => Exit::Stop,
        };
    }
    let mut made: Vec<Option<DiagramGraph<'m>>> = Vec::new();
    made.resize_with(scopes.count(), || None);
    // Branches have higher numbers than the scopes around them.
    for scope in (0..scopes.count()).rev() {
        let mut graph = graph(&mut drawn, scopes, scope, &members[scope]);
        for (local, &node) in members[scope].entries() {
            if let Some(fork) = scopes.forks.get(&node) {
                let branches = fork
                    .branches
                    .clone()
                    .filter_map(|branch| made[branch].take());
                let branches = branches.collect();
                let origin = match node {
                    _ if node < drawn.first_implied => Origin::Drawn,
                    _ if node == drawn.entry => Origin::Starts,
                    _ => Origin::Action,
                };
                graph.forks.insert(local, Fork { origin, branches });
            }
        }
        made[scope] = Some(graph);
    }
    made.swap_remove(0)
        .unwrap_or_else(|| unreachable!("the diagram is a scope"))
}

/// Builds the graph of one scope, which has these nodes of the diagram. Flows that leave the scope
/// end.
fn graph<'m>(
    drawn: &mut Drawn<'m>,
    scopes: &Scopes,
    scope: Scope,
    members: &List<Node, Node>,
) -> DiagramGraph<'m> {
    let local: Map<Node, Node> = members
        .entries()
        .map(|(local, &node)| (node, local))
        .collect();
    let end = Node::new(members.len());
    let target = |node: &Node| local.get(node).copied().unwrap_or(end);
    let mut nodes: List<Node, Exit> = members
        .iter()
        .map(|&node| match &drawn.exits[node] {
            Exit::Stop => Exit::Stop,
            Exit::Next(next) => Exit::Next(target(next)),
            Exit::Branch { arms, otherwise } => Exit::Branch {
                arms: arms.iter().map(target).collect(),
                otherwise: otherwise.as_ref().map(target),
            },
        })
        .collect();
    nodes.push(Exit::Stop);
    let entry = target(&if scope == 0 {
        drawn.entry
    } else {
        scopes.entry(scope)
    });
    let mut elements: List<Node, ElementId> =
        members.iter().map(|&node| drawn.elements[node]).collect();
    elements.push(drawn.elements[scopes.entry(scope)]);
    let guards = &mut drawn.guards;
    let guards = members
        .entries()
        .filter_map(|(local, node)| Some((local, guards.remove(node)?)));
    let guards = guards.collect();
    let silent = members
        .entries()
        .filter(|(_, node)| drawn.silent.contains(node));
    let silent = silent.map(|(local, _)| local).chain([end]).collect();
    DiagramGraph {
        graph: Graph {
            entry,
            nodes,
            silent,
        },
        elements,
        guards,
        forks: Map::new(),
    }
}
