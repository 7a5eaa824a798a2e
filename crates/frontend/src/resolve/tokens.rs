//! Moves tokens to find out what can happen in a diagram whose forks and joins aren't nested.
//!
//! Tokens move one at a time. Their order doesn't matter, because it doesn't change the result.
//! Decisions change it, so all of their outgoing flows are tried.

use std::collections::{BTreeMap, BTreeSet};

use super::flows::Drawn;
use super::scopes::{FlowKind, ScopeProblem, targets};
use crate::flow::{Exit, Node};
use crate::index::List;

/// Maximum number of token moves to try in a diagram.
const MOVES_MAX: usize = 200_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WayOut {
    pub(super) target: Node,
    /// Number of this way among the ways into a join. The join needs a token on each of them.
    pub(super) slot: usize,
}

/// A diagram's nodes, and the ways between them.
pub(super) struct Net<'d> {
    pub(super) drawn: &'d Drawn<'d>,
    pub(super) ways: List<Node, Vec<WayOut>>,
    /// For each join, the nodes that the ways into it come from, by slot.
    sources: List<Node, Vec<Node>>,
    /// All nodes: reachable nodes in flow order, and then unreachable nodes.
    pub(super) order: Vec<Node>,
}

#[derive(Debug, Default)]
pub(super) struct Play {
    /// Ways into joins that a token can take.
    came: BTreeSet<WayOut>,
    /// Nodes that a token can pass.
    passed: BTreeSet<Node>,
    /// Joins where a token can be left waiting.
    starved: BTreeSet<Node>,
    /// Final nodes that a token can reach while other tokens are moving, so that the diagram ends
    /// too early.
    aborting: BTreeSet<Node>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    moving: BTreeMap<Node, usize>,
    waiting: BTreeMap<WayOut, usize>,
    /// For each join, the number of incoming ways with a waiting token.
    filled: BTreeMap<Node, usize>,
    ends: usize,
    /// Final nodes that have ended the diagram for a token.
    finals: BTreeSet<Node>,
}

impl<'d> Net<'d> {
    /// Builds the net, and numbers the ways into joins.
    pub(super) fn new(drawn: &'d Drawn<'d>) -> Self {
        let mut sources: List<Node, Vec<Node>> = drawn.exits.with(Vec::new());
        let mut ways: List<Node, Vec<WayOut>> = drawn.exits.with(Vec::new());
        let order = order(drawn);
        for &node in &order {
            for target in targets(node, &drawn.exits, &drawn.kinds) {
                let slot = match drawn.kinds[target] {
                    FlowKind::Join => sources[target].len(),
                    _ => 0,
                };
                sources[target].push(node);
                ways[node].push(WayOut { target, slot });
            }
        }
        Self {
            drawn,
            ways,
            sources,
            order,
        }
    }

    /// Finds everything that can happen; `None` if there are too many possibilities.
    pub(super) fn play(&self) -> Option<Play> {
        let mut play = Play::default();
        let mut start = State::default();
        start.moving.insert(self.drawn.entry, 1);
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        let mut moves = MOVES_MAX;
        while let Some(mut state) = open.pop() {
            loop {
                moves = moves.checked_sub(1)?;
                let Some(node) = state.take() else {
                    play.finish(&state);
                    break;
                };
                play.passed.insert(node);
                if self.chooses(node) {
                    for &way in &self.ways[node] {
                        moves = moves.checked_sub(state.moving.len() + state.waiting.len())?;
                        let mut next = state.clone();
                        self.arrive(way, &mut next, &mut play);
                        if seen.insert(next.clone()) {
                            open.push(next);
                        }
                    }
                    break;
                }
                if self.ways[node].is_empty() {
                    state.end(node, self.drawn.kinds[node] == FlowKind::ActivityFinal);
                }
                moves = moves.checked_sub(self.ways[node].len())?;
                for &way in &self.ways[node] {
                    self.arrive(way, &mut state, &mut play);
                }
            }
        }
        Some(play)
    }

