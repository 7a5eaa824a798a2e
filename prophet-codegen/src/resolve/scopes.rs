//! Which branch of which fork each node of a diagram is in.
//!
//! A fork makes a flow for each of its branches, and a join makes one of them again. A scope is the
//! diagram itself, or a branch. Flows stay in their scope, but for those out of forks and into
//! joins, so that one walk finds the scope of every node; it passes a join once all flows into it
//! have come. What such a walk cannot divide among scopes is no fork with a join of its own.

use std::collections::BTreeSet;

use crate::flow::{Exit, Node};
use crate::map::Map;

/// Index of a scope; 0 is the diagram.
pub(super) type Scope = usize;

/// Deepest nesting of forks in each other.
const DEEPEST: usize = 100;

/// How flows leave and enter a node, besides its exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// By one flow or another.
    Plain,
    /// It starts a flow to each of these; its exit is that of what follows its join.
    Fork(Vec<Node>),
    /// It waits for a flow from each node that leads to it.
    Join,
    /// Flows end here; those of several branches may share it.
    FlowFinal,
    /// The diagram ends here.
    ActivityFinal,
}

/// What stands behind a fork.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// Nothing: its branches end.
    End,
    /// The join where its branches meet.
    Join(Node),
    /// The join where the branch that it is in meets others: its own branches lead there, too.
    OuterJoin,
}

/// A fork with its branches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fork {
    /// The scopes of its branches.
    pub(super) branches: std::ops::Range<Scope>,
    /// What follows.
    pub(super) behind: Behind,
}

/// A scope.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Branch {
    /// The fork; meaningless for the diagram.
    fork: Node,
    parent: Scope,
    depth: usize,
    entry: Node,
    /// The join that its flow enters.
    goal: Option<Node>,
}

/// The scopes of a diagram.
#[derive(Debug)]
pub(super) struct Scopes {
    /// The scope of each node; `None` where no flow reaches it. A final that several scopes share
    /// has the first of them.
    pub(super) of: Vec<Option<Scope>>,
    /// The forks that a flow reaches.
    pub(super) forks: Map<Node, Fork>,
    branches: Vec<Branch>,
}

/// Why a diagram cannot be divided into scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// A flow leads out of a branch of the fork, or into one.
    Crosses {
        fork: Node,
        source: Node,
        target: Node,
    },
    /// Two branches of the fork lead to a node that does not wait for both.
    Meets { fork: Node, target: Node },
    /// The branch of the fork that begins with a node does not lead to the join of the others.
    Apart { join: Node, fork: Node, entry: Node },
    /// No fork brings all the flows that the join waits for.
    Alternatives { join: Node },
    /// The join waits for a flow that can only come behind it, or not at all.
    Never { join: Node, source: Node },
    /// A flow may end at a node, and the join waits for it.
    Ends { join: Node, node: Node },
    /// A branch of the fork ends the diagram, in which others still run.
    Aborts { fork: Node, node: Node },
    /// Forks are nested too deep.
    Deep { fork: Node },
}

/// The scopes of a diagram, or the first thing that speaks against it. `exits` and `kinds` are by
/// node; the exits of forks do not count.
pub(super) fn scopes(entry: Node, exits: &[Exit], kinds: &[Kind]) -> Result<Scopes, Problem> {
    let mut sources: Vec<Vec<Node>> = vec![Vec::new(); exits.len()];
    for node in 0..exits.len() {
        for target in targets(node, exits, kinds) {
            if kinds[target] == Kind::Join {
                sources[target].push(node);
            }
        }
    }
    let diagram = Branch {
        fork: entry,
        parent: 0,
        depth: 0,
        entry,
        goal: None,
    };
    let mut walk = Walk {
        exits,
        kinds,
        sources,
        scopes: Scopes {
            of: vec![None; exits.len()],
            forks: Map::new(),
            branches: vec![diagram],
        },
        arrived: Map::new(),
        ends: Vec::new(),
        open: Vec::new(),
    };
    walk.arrive(entry, entry, 0)?;
    while let Some(node) = walk.open.pop() {
        walk.pass(node)?;
    }
    walk.check_joins()?;
    walk.check_ends()?;
    Ok(walk.scopes)
}

fn targets(node: Node, exits: &[Exit], kinds: &[Kind]) -> Vec<Node> {
    match (&kinds[node], &exits[node]) {
        (Kind::Fork(branches), _) => branches.clone(),
        (_, Exit::Stop) => Vec::new(),
        (_, Exit::Next(next)) => vec![*next],
        (_, Exit::Branch { arms, otherwise }) => arms.iter().chain(otherwise).copied().collect(),
    }
}

impl Scopes {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.branches.len()
    }

    /// The node that a scope begins with; it may be the join that the branch leads to.
    pub(super) fn entry(&self, scope: Scope) -> Node {
        self.branches[scope].entry
    }

    /// The innermost fork that both scopes are in branches of, or are.
    fn common_fork(&self, mut one: Scope, mut other: Scope) -> Node {
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

    /// Whether `inner` is a branch in `outer`, at any depth.
    fn within(&self, mut inner: Scope, outer: Scope) -> bool {
        while self.branches[inner].depth > self.branches[outer].depth {
            inner = self.branches[inner].parent;
        }
        inner == outer
    }
}

