//! Turns the branches of forks into separate diagrams that threads execute. If forks and joins
//! aren't nested, the pieces between them become the diagrams, and tokens start them.

use super::flows::{DiagramGraph, Drawn, ForkOrigin, GraphFork, Starts};
use super::names::display_name;
use super::pieces::Pieces;
use super::scopes::{Behind, ScopeIndex, ScopeProblem, Scopes, scopes};
use super::tokens::{Net, Play};
use super::{Resolver, id_of_path};
use crate::flow::{Exit, Graph, Node};
use crate::index::{List, ListPlace as _};
use crate::lang::ir::Needs;
use crate::program::{Construct, Diagram, Element, ElementIndex, Region, Step};
use prophet_map::Map;
use prophet_model::model::ElementId;
use std::collections::BTreeSet;

impl<'m> Resolver<'m> {
    /// Divides a diagram's nodes into the branches of its forks. Returns `None` after reporting an
    /// error.
    pub(super) fn divide(
        &mut self,
        mut drawn: Drawn<'m>,
        several: Starts,
    ) -> Option<DiagramGraph<'m>> {
        let mut problems = match scopes(drawn.entry, &drawn.exits, &drawn.kinds) {
            Ok(scopes) => return Some(graphs(drawn, &scopes)),
            Err(problems) => problems,
        };
        // The branches of a `parallelsections` must be nested.
        if several == Starts::Warned && are_tangled(&problems) {
            match self.pieces(&mut drawn) {
                Ok(graph) => return Some(graph),
                Err(found) if !found.is_empty() => problems = found,
                Err(_) => {}
            }
        }
        for problem in problems {
            self.report_problem(problem, &drawn);
        }
        None
    }

    /// Divides a diagram with unnested forks and joins into pieces that tokens start. If that is
    /// impossible, returns the reasons; if the diagram is too large, an empty list.
    fn pieces(&mut self, drawn: &mut Drawn<'m>) -> Result<DiagramGraph<'m>, Vec<ScopeProblem>> {
        let guards = std::mem::replace(&mut drawn.guards, Map::new());
        let net = Net::new(drawn);
        let play = net.play();
        let problems = net.problems(play.as_ref());
        let Some(pieces) = Pieces::new(&net).filter(|_| problems.is_empty()) else {
            return Err(problems);
        };
        let branches = pieces.graphs(&net, guards);
        for join in play.iter().flat_map(Play::may_starve) {
            self.report_problem(ScopeProblem::MayStarve { join }, drawn);
        }
        let fork = GraphFork {
            origin: ForkOrigin::Flows,
            branches,
            targets: Some(pieces.targets),
        };
        let entry = Node::new(0);
        Ok(DiagramGraph {
            graph: Graph {
                entry,
                nodes: std::iter::once(Exit::Stop).collect(),
                silent: BTreeSet::new(),
            },
            elements: std::iter::once(drawn.elements[drawn.entry]).collect(),
            guards: Map::new(),
            forks: std::iter::once((entry, fork)).collect(),
            passes: Map::new(),
        })
    }

    /// Builds the step of a fork. Its branches can use the variables around the fork.
    pub(super) fn fork(&mut self, id: ElementId, fork: GraphFork<'m>) -> Step {
        let element = self.model.element(id);
        let index = if fork.origin == ForkOrigin::Drawn {
            // Reports a stereotype, because a fork can't have one.
            self.word_of(element);
            self.declare(id, true)
        } else {
            self.declare_implied(id, fork.origin)
        };
        if fork.targets.is_some() {
            self.program.elements[index].flows = true;
        } else {
            self.program.elements[index].forks = true;
        }
        self.made.flows.push(index);
        let word = if fork.targets.is_some() {
            "part"
        } else {
            "branch"
        };
        let name = self.program.elements[index].name.clone();
        let parts = fork
            .branches
            .into_iter()
            .enumerate()
            .map(|(number, branch)| {
                let part = self.reserve_diagram();
                let steps = self.apart(|it| it.flow(branch, element.span, &element.path));
                self.program.diagrams[part] = Diagram {
                    name: format!("{name} {word} {}", number + 1),
                    path: element.path.clone(),
                    comment: None,
                    outer: self.outer(&[], &steps),
                    locals: Vec::new(),
                    steps,
                };
                part
            });
        let parts = parts.collect();
        self.made.flows.pop();
        Step::Region(Region {
            element: index,
            construct: fork.targets.map_or(Construct::Fork, Construct::Flows),
            parts,
            needs: Needs::default(),
        })
    }

    /// Adds an element for a fork that isn't drawn, based on the element before it.
    fn declare_implied(&mut self, id: ElementId, origin: ForkOrigin) -> ElementIndex {
        let element = self.model.element(id);
        let drawn = self.model.diagram(element.diagram);
        let (name, around) = match origin {
            ForkOrigin::Starts => (format!("starts of {}", drawn.name), &drawn.path),
            ForkOrigin::Flows => (format!("flows of {}", drawn.name), &drawn.path),
            ForkOrigin::Drawn | ForkOrigin::Action => {
                let name = format!("fork behind {}", display_name(element));
                (name, &element.path)
            }
        };
        let path = format!("{around}::{name}");
        self.program.elements.push(Element {
            id: id_of_path(&path),
            name,
            path,
            span: element.span,
            stereotype: None,
            forks: false,
            flows: false,
            lock: None,
            signal: None,
            in_run: true,
            comment: None,
        })
    }
}

/// Builds a diagram's graph, including the graphs of all branches.
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
    // Branches have higher numbers than the scopes around them, so inner graphs are built first.
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
                    _ if node < drawn.first_implied => ForkOrigin::Drawn,
                    _ if node == drawn.entry => ForkOrigin::Starts,
                    _ => ForkOrigin::Action,
                };
                graph.forks.insert(
                    local,
                    GraphFork {
                        origin,
                        branches,
                        targets: None,
                    },
                );
            }
        }
        made[scope] = Some(graph);
    }
    made.swap_remove(0)
        .unwrap_or_else(|| unreachable!("the diagram is a scope"))
}

/// Builds the graph of a scope from its nodes. Flows that leave the scope stop.
fn graph<'m>(
    drawn: &mut Drawn<'m>,
    scopes: &Scopes,
    scope: ScopeIndex,
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
        passes: Map::new(),
    }
}

/// Returns `true` if branches of forks aren't nested, but meet only at joins.
fn are_tangled(problems: &[ScopeProblem]) -> bool {
    let is_tangle = |it: &ScopeProblem| {
        matches!(
            it,
            ScopeProblem::Apart { .. } | ScopeProblem::Crosses { .. }
        )
    };
    let is_merge =
        |it: &ScopeProblem| matches!(it, ScopeProblem::Meets { .. } | ScopeProblem::Deep { .. });
    problems.iter().any(is_tangle) && !problems.iter().any(is_merge)
}