    /// Returns `true` if a token takes only one of several ways out of a node.
    fn chooses(&self, node: Node) -> bool {
        let forks = matches!(self.drawn.kinds[node], FlowKind::Fork(_));
        !forks && matches!(self.drawn.exits[node], Exit::Branch { .. })
    }

    fn arrive(&self, way: WayOut, state: &mut State, play: &mut Play) {
        let WayOut { target, .. } = way;
        if self.drawn.kinds[target] != FlowKind::Join {
            *state.moving.entry(target).or_default() += 1;
            return;
        }
        play.came.insert(way);
        let count = state.waiting.entry(way).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        let filled = state.filled.entry(target).or_default();
        *filled += 1;
        if *filled == self.sources[target].len() {
            for slot in 0..self.sources[target].len() {
                if take_one(&mut state.waiting, &WayOut { target, slot }) {
                    take_one(&mut state.filled, &target);
                }
            }
            *state.moving.entry(target).or_default() += 1;
        }
    }

    /// Returns the problems: joins that wait in vain, and final nodes that end the diagram while
    /// tokens are moving. Without a `play`, every final node is such a problem.
    pub(super) fn problems(&self, play: Option<&Play>) -> Vec<ScopeProblem> {
        let Some(play) = play else {
            let kinds = self.drawn.kinds.entries();
            let finals = kinds.filter(|(_, kind)| **kind == FlowKind::ActivityFinal);
            return finals
                .map(|(node, _)| ScopeProblem::Stops { node })
                .collect();
        };
        let mut problems = Vec::new();
        let joins: BTreeSet<Node> = play.came.iter().map(|way| way.target).collect();
        for join in joins.difference(&play.passed).copied() {
            let came = |slot: usize| play.came.contains(&WayOut { target: join, slot });
            let mut sources = self.sources[join].iter().enumerate();
            problems.push(match sources.find(|(slot, _)| !came(*slot)) {
                Some((_, &source)) => ScopeProblem::Never { join, source },
                None => ScopeProblem::Alternatives { join },
            });
        }
        problems.extend(
            play.aborting
                .iter()
                .map(|&node| ScopeProblem::Stops { node }),
        );
        problems
    }
}

/// Lists the nodes in flow order, which doesn't depend on their order in the file.
fn order(drawn: &Drawn<'_>) -> Vec<Node> {
    let mut seen = drawn.exits.with(false);
    let mut order = Vec::new();
    for start in std::iter::once(drawn.entry).chain(drawn.exits.places()) {
        let mut next = order.len();
        if !std::mem::replace(&mut seen[start], true) {
            order.push(start);
        }
        while let Some(&node) = order.get(next) {
            next += 1;
            for target in targets(node, &drawn.exits, &drawn.kinds) {
                if !std::mem::replace(&mut seen[target], true) {
                    order.push(target);
                }
            }
        }
    }
    order
}

impl State {
    fn take(&mut self) -> Option<Node> {
        let node = *self.moving.keys().next()?;
        take_one(&mut self.moving, &node);
        Some(node)
    }

    fn end(&mut self, node: Node, is_final: bool) {
        self.ends = 2.min(self.ends + 1);
        if is_final {
            self.finals.insert(node);
        }
    }
}

/// Removes a token from a place. Returns `true` if it was the last one there.
fn take_one<K: Ord>(tokens: &mut BTreeMap<K, usize>, place: &K) -> bool {
    let Some(count) = tokens.get_mut(place) else {
        return false;
    };
    *count -= 1;
    let is_last = *count == 0;
    if is_last {
        tokens.remove(place);
    }
    is_last
}

impl Play {
    fn finish(&mut self, state: &State) {
        let starved = state.waiting.keys().map(|way| way.target);
        self.starved.extend(starved);
        if state.ends > 1 || !state.waiting.is_empty() {
            self.aborting.extend(&state.finals);
        }
    }

    /// Iterates over joins that a token can pass, but where a token can also be left waiting.
    pub(super) fn may_starve(&self) -> impl Iterator<Item = Node> {
        self.starved.intersection(&self.passed).copied()
    }
}
