//! Divides a diagram with unnested forks and joins into pieces.
//!
//! A piece is what one token can reach before the next join. It becomes a separate diagram, and
//! starts whenever a token has arrived on each of its incoming flows. At a fork, the token
//! continues with the first branch, and starts other pieces for the other branches. When a piece
//! ends, its token moves on to the next piece.

use std::collections::BTreeSet;

use super::flows::DiagramGraph;
use super::scopes::FlowKind;
use super::tokens::{Net, WayOut};
use crate::flow::{Exit, Graph, Node};
use crate::index::{List, ListPlace as _};
use prophet_map::Map;
use prophet_model::model::{Code, ElementId};

const PIECES_MAX: usize = 1000;

/// Maximum number of rounds in which pieces can require more pieces. After that, every node with
/// several incoming flows starts a piece.
const ROUNDS_MAX: usize = 8;

pub(super) struct Pieces {
    /// The first node of each piece. The first piece starts where the diagram starts.
    heads: Vec<Node>,
    /// The piece that each node belongs to; `None` if it belongs to several pieces, or to none.
    owner: List<Node, Option<usize>>,
    /// Number of each flow into a piece. Flow 0 leads to the first piece.
    flows: Map<WayOut, usize>,
    pub(super) targets: Vec<usize>,
}

impl Pieces {
    /// Divides a diagram into pieces. Returns `None` if it is too large, or starts at a join.
    pub(super) fn new(net: &Net<'_>) -> Option<Self> {
        if net.drawn.kinds[net.drawn.entry] == FlowKind::Join {
            return None;
        }
        let (reached, mut begins) = first_heads(net);
        close(net, &reached, &mut begins);
        let crowded = crowded(net, &reached, &begins);
        if !crowded.is_empty() {
            // Several tokens can arrive one after another. Each action becomes a piece, so that the
            // next token can enter it once the previous token has left.
            for node in behind(net, crowded) {
                if !net.drawn.silent.contains(&node) && is_plain(net, node) {
                    begins.insert(node);
                }
            }
            close(net, &reached, &mut begins);
        }
        let ordered = net.order.iter().copied();
        let heads: Vec<Node> = ordered.filter(|node| begins.contains(node)).collect();
        if heads.len() > PIECES_MAX {
            return None;
        }
        let owner = owners(net, &heads, &begins).0;
        let mut pieces = Self {
            heads,
            owner,
            flows: Map::new(),
            targets: Vec::new(),
        };
        pieces.number_flows(net);
        Some(pieces)
    }

    fn number_flows(&mut self, net: &Net<'_>) {
        let mut slots = net.drawn.exits.with(1_usize);
        for way in net.ways.iter().flatten() {
            slots[way.target] = slots[way.target].max(way.slot + 1);
        }
        for (piece, &head) in self.heads.iter().enumerate() {
            for slot in 0..slots[head] {
                let way = WayOut { target: head, slot };
                self.flows.insert(way, self.targets.len());
                self.targets.push(piece);
            }
        }
    }

    /// Builds the graph of each piece. Moves the diagram's guards into these graphs.
    pub(super) fn graphs<'m>(
        &self,
        net: &Net<'_>,
        mut guards: Map<Node, Vec<&'m Code>>,
    ) -> Vec<DiagramGraph<'m>> {
        let mut members: Vec<Vec<Node>> = vec![Vec::new(); self.heads.len()];
        for (node, owner) in self.owner.entries() {
            if let Some(piece) = owner {
                members[*piece].push(node);
            }
        }
        let pieces = members.iter().enumerate();
        pieces
            .map(|(piece, members)| {
                let mut made = Making::new(net, members);
                for &node in members {
                    made.add(self, piece, node);
                }
                let entry = made.local[&self.heads[piece]];
                made.finish(entry, &mut guards)
            })
            .collect()
    }
}

/// Finds the nodes that tokens may reach. Also returns the nodes that always start a piece.
fn first_heads(net: &Net<'_>) -> (BTreeSet<Node>, BTreeSet<Node>) {
    let entry = net.drawn.entry;
    let (mut reached, mut begins) = (BTreeSet::from([entry]), BTreeSet::from([entry]));
    let mut open = vec![entry];
    while let Some(node) = open.pop() {
        let others = onward(net, node).1.into_iter().map(|way| way.target);
        begins.extend(others.filter(|&target| !is_final(net, target)));
        for &WayOut { target, .. } in &net.ways[node] {
            if net.drawn.kinds[target] == FlowKind::Join {
                begins.insert(target);
            }
            if reached.insert(target) {
                open.push(target);
            }
        }
    }
    (reached, begins)
}