/// The walk along the flows.
struct Walk<'a> {
    exits: &'a [Exit],
    kinds: &'a [Kind],
    /// The nodes that lead to each join.
    sources: Vec<Vec<Node>>,
    scopes: Scopes,
    /// The flows that have come to each join: where from, and their scopes.
    arrived: Map<Node, Vec<(Node, Scope)>>,
    /// Where flows of which scopes end.
    ends: Vec<(Node, Scope)>,
    open: Vec<Node>,
}

impl Walk<'_> {
    /// Follows the flows out of a node.
    fn pass(&mut self, node: Node) -> Result<(), Problem> {
        let scope = self.scopes.of[node].unwrap_or(0);
        let targets = targets(node, self.exits, self.kinds);
        if let Kind::Fork(_) = self.kinds[node] {
            let depth = self.scopes.branches[scope].depth + 1;
            if depth > DEEPEST {
                return Err(Problem::Deep { fork: node });
            }
            let first = self.scopes.branches.len();
            let branches = first..first + targets.len();
            let behind = Behind::End;
            self.scopes.forks.insert(node, Fork { branches, behind });
            let branch = |&entry: &Node| Branch {
                fork: node,
                parent: scope,
                depth,
                entry,
                goal: None,
            };
            self.scopes.branches.extend(targets.iter().map(branch));
            for (number, &target) in targets.iter().enumerate() {
                self.arrive(node, target, first + number)?;
            }
            return Ok(());
        }
        if targets.is_empty() {
            self.ends.push((node, scope));
        }
        for target in targets {
            self.arrive(node, target, scope)?;
        }
        Ok(())
    }

    /// A flow of a scope comes to a node.
    fn arrive(&mut self, source: Node, target: Node, scope: Scope) -> Result<(), Problem> {
        match self.kinds[target] {
            Kind::FlowFinal | Kind::ActivityFinal => {
                self.ends.push((target, scope));
                self.scopes.of[target].get_or_insert(scope);
                Ok(())
            }
            Kind::Join => {
                let arrived = self.arrived.get_or_default(target);
                arrived.push((source, scope));
                if arrived.len() < self.sources[target].len() {
                    return Ok(());
                }
                let incoming = arrived.iter().map(|&(_, scope)| scope).collect();
                self.join(target, incoming)
            }
            _ => match self.scopes.of[target] {
                None => {
                    self.scopes.of[target] = Some(scope);
                    self.open.push(target);
                    Ok(())
                }
                Some(there) if there == scope => Ok(()),
                Some(there) => Err(self.crossing(source, target, scope, there)),
            },
        }
    }

    /// Why a flow of one scope cannot lead to a node of another.
    fn crossing(&self, source: Node, target: Node, scope: Scope, there: Scope) -> Problem {
        let fork = self.scopes.common_fork(scope, there);
        if self.scopes.within(scope, there) || self.scopes.within(there, scope) {
            Problem::Crosses {
                fork,
                source,
                target,
            }
        } else {
            Problem::Meets { fork, target }
        }
    }

    /// All flows into a join have come, one of each of the scopes: their forks end here.
    fn join(&mut self, join: Node, incoming: Vec<Scope>) -> Result<(), Problem> {
        let mut open = BTreeSet::new();
        for scope in incoming {
            if !open.insert((self.scopes.branches[scope].depth, scope)) {
                return Err(Problem::Alternatives { join });
            }
        }
        let mut last = None;
        while open.len() > 1 {
            let Some(&(depth, deepest)) = open.last() else {
                break;
            };
            let Branch { fork, parent, .. } = self.scopes.branches[deepest];
            let Some(found) = self.scopes.forks.get_mut(&fork) else {
                break;
            };
            found.behind = Behind::OuterJoin;
            for branch in found.branches.clone() {
                if !open.remove(&(depth, branch)) {
                    let entry = self.scopes.branches[branch].entry;
                    return Err(Problem::Apart { join, fork, entry });
                }
                self.scopes.branches[branch].goal = Some(join);
            }
            last = Some(fork);
            if !open.insert((depth - 1, parent)) {
                return Err(Problem::Alternatives { join });
            }
        }
        if let Some(fork) = last.and_then(|fork| self.scopes.forks.get_mut(&fork)) {
            fork.behind = Behind::Join(join);
        }
        self.scopes.of[join] = open.first().map(|&(_, scope)| scope);
        self.open.push(join);
        Ok(())
    }

    fn check_joins(&self) -> Result<(), Problem> {
        for (&join, arrived) in self.arrived.iter() {
            let came = |source: &&Node| arrived.iter().any(|(from, _)| from == *source);
            if let Some(&source) = self.sources[join].iter().find(|source| !came(source)) {
                return Err(Problem::Never { join, source });
            }
        }
        Ok(())
    }

    /// Whether each flow ends where no other needs it.
    fn check_ends(&self) -> Result<(), Problem> {
        for &(node, scope) in self.ends.iter().filter(|(_, scope)| *scope != 0) {
            let Branch { fork, goal, .. } = self.scopes.branches[scope];
            if self.kinds[node] == Kind::ActivityFinal {
                return Err(Problem::Aborts { fork, node });
            }
            if let Some(join) = goal {
                return Err(Problem::Ends { join, node });
            }
        }
        for (&fork, found) in self.scopes.forks.iter() {
            let scope = self.scopes.of[fork].unwrap_or(0);
            if let (Behind::End, Some(join)) = (found.behind, self.scopes.branches[scope].goal) {
                return Err(Problem::Ends { join, node: fork });
            }
        }
        Ok(())
    }
}
