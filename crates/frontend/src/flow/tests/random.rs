//! Tests that the structures of random graphs take the same paths as the graphs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::region::ReducibleRegion;
use super::super::{Block, Exit, Graph, Node, Statement, emit, graph, structure};
use super::walk::{self, Event};
use crate::index::{List, ListPlace as _};

/// Number of steps in the graph. The text can need more steps for the same path.
const FUEL: usize = 200;

/// Checks that both walks have the same events, as far as both got.
fn compare(graph: &Graph, block: &Block, answers: &[u8]) -> Result<(), TestCaseError> {
    let (expected, ended) = walk::graph(graph, answers, FUEL);
    let (seen, structure_ended) = walk::structure(graph, block, answers, 100 * FUEL);
    if ended {
        prop_assert!(
            structure_ended,
            "the flow ends, the text goes on: {block:#?}"
        );
        prop_assert_eq!(&seen, &expected, "{:#?}", block);
    } else {
        // Both walks stopped early. If answers ran out, they stopped at the same place; if fuel
        // did, the text got further.
        let common = seen.len().min(expected.len());
        prop_assert_eq!(&seen[..common], &expected[..common], "{:#?}", block);
        prop_assert!(
            seen.len() >= expected.len(),
            "the text lags behind: {block:#?}"
        );
        let over = |event: &Event| matches!(event, Event::Ended | Event::Stuck(_));
        prop_assert!(!seen[..common].iter().any(over));
    }
    Ok(())
}

fn count(block: &Block, visits: &mut BTreeMap<Node, usize>, asks: &mut BTreeMap<Node, usize>) {
    for statement in block {
        match statement {
            Statement::Visit(node) => *visits.entry(*node).or_default() += 1,
            Statement::Branch {
                node,
                arms,
                otherwise,
            } => {
                *asks.entry(*node).or_default() += 1;
                for arm in arms.iter().chain(otherwise) {
                    count(arm, visits, asks);
                }
            }
            Statement::While { node, body, .. } => {
                *asks.entry(*node).or_default() += 1;
                count(body, visits, asks);
            }
            Statement::Loop { body, .. } | Statement::Labeled { body, .. } => {
                count(body, visits, asks);
            }
            Statement::Dispatch { states, .. } => {
                for (_, state) in states {
                    count(state, visits, asks);
                }
            }
            _ => {}
        }
    }
}

/// Checks that every reachable node is in the text exactly once, and no other node is.
fn once_each(graph: &Graph, block: &Block) -> Result<(), TestCaseError> {
    let mut reached = BTreeSet::new();
    let mut open = vec![graph.entry];
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            match &graph.nodes[node] {
                Exit::Stop => {}
                Exit::Next(next) => open.push(*next),
                Exit::Branch { arms, otherwise } => open.extend(arms.iter().chain(otherwise)),
            }
        }
    }
    let branches = |node: &Node| matches!(graph.nodes[*node], Exit::Branch { .. });
    let once = |nodes: Vec<Node>| nodes.into_iter().map(|node| (node, 1)).collect();
    let visited: BTreeMap<Node, usize> = once(
        reached
            .iter()
            .copied()
            .filter(|node| !graph.silent.contains(node))
            .collect(),
    );
    let asked: BTreeMap<Node, usize> = once(reached.iter().copied().filter(branches).collect());
    let (mut visits, mut asks) = (BTreeMap::new(), BTreeMap::new());
    count(block, &mut visits, &mut asks);
    prop_assert_eq!(visits, visited);
    prop_assert_eq!(asks, asked);
    Ok(())
}

fn dispatches(block: &Block) -> bool {
    matches!(block[..], [Statement::Dispatch { .. }])
}

/// Generates a graph of up to `size` nodes. Three quarters of the targets are ahead.
fn any_graph(size: usize) -> impl Strategy<Value = Graph> {
    (1..=size).prop_flat_map(|size| {
        let nodes: Vec<_> = (0..size)
            .map(|node| {
                let ahead = (node + 1).min(size - 1)..(node + 4).min(size).max(node + 1).max(1);
                let target = prop_oneof![
                    3 => if ahead.is_empty() { (0..size).boxed() } else { ahead.boxed() },
                    1 => 0..size,
                ]
                .prop_map(Node::new)
                .boxed();
                let arms = proptest::collection::vec(target.clone(), 1..4);
                prop_oneof![
                    1 => Just(Exit::Stop),
                    4 => target.clone().prop_map(Exit::Next),
                    4 => (arms, proptest::option::weighted(0.8, target))
                        .prop_map(|(arms, otherwise)| Exit::Branch { arms, otherwise }),
                ]
            })
            .collect();
        let silent = proptest::collection::btree_set(0..size, 0..=size);
        (0..size.min(2), nodes, silent).prop_map(|(entry, nodes, silent)| Graph {
            entry: Node::new(entry),
            nodes: nodes.into_iter().collect(),
            silent: silent.into_iter().map(Node::new).collect(),
        })
    })
}