/// Adds the nodes that several pieces lead to, because they start pieces too.
fn close(net: &Net<'_>, reached: &BTreeSet<Node>, begins: &mut BTreeSet<Node>) {
    for _ in 0..ROUNDS_MAX {
        let heads: Vec<Node> = begins.iter().copied().collect();
        let shared = owners(net, &heads, begins).1;
        if shared.is_empty() {
            return;
        }
        begins.extend(shared);
    }
    let mut entered = net.drawn.exits.with(0_usize);
    for way in reached.iter().flat_map(|&node| &net.ways[node]) {
        entered[way.target] += 1;
    }
    let several = |node: &Node| entered[*node] > 1 && !is_final(net, *node);
    begins.extend(reached.iter().copied().filter(several));
}

/// Finds the first nodes of pieces that may receive several tokens: from several pieces, or from a
/// node that tokens can pass more than once.
fn crowded(net: &Net<'_>, reached: &BTreeSet<Node>, begins: &BTreeSet<Node>) -> BTreeSet<Node> {
    let heads: Vec<Node> = begins.iter().copied().collect();
    let owner = owners(net, &heads, begins).0;
    let repeated = repeated(net, reached);
    let (mut known, mut entered) = (BTreeSet::new(), net.drawn.exits.with(0_usize));
    entered[net.drawn.entry] += 1;
    for (node, piece) in owner.entries().filter(|(_, piece)| piece.is_some()) {
        let (ways, others) = onward(net, node);
        let leaves = |way: &&WayOut| owner[way.target] != *piece;
        let leaving = ways.iter().filter(leaves).map(|way| way.target);
        let leaving = leaving.filter(|&target| known.insert((*piece, target)));
        for target in leaving.chain(others.iter().map(|way| way.target)) {
            let is_join = net.drawn.kinds[target] == FlowKind::Join;
            entered[target] += match (repeated.contains(&node), is_join) {
                (true, _) => 2,
                (false, true) => 0,
                (false, false) => 1,
            };
        }
    }
    let is_crowded = |node: &Node| entered[*node] > 1;
    begins.iter().copied().filter(is_crowded).collect()
}

/// Finds the nodes that tokens can pass more than once: nodes on cycles, and nodes between two
/// cycles.
fn repeated(net: &Net<'_>, reached: &BTreeSet<Node>) -> BTreeSet<Node> {
    let mut sources: List<Node, Vec<Node>> = net.drawn.exits.with(Vec::new());
    let mut goals: List<Node, Vec<Node>> = net.drawn.exits.with(Vec::new());
    for &node in reached {
        goals[node] = net.ways[node].iter().map(|way| way.target).collect();
        for &goal in &goals[node] {
            sources[goal].push(node);
        }
    }
    let mut left = reached.clone();
    peel(&mut left, &sources, &goals);
    peel(&mut left, &goals, &sources);
    left
}

/// Repeatedly removes nodes without predecessors in `left`.
fn peel(left: &mut BTreeSet<Node>, before: &List<Node, Vec<Node>>, behind: &List<Node, Vec<Node>>) {
    let mut counts = before.with(0_usize);
    for &node in left.iter() {
        counts[node] = before[node].iter().filter(|it| left.contains(it)).count();
    }
    let free = |node: &Node| counts[*node] == 0;
    let mut open: Vec<Node> = left.iter().copied().filter(free).collect();
    while let Some(node) = open.pop() {
        left.remove(&node);
        for &next in behind[node].iter().filter(|it| left.contains(it)) {
            counts[next] -= 1;
            if counts[next] == 0 {
                open.push(next);
            }
        }
    }
}

/// Returns the piece of each node, and the nodes that several pieces lead to.
fn owners(
    net: &Net<'_>,
    heads: &[Node],
    begins: &BTreeSet<Node>,
) -> (List<Node, Option<usize>>, BTreeSet<Node>) {
    let mut owner: List<Node, Option<usize>> = net.drawn.exits.with(None);
    let mut shared = BTreeSet::new();
    for (piece, &head) in heads.iter().enumerate() {
        owner[head] = Some(piece);
        let mut open = vec![head];
        while let Some(node) = open.pop() {
            for &WayOut { target, .. } in onward(net, node).0 {
                if begins.contains(&target) || is_final(net, target) {
                    continue;
                }
                match owner[target] {
                    None => {
                        owner[target] = Some(piece);
                        open.push(target);
                    }
                    Some(other) if other == piece => {}
                    Some(_) => {
                        shared.insert(target);
                    }
                }
            }
        }
    }
    (owner, shared)
}

/// Returns the ways out of a node within its piece, and the ways on which a fork starts other
/// pieces.
fn onward<'n>(net: &'n Net<'_>, node: Node) -> (&'n [WayOut], Vec<WayOut>) {
    let ways = &net.ways[node];
    if !matches!(net.drawn.kinds[node], FlowKind::Fork(_)) {
        return (ways, Vec::new());
    }
    let stays =
        |way: &WayOut| net.drawn.kinds[way.target] != FlowKind::Join && !is_final(net, way.target);
    let first = ways.iter().position(stays);
    let others = ways.iter().enumerate();
    let others = others.filter(|(at, _)| Some(*at) != first);
    let stay = first.map_or(0..0, |at| at..at + 1);
    (&ways[stay], others.map(|(_, way)| *way).collect())
}

