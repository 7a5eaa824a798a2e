//! The graph that the later stages work on: reached nodes alone, in reverse postorder.

use super::{Exit, Graph, Node};

/// Index of a [`Step`]. The first is [`ROOT`]; every path to a step that runs through no loop twice
/// passes steps of lower index alone.
pub(super) type Index = usize;

/// A step that is no node of the graph: its only exit leads to the entry.
pub(super) const ROOT: Index = 0;

/// Where an exit leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// To the end of the flow.
    End,
    /// To a step.
    Step(Index),
}

/// How the flow goes on behind a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// To one goal.
    Next(Goal),
    /// To the goal of the first guard that holds, else to `otherwise`, else nowhere.
    Branch {
        arms: Vec<Goal>,
        otherwise: Option<Goal>,
    },
}

/// A reached node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// The node in the graph of the caller.
    pub(super) node: Node,
    /// Whether it does nothing.
    pub(super) silent: bool,
    /// How it goes on.
    pub(super) way: Way,
}

impl Step {
    /// Whether it asks guards.
    pub(super) fn branches(&self) -> bool {
        matches!(self.way, Way::Branch { .. })
    }

    /// Where it leads to, in the order of its guards.
    pub(super) fn goals(&self) -> impl Iterator<Item = Goal> {
        let (next, arms, otherwise) = match &self.way {
            Way::Next(goal) => (Some(*goal), &[][..], None),
            Way::Branch { arms, otherwise } => (None, &arms[..], *otherwise),
        };
        next.into_iter()
            .chain(arms.iter().copied())
            .chain(otherwise)
    }

    /// The steps it leads to, in the order of its guards; one twice where two guards lead to it.
    pub(super) fn targets(&self) -> impl Iterator<Item = Index> {
        self.goals().filter_map(|goal| match goal {
            Goal::End => None,
            Goal::Step(index) => Some(index),
        })
    }

    /// The same step with its targets renamed.
    fn renamed(&self, name: impl Fn(Index) -> Index) -> Self {
        let rename = |goal: &Goal| match *goal {
            Goal::End => Goal::End,
            Goal::Step(index) => Goal::Step(name(index)),
        };
        let way = match &self.way {
            Way::Next(goal) => Way::Next(rename(goal)),
            Way::Branch { arms, otherwise } => Way::Branch {
                arms: arms.iter().map(rename).collect(),
                otherwise: otherwise.as_ref().map(rename),
            },
        };
        Self { way, ..*self }
    }
}

/// The reached nodes of a graph in reverse postorder, [`ROOT`] first.
///
/// Silent nodes that lead to one other are passed by, and those that end are [`Goal::End`].
pub(super) fn steps(graph: &Graph) -> Vec<Step> {
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

/// For each node, where a flow to it really leads, as the number of a node plus one.
fn goals(graph: &Graph) -> Vec<Goal> {
    let mut goals: Vec<Option<Goal>> = vec![None; graph.nodes.len()];
    let mut on_path = vec![false; graph.nodes.len()];
    for start in 0..graph.nodes.len() {
        let mut path = Vec::new();
        let mut node = start;
        let goal = loop {
            if let Some(goal) = goals[node] {
                break goal;
            }
            // A ring of silent nodes never ends: one of them stays to say so.
            if on_path[node] || !graph.silent.contains(&node) {
                break Goal::Step(node + 1);
            }
            match graph.nodes[node] {
                Exit::Stop => break Goal::End,
                Exit::Branch { .. } => break Goal::Step(node + 1),
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
    goals
        .into_iter()
        .map(|goal| goal.unwrap_or(Goal::End))
        .collect()
}

/// The root, then a step for each node, whether it is reached or not.
fn all_steps(graph: &Graph, goals: &[Goal]) -> Vec<Step> {
    let root = Step {
        node: graph.entry,
        silent: true,
        way: Way::Next(goals[graph.entry]),
    };
    let nodes = graph.nodes.iter().enumerate().map(|(node, exit)| Step {
        node,
        silent: graph.silent.contains(&node),
        way: match exit {
            Exit::Stop => Way::Next(Goal::End),
            Exit::Next(next) => Way::Next(goals[*next]),
            Exit::Branch { arms, otherwise } => Way::Branch {
                arms: arms.iter().map(|&arm| goals[arm]).collect(),
                otherwise: otherwise.map(|node| goals[node]),
            },
        },
    });
    std::iter::once(root).chain(nodes).collect()
}

/// What the root reaches. The last exit is walked first, so that the first comes first.
fn reverse_postorder(steps: &[Step]) -> Vec<Index> {
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