/// A program to generate a reducible graph from.
#[derive(Debug, Clone)]
enum Source {
    Act,
    If(Vec<Source>, Vec<Source>),
    Switch(Vec<Vec<Source>>),
    While(Vec<Source>),
    DoWhile(Vec<Source>),
    BreakIf(usize),
    ContinueIf(usize),
    ReturnIf,
    StuckUnless,
}

fn any_source() -> impl Strategy<Value = Vec<Source>> {
    let leaf = prop_oneof![
        4 => Just(Source::Act),
        1 => (0_usize..3).prop_map(Source::BreakIf),
        1 => (0_usize..3).prop_map(Source::ContinueIf),
        1 => Just(Source::ReturnIf),
        1 => Just(Source::StuckUnless),
    ];
    let one = leaf.prop_recursive(4, 24, 4, |inner| {
        let block = proptest::collection::vec(inner, 0..4);
        prop_oneof![
            (block.clone(), block.clone()).prop_map(|(one, other)| Source::If(one, other)),
            proptest::collection::vec(block.clone(), 1..4).prop_map(Source::Switch),
            block.clone().prop_map(Source::While),
            block.prop_map(Source::DoWhile),
        ]
    });
    proptest::collection::vec(one, 0..5)
}

/// A graph while it is built, from its end to its start.
#[derive(Debug, Default)]
struct Builder {
    nodes: List<Node, Exit>,
    silent: BTreeSet<Node>,
    /// Targets of `break` and `continue`, for each loop around.
    loops: Vec<(Node, Node)>,
}

impl Builder {
    fn add(&mut self, exit: Exit, silent: bool) -> Node {
        let node = self.nodes.push(exit);
        if silent {
            self.silent.insert(node);
        }
        node
    }

    fn decision(&mut self, arms: Vec<Node>, otherwise: Option<Node>) -> Node {
        self.add(Exit::Branch { arms, otherwise }, true)
    }

    fn block(&mut self, block: &[Source], next: Node) -> Node {
        block
            .iter()
            .rev()
            .fold(next, |next, source| self.source(source, next))
    }

    fn source(&mut self, source: &Source, next: Node) -> Node {
        match source {
            Source::Act => self.add(Exit::Next(next), false),
            Source::If(one, other) => {
                let (one, other) = (self.block(one, next), self.block(other, next));
                self.decision(vec![one], Some(other))
            }
            Source::Switch(arms) => {
                let arms = arms.iter().map(|arm| self.block(arm, next)).collect();
                self.decision(arms, Some(next))
            }
            Source::While(body) => {
                let head = self.decision(Vec::new(), None);
                self.loops.push((next, head));
                let body = self.block(body, head);
                self.loops.pop();
                self.nodes[head] = Exit::Branch {
                    arms: vec![body],
                    otherwise: Some(next),
                };
                head
            }
            Source::DoWhile(body) => {
                let head = self.add(Exit::Stop, true);
                let test = self.decision(vec![head], Some(next));
                self.loops.push((next, test));
                let body = self.block(body, test);
                self.loops.pop();
                self.nodes[head] = Exit::Next(body);
                head
            }
            Source::BreakIf(depth) | Source::ContinueIf(depth) => {
                let Some(around) = self.loops.len().checked_sub(depth + 1) else {
                    return next;
                };
                let (leave, again) = self.loops[around];
                let target = if matches!(source, Source::BreakIf(_)) {
                    leave
                } else {
                    again
                };
                self.decision(vec![target], Some(next))
            }
            Source::ReturnIf => {
                let end = self.add(Exit::Stop, true);
                self.decision(vec![end], Some(next))
            }
            Source::StuckUnless => self.decision(vec![next], None),
        }
    }
}

/// Runs many cases, without failure files next to the code.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: prophet_testing::cases(1000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_structure_takes_the_path_of_the_graph(
        graph in any_graph(14),
        answers in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 40), 6),
    ) {
        let block = structure(&graph);
        once_each(&graph, &block)?;
        for answers in &answers {
            compare(&graph, &block, answers)?;
        }
    }

    #[test]
    fn a_flat_structure_takes_the_path_of_the_graph(
        graph in any_graph(14),
        answers in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 40), 6),
    ) {
        let steps = graph::steps(&graph);
        let block = emit::emit(&steps, &ReducibleRegion::flat(&steps)).into_block(&steps);
        once_each(&graph, &block)?;
        for answers in &answers {
            compare(&graph, &block, answers)?;
        }
    }

    #[test]
    fn the_structure_of_a_program_needs_no_dispatch(
        source in any_source(),
        answers in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 40), 6),
    ) {
        let mut builder = Builder::default();
        let end = builder.add(Exit::Stop, true);
        let entry = builder.block(&source, end);
        let graph = Graph { entry, nodes: builder.nodes, silent: builder.silent };
        let block = structure(&graph);
        prop_assert!(!dispatches(&block), "{block:#?}");
        once_each(&graph, &block)?;
        for answers in &answers {
            compare(&graph, &block, answers)?;
        }
    }
}