fn behind(net: &Net<'_>, from: BTreeSet<Node>) -> BTreeSet<Node> {
    let mut open: Vec<Node> = from.iter().copied().collect();
    let mut found = from;
    while let Some(node) = open.pop() {
        for way in &net.ways[node] {
            if found.insert(way.target) {
                open.push(way.target);
            }
        }
    }
    found
}

fn is_final(net: &Net<'_>, node: Node) -> bool {
    matches!(
        net.drawn.kinds[node],
        FlowKind::FlowFinal | FlowKind::ActivityFinal
    )
}

fn is_plain(net: &Net<'_>, node: Node) -> bool {
    net.drawn.kinds[node] == FlowKind::Plain
}

/// The graph of a piece while it is built.
struct Making<'n> {
    net: &'n Net<'n>,
    members: &'n [Node],
    /// Numbers of the piece's nodes in the new graph.
    local: Map<Node, Node>,
    exits: List<Node, Exit>,
    elements: List<Node, ElementId>,
    passes: Map<Node, Vec<usize>>,
    /// Nodes that only pass a token to another piece.
    passing: Map<WayOut, Node>,
    silent: BTreeSet<Node>,
}

impl<'n> Making<'n> {
    fn new(net: &'n Net<'n>, members: &'n [Node]) -> Self {
        let numbers = members.iter().enumerate();
        let local = numbers.map(|(at, &node)| (node, Node::new(at)));
        Self {
            net,
            members,
            local: local.collect(),
            exits: members.iter().map(|_| Exit::Stop).collect(),
            elements: members.iter().map(|&it| net.drawn.elements[it]).collect(),
            passes: Map::new(),
            passing: Map::new(),
            silent: BTreeSet::new(),
        }
    }

    /// Adds the exit of a node to the piece's graph.
    fn add(&mut self, pieces: &Pieces, piece: usize, node: Node) {
        let at = self.local[&node];
        if self.net.drawn.silent.contains(&node) {
            self.silent.insert(at);
        }
        if let FlowKind::Fork(_) = self.net.drawn.kinds[node] {
            let (onward, others) = onward(self.net, node);
            let flows = others.iter().filter_map(|way| pieces.flows.get(way));
            let flows: Vec<usize> = flows.copied().collect();
            if flows.is_empty() {
                self.silent.insert(at);
            } else {
                self.passes.insert(at, flows);
            }
            if let Some(&way) = onward.first() {
                self.exits[at] = Exit::Next(self.goal(pieces, piece, node, way));
            }
            return;
        }
        let ways = self.net.ways[node].clone();
        let goals = ways.iter().map(|way| self.goal(pieces, piece, node, *way));
        let goals: Vec<Node> = goals.collect();
        self.exits[at] = match &self.net.drawn.exits[node] {
            Exit::Stop => Exit::Stop,
            Exit::Next(_) => Exit::Next(goals[0]),
            Exit::Branch { arms, otherwise } => Exit::Branch {
                arms: goals[..arms.len()].to_vec(),
                otherwise: otherwise.as_ref().map(|_| goals[arms.len()]),
            },
        };
    }

    /// Returns the node in the graph that a way leads to: a node of the piece, or a node that
    /// passes the token to another piece.
    fn goal(&mut self, pieces: &Pieces, piece: usize, source: Node, way: WayOut) -> Node {
        let is_join = self.net.drawn.kinds[way.target] == FlowKind::Join;
        if !is_join && pieces.owner[way.target] == Some(piece) {
            return self.local[&way.target];
        }
        if let Some(&known) = self.passing.get(&way) {
            return known;
        }
        let node = self.exits.push(Exit::Stop);
        self.elements.push(self.net.drawn.elements[source]);
        match pieces.flows.get(&way) {
            Some(&flow) => {
                self.passes.insert(node, vec![flow]);
            }
            // The way leads to a final node.
            None => {
                self.silent.insert(node);
            }
        }
        self.passing.insert(way, node);
        node
    }

    fn finish<'m>(self, entry: Node, guards: &mut Map<Node, Vec<&'m Code>>) -> DiagramGraph<'m> {
        let members = self.members.iter();
        let guards = members.filter_map(|node| Some((self.local[node], guards.remove(node)?)));
        DiagramGraph {
            graph: Graph {
                entry,
                nodes: self.exits,
                silent: self.silent,
            },
            elements: self.elements,
            guards: guards.collect(),
            forks: Map::new(),
            passes: self.passes,
        }
    }
}
