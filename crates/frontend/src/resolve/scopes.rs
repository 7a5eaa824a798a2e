//! Finds the scope of each node of a diagram: the branch of a fork that contains it.
//!
//! A fork starts a flow for each of its branches, and a join merges them into one flow again. A
//! scope is either the diagram itself or a branch. Only flows out of forks and into joins change
//! the scope, so a single walk finds the scope of every node. It continues after a join once all
//! flows into the join have arrived. If the walk can't assign a fork's branches to scopes, the fork
//! has no matching join.

use std::collections::BTreeSet;

use crate::flow::{Exit, Node};
use crate::index::List;
use prophet_map::Map;

/// Index of a scope. Scope 0 is the diagram itself.
pub(super) type ScopeIndex = usize;

const DEEPEST: usize = 100;

/// What a node does with the flows that reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FlowKind {
    /// One flow at a time passes the node.
    Plain,
    /// The node starts a flow to each of these nodes. Its exit is where the flow continues after
    /// the matching join.
    Fork(Vec<Node>),
    /// The node waits for a flow from each of its predecessors.
    Join,
    /// A flow ends here. Several branches can share the node.
    FlowFinal,
    /// The whole diagram ends here.
    ActivityFinal,
}

/// Where the flow continues after the branches of a fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// It doesn't continue, because all branches end.
    End,
    /// After the join where the branches meet.
    Join(Node),
    /// After the join of an enclosing fork. The fork's own branches lead directly to it.
    OuterJoin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScopeFork {
    pub(super) branches: std::ops::Range<ScopeIndex>,
    pub(super) behind: Behind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ScopeBranch {
    /// The fork that starts the scope. Not meaningful for scope 0.
    fork: Node,
    parent: ScopeIndex,
    depth: usize,
    entry: Node,
    /// The join that the branch leads to.
    goal: Option<Node>,
}

#[derive(Debug)]
pub(super) struct Scopes {
    /// The scope of each node; `None` if no flow reaches the node. If several scopes share a final
    /// node, it belongs to the first of them.
    pub(super) of: List<Node, Option<ScopeIndex>>,
    pub(super) forks: Map<Node, ScopeFork>,
    branches: Vec<ScopeBranch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeProblem {
    /// A flow leads into or out of a branch of the fork.
    Crosses {
        fork: Node,
        source: Node,
        target: Node,
    },
    /// Two branches of the fork lead to a node that doesn't wait for both of them.
    Meets { fork: Node, target: Node },
    /// The fork's branch that starts at `entry` doesn't lead to the join where the other branches
    /// meet.
    Apart { join: Node, fork: Node, entry: Node },
    /// The flows that the join waits for are alternatives: no fork starts all of them.
    Alternatives { join: Node },
    /// The join waits for a flow that can't arrive before the join continues.
    Never { join: Node, source: Node },
    /// A flow that the join waits for can end at a node before it.
    Ends { join: Node, node: Node },
    /// A branch of the fork ends the diagram while other branches are running.
    Aborts { fork: Node, node: Node },
    /// A flow can end the diagram while other flows are running.
    Stops { node: Node },
    /// The fork is nested too deeply.
    Deep { fork: Node },
    /// The join may wait for a flow that never arrives. In that case, nothing after it runs.
    MayStarve { join: Node },
}

const PROBLEMS_MAX: usize = 100;

/// Divides a diagram into scopes. If that is impossible, returns the reasons. The exits of forks
/// are ignored.
pub(super) fn scopes(
    entry: Node,
    exits: &List<Node, Exit>,
    kinds: &List<Node, FlowKind>,
) -> Result<Scopes, Vec<ScopeProblem>> {
    let mut sources: List<Node, Vec<Node>> = exits.with(Vec::new());
    for node in exits.places() {
        for target in targets(node, exits, kinds) {
            if kinds[target] == FlowKind::Join {
                sources[target].push(node);
            }
        }
    }
    let diagram = ScopeBranch {
        fork: entry,
        parent: 0,
        depth: 0,
        entry,
        goal: None,
    };
    let mut walk = ScopeWalk {
        exits,
        kinds,
        sources,
        scopes: Scopes {
            of: exits.with(None),
            forks: Map::new(),
            branches: vec![diagram],
        },
        arrived: Map::new(),
        passed: BTreeSet::new(),
        ends: Vec::new(),
        open: Vec::new(),
        problems: Vec::new(),
        blamed: BTreeSet::new(),
    };
    walk.arrive(entry, entry, 0);
    while walk.problems.len() < PROBLEMS_MAX {
        if let Some(node) = walk.open.pop() {
            walk.pass(node);
        } else if let Some(join) = walk.starving_join() {
            walk.pass_starving(join);
        } else {
            break;
        }
    }
    walk.check_ends();
    if walk.problems.is_empty() {
        Ok(walk.scopes)
    } else {
        Err(walk.problems)
    }
}

/// Returns the nodes that the flows out of a node lead to.
pub(super) fn targets(
    node: Node,
    exits: &List<Node, Exit>,
    kinds: &List<Node, FlowKind>,
) -> Vec<Node> {
    match (&kinds[node], &exits[node]) {
        (FlowKind::Fork(branches), _) => branches.clone(),
        (_, Exit::Stop) => Vec::new(),
        (_, Exit::Next(next)) => vec![*next],
        (_, Exit::Branch { arms, otherwise }) => arms.iter().chain(otherwise).copied().collect(),
    }
}

impl Scopes {
    pub(super) fn count(&self) -> usize {
        self.branches.len()
    }

    /// Returns the first node of a scope. It can be the join that the branch leads to.
    pub(super) fn entry(&self, scope: ScopeIndex) -> Node {
        self.branches[scope].entry
    }

    fn common_fork(&self, mut one: ScopeIndex, mut other: ScopeIndex) -> Node {
        let mut fork = self.branches[one.max(other)].fork;
        while one != other {
            let deeper = if self.branches[one].depth >= self.branches[other].depth {
                &mut one
            } else {
                &mut other
            };
            fork = self.branches[*deeper].fork;
            *deeper = self.branches[*deeper].parent;
        }
        fork
    }

    fn within(&self, mut inner: ScopeIndex, outer: ScopeIndex) -> bool {
        while self.branches[inner].depth > self.branches[outer].depth {
            inner = self.branches[inner].parent;
        }
        inner == outer
    }
}

/// A walk along the flows. After a problem, the walk continues as if the problem were fixed.
struct ScopeWalk<'a> {
    exits: &'a List<Node, Exit>,
    kinds: &'a List<Node, FlowKind>,
    sources: List<Node, Vec<Node>>,
    scopes: Scopes,
    /// Flows that have arrived at each join, with the node that each comes from and its scope.
    arrived: Map<Node, Vec<(Node, ScopeIndex)>>,
    /// Joins that the walk has continued after.
    passed: BTreeSet<Node>,
    /// Nodes where flows end, with the scopes of these flows.
    ends: Vec<(Node, ScopeIndex)>,
    open: Vec<Node>,
    problems: Vec<ScopeProblem>,
    /// Forks whose branches have a problem. Further problems of theirs may only be consequences.
    blamed: BTreeSet<Node>,
}

impl ScopeWalk<'_> {
    fn blame(&mut self, fork: Node, problem: ScopeProblem) {
        self.blamed.insert(fork);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Follows all flows out of a node.
    fn pass(&mut self, node: Node) {
        let scope = self.scopes.of[node].unwrap_or(0);
        let targets = targets(node, self.exits, self.kinds);
        if let FlowKind::Fork(_) = self.kinds[node] {
            let depth = self.scopes.branches[scope].depth + 1;
            if depth > DEEPEST {
                return self.blame(node, ScopeProblem::Deep { fork: node });
            }
            let first = self.scopes.branches.len();
            let branches = first..first + targets.len();
            let behind = Behind::End;
            self.scopes
                .forks
                .insert(node, ScopeFork { branches, behind });
            let branch = |&entry: &Node| ScopeBranch {
                fork: node,
                parent: scope,
                depth,
                entry,
                goal: None,
            };
            self.scopes.branches.extend(targets.iter().map(branch));
            for (number, &target) in targets.iter().enumerate() {
                self.arrive(node, target, first + number);
            }
            return;
        }
        if targets.is_empty() {
            self.ends.push((node, scope));
        }
        for target in targets {
            self.arrive(node, target, scope);
        }
    }

    fn arrive(&mut self, source: Node, target: Node, scope: ScopeIndex) {
        match self.kinds[target] {
            FlowKind::FlowFinal | FlowKind::ActivityFinal => {
                self.ends.push((target, scope));
                self.scopes.of[target].get_or_insert(scope);
            }
            FlowKind::Join => {
                let arrived = self.arrived.get_or_default(target);
                arrived.push((source, scope));
                if arrived.len() == self.sources[target].len() {
                    self.join(target);
                }
            }
            _ => match self.scopes.of[target] {
                None => {
                    self.scopes.of[target] = Some(scope);
                    self.open.push(target);
                }
                Some(there) if there == scope => {}
                Some(there) => self.cross(source, target, scope, there),
            },
        }
    }

    /// Reports a flow from a node in one scope to a node in another.
    fn cross(&mut self, source: Node, target: Node, scope: ScopeIndex, there: ScopeIndex) {
        let fork = self.scopes.common_fork(scope, there);
        let inside = self.scopes.within(scope, there) || self.scopes.within(there, scope);
        let problem = if inside {
            ScopeProblem::Crosses {
                fork,
                source,
                target,
            }
        } else {
            ScopeProblem::Meets { fork, target }
        };
        self.blame(fork, problem);
    }

    /// Continues after a join once all flows into it have arrived, each from a different scope.
    /// Also ends the forks that these flows come from.
    fn join(&mut self, join: Node) {
        if !self.passed.insert(join) {
            return;
        }
        let mut open = BTreeSet::new();
        for &(_, scope) in self.arrived.get(&join).into_iter().flatten() {
            if !open.insert((self.scopes.branches[scope].depth, scope)) {
                return self.merge(join, scope, self.scopes.branches[scope].fork);
            }
        }
        let mut last = None;
        while open.len() > 1 {
            let Some(&(depth, deepest)) = open.last() else {
                break;
            };
            let ScopeBranch { fork, parent, .. } = self.scopes.branches[deepest];
            let Some(found) = self.scopes.forks.get_mut(&fork) else {
                break;
            };
            found.behind = Behind::OuterJoin;
            for branch in found.branches.clone() {
                if open.remove(&(depth, branch)) {
                    self.scopes.branches[branch].goal = Some(join);
                } else if !self.blamed.contains(&fork) {
                    let entry = self.scopes.branches[branch].entry;
                    self.blame(fork, ScopeProblem::Apart { join, fork, entry });
                }
            }
            last = Some(fork);
            if !open.insert((depth - 1, parent)) {
                return self.merge(join, parent, fork);
            }
        }
        if let Some(fork) = last.and_then(|fork| self.scopes.forks.get_mut(&fork)) {
            fork.behind = Behind::Join(join);
        }
        self.scopes.of[join] = open.first().map(|&(_, scope)| scope);
        self.open.push(join);
    }

    /// Treats a join like a merge, because only one of the flows into it can arrive.
    fn merge(&mut self, join: Node, scope: ScopeIndex, fork: Node) {
        if !self.blamed.contains(&fork) {
            self.problems.push(ScopeProblem::Alternatives { join });
        }
        self.scopes.of[join] = Some(scope);
        self.open.push(join);
    }

    /// Finds a join that waits for a flow that can't arrive. Joins that only wait for another such
    /// join come last.
    fn starving_join(&self) -> Option<Node> {
        let starving = |join: &&Node| !self.passed.contains(join);
        let starving: Vec<Node> = self.arrived.keys().filter(starving).copied().collect();
        let mut behind = BTreeSet::new();
        let mut open = starving.clone();
        while let Some(node) = open.pop() {
            for target in targets(node, self.exits, self.kinds) {
                if behind.insert(target) {
                    open.push(target);
                }
            }
        }
        let first = starving.iter().find(|join| !behind.contains(join));
        first.or(starving.first()).copied()
    }

    /// Continues after a join that would wait forever, as if the missing flow weren't drawn.
    fn pass_starving(&mut self, join: Node) {
        let arrived = self.arrived.get(&join).map_or(&[][..], Vec::as_slice);
        let came = |source: &&Node| arrived.iter().any(|(from, _)| from == *source);
        if let Some(&source) = self.sources[join].iter().find(|source| !came(source)) {
            self.problems.push(ScopeProblem::Never { join, source });
        }
        self.join(join);
    }

    /// Reports flows that end although a join waits for them.
    fn check_ends(&mut self) {
        for (node, scope) in std::mem::take(&mut self.ends) {
            let ScopeBranch { fork, goal, .. } = self.scopes.branches[scope];
            if scope == 0 || self.blamed.contains(&fork) {
                continue;
            }
            if self.kinds[node] == FlowKind::ActivityFinal {
                self.problems.push(ScopeProblem::Aborts { fork, node });
            } else if let Some(join) = goal {
                self.problems.push(ScopeProblem::Ends { join, node });
            }
        }
        for (&fork, found) in self.scopes.forks.iter() {
            let ScopeBranch {
                fork: outer, goal, ..
            } = self.scopes.branches[self.scopes.of[fork].unwrap_or(0)];
            let blamed = self.blamed.contains(&fork) || self.blamed.contains(&outer);
            if let (Behind::End, Some(join), false) = (found.behind, goal, blamed) {
                self.problems.push(ScopeProblem::Ends { join, node: fork });
            }
        }
    }
}
