//! Prepares the graph for the later stages: only reachable nodes, in reverse postorder.

use super::{Exit, Graph, Node};
use crate::index::{List, ListPlace as _};

/// Index of a [`FlowStep`]; the first one is [`ROOT`]. Without edges that repeat a loop, every path
/// to a step passes only steps with lower indices.
pub(super) type Index = usize;

/// A step that isn't in the graph. It leads to the graph's entry.
pub(super) const ROOT: Index = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    End,
    Step(Index),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Continuation {
    Next(Goal),
    /// Continues at the goal of the first guard that holds. If no guard holds, continues at
    /// `otherwise`, or is stuck if that is `None`.
    Branch {
        arms: Vec<Goal>,
        otherwise: Option<Goal>,
    },
}

/// A reachable node, with the steps that follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FlowStep {
    pub(super) node: Node,
    pub(super) silent: bool,
    pub(super) way: Continuation,
}

impl FlowStep {
    pub(super) fn branches(&self) -> bool {
        matches!(self.way, Continuation::Branch { .. })
    }

    pub(super) fn goals(&self) -> impl Iterator<Item = Goal> {
        let (next, arms, otherwise) = match &self.way {
            Continuation::Next(goal) => (Some(*goal), &[][..], None),
            Continuation::Branch { arms, otherwise } => (None, &arms[..], *otherwise),
        };
        next.into_iter()
            .chain(arms.iter().copied())
            .chain(otherwise)
    }

    /// Iterates over the following steps, in the order of the guards. A step occurs once for each
    /// guard that leads to it.
    pub(super) fn targets(&self) -> impl Iterator<Item = Index> {
        self.goals().filter_map(|goal| match goal {
            Goal::End => None,
            Goal::Step(index) => Some(index),
        })
    }

    fn renamed(&self, name: impl Fn(Index) -> Index) -> Self {
        let rename = |goal: &Goal| match *goal {
            Goal::End => Goal::End,
            Goal::Step(index) => Goal::Step(name(index)),
        };
        let way = match &self.way {
            Continuation::Next(goal) => Continuation::Next(rename(goal)),
            Continuation::Branch { arms, otherwise } => Continuation::Branch {
                arms: arms.iter().map(rename).collect(),
                otherwise: otherwise.as_ref().map(rename),
            },
        };
        Self { way, ..*self }
    }
}

/// Lists a graph's reachable nodes in reverse postorder, [`ROOT`] first.
///
/// Silent nodes with a single successor are skipped, and silent nodes without a successor become
/// [`Goal::End`].
pub(super) fn steps(graph: &Graph) -> Vec<FlowStep> {
    let all = all_steps(graph, &goals(graph));
    let order = reverse_postorder(&all);
    let mut index = vec![ROOT; all.len()];
    for (number, &old) in order.iter().enumerate() {
        index[old] = number;
    }
    order
        .iter()
        .map(|&old| all[old].renamed(|old| index[old]))
        .collect()
}

/// Returns the index of a node's step in [`all_steps`], which starts with the root.
fn step_of(node: Node) -> Index {
    node.number() + 1
}

/// Returns, for each node, where a flow into it leads after skipping silent nodes.
fn goals(graph: &Graph) -> List<Node, Goal> {
    let mut goals: List<Node, Option<Goal>> = graph.nodes.with(None);
    let mut on_path = graph.nodes.with(false);
    for start in graph.nodes.places() {
        let mut path = Vec::new();
        let mut node = start;
        let goal = loop {
            if let Some(goal) = goals[node] {
                break goal;
            }
            // A cycle of silent nodes never ends, so one of its nodes must remain.
            if on_path[node] || !graph.silent.contains(&node) {
                break Goal::Step(step_of(node));
            }
            match graph.nodes[node] {
                Exit::Stop => break Goal::End,
                Exit::Branch { .. } => break Goal::Step(step_of(node)),
                Exit::Next(next) => {
                    on_path[node] = true;
                    path.push(node);
                    node = next;
                }
            }
        };
        goals[node] = Some(goal);
        for node in path {
            on_path[node] = false;
            goals[node] = Some(goal);
        }
    }
    goals.iter().map(|goal| goal.unwrap_or(Goal::End)).collect()
}

/// Lists the root, and then a step for each node, even if it is unreachable.
fn all_steps(graph: &Graph, goals: &List<Node, Goal>) -> Vec<FlowStep> {
    let root = FlowStep {
        node: graph.entry,
        silent: true,
        way: Continuation::Next(goals[graph.entry]),
    };
    let nodes = graph.nodes.entries().map(|(node, exit)| FlowStep {
        node,
        silent: graph.silent.contains(&node),
        way: match exit {
            Exit::Stop => Continuation::Next(Goal::End),
            Exit::Next(next) => Continuation::Next(goals[*next]),
            Exit::Branch { arms, otherwise } => Continuation::Branch {
                arms: arms.iter().map(|&arm| goals[arm]).collect(),
                otherwise: otherwise.map(|node| goals[node]),
            },
        },
    });
    std::iter::once(root).chain(nodes).collect()
}

/// Lists the reachable steps. Visits the last exit first, so that the steps after the first exit
/// come first in the result.
fn reverse_postorder(steps: &[FlowStep]) -> Vec<Index> {
    enum Visit {
        Enter(Index),
        Leave(Index),
    }
    let mut entered = vec![false; steps.len()];
    let mut order = Vec::new();
    let mut open = vec![Visit::Enter(ROOT)];
    while let Some(visit) = open.pop() {
        match visit {
            Visit::Enter(index) => {
                if !std::mem::replace(&mut entered[index], true) {
                    open.push(Visit::Leave(index));
                    open.extend(steps[index].targets().map(Visit::Enter));
                }
            }
            Visit::Leave(index) => order.push(index),
        }
    }
    order.reverse();
    order
}
