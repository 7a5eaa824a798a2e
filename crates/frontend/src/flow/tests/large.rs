//! Tests long and deep graphs on a small stack.

use std::collections::BTreeSet;

use super::super::{Block, Exit, Graph, NESTING_MAX, Node, Statement, structure};
use super::walk::{self, Event};
use crate::index::ListPlace as _;

/// Default stack size of a thread, in bytes.
const STACK: usize = 2 << 20;

/// Structures a graph on a small stack, calls `test`, and drops the structure there too.
fn with_structure(graph: Graph, test: impl FnOnce(&Graph, &Block) + Send + 'static) {
    let run = move || {
        let block = structure(&graph);
        assert!(nesting(&block) <= NESTING_MAX);
        test(&graph, &block);
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

fn nesting(block: &Block) -> usize {
    let deepest = |blocks: &mut dyn Iterator<Item = &Block>| {
        blocks.map(nesting).max().map_or(0, |depth| depth + 1)
    };
    let of = |statement: &Statement| match statement {
        Statement::Branch {
            arms, otherwise, ..
        } => deepest(&mut arms.iter().chain(otherwise)),
        Statement::Loop { body, .. }
        | Statement::While { body, .. }
        | Statement::Labeled { body, .. } => nesting(body) + 1,
        Statement::Dispatch { states, .. } => deepest(&mut states.iter().map(|(_, block)| block)),
        _ => 0,
    };
    block.iter().map(of).max().unwrap_or(0)
}

fn dispatches(block: &Block) -> bool {
    matches!(block[..], [Statement::Dispatch { .. }])
}

/// Checks that the graph and its structure take the same path if every guard has the same answer.
fn compare(graph: &Graph, block: &Block) {
    for answer in 0..3 {
        let answers = vec![answer; 5_000];
        let (expected, ended) = walk::graph(graph, &answers, usize::MAX);
        let seen = walk::structure(graph, block, &answers, usize::MAX);
        assert_eq!(seen, (expected, ended));
    }
}

fn graph(nodes: Vec<Exit>, silent: BTreeSet<usize>) -> Graph {
    Graph {
        entry: Node::new(0),
        nodes: nodes.into_iter().collect(),
        silent: silent.into_iter().map(Node::new).collect(),
    }
}

fn next(node: usize) -> Exit {
    Exit::Next(Node::new(node))
}

/// Creates nodes from 0 to `last`. Each leads to the next one.
fn chain(last: usize) -> Vec<Exit> {
    let nodes = (0..last).map(|node| next(node + 1));
    nodes.chain([Exit::Stop]).collect()
}

/// Creates pairs of nodes with numbers below `end`, followed by a stop. `pair` creates a pair from
/// the number of its first node.
fn pairs(end: usize, pair: impl Fn(usize) -> [Exit; 2]) -> Vec<Exit> {
    let pairs = (0..end).step_by(2).flat_map(pair);
    pairs.chain([Exit::Stop]).collect()
}

/// Checks that the structure follows the graph for up to `steps` steps if every branch takes its
/// `else`.
fn compare_otherwise(graph: &Graph, block: &Block, steps: usize) -> Vec<Event> {
    let answers = [1; 5_000];
    let seen = walk::structure(graph, block, &answers, steps);
    assert_eq!(seen, walk::graph(graph, &answers, steps));
    seen.0
}

fn branch(arm: usize, otherwise: usize) -> Exit {
    Exit::Branch {
        arms: vec![Node::new(arm)],
        otherwise: Some(Node::new(otherwise)),
    }
}

#[test]
fn a_chain_is_a_list() {
    let last = 100_000;
    let nodes = chain(last);
    with_structure(graph(nodes, BTreeSet::new()), move |_, block| {
        let expected: Block = (0..=last)
            .map(|node| Statement::Visit(Node::new(node)))
            .collect();
        assert!(*block == expected);
    });
}

#[test]
fn a_silent_chain_is_nothing() {
    let last = 100_000;
    let nodes = chain(last);
    with_structure(graph(nodes, (0..=last).collect()), |_, block| {
        assert!(block.is_empty());
    });
}

#[test]
fn decisions_in_a_row_are_not_nested() {
    let count = 30_000;
    let nodes = pairs(2 * count, |node| {
        [branch(node + 1, node + 2), next(node + 2)]
    });
    let silent = (0..=2 * count).step_by(2).collect();
    with_structure(graph(nodes, silent), move |_, block| {
        assert_eq!((block.len(), nesting(block)), (count, 1));
    });
}

#[test]
fn a_nest_of_arms_is_taken_apart() {
    // A decision, an action, and the next decision. All of them lead to the same action.
    let count = 2_000;
    let end = 2 * count;
    let nodes = pairs(end, |node| [branch(node + 1, end), next(node + 2)]);
    let silent = (0..end).step_by(2).collect();
    with_structure(graph(nodes, silent), |graph, block| {
        assert!(dispatches(block));
        compare(graph, block);
    });
}

#[test]
fn a_nest_within_the_limit_stays_one() {
    let count = NESTING_MAX;
    let nodes = (0..count)
        .map(|node| branch(node + 1, count + 1))
        .chain([Exit::Stop, Exit::Stop]);
    let silent = (0..count).chain([count + 1]).collect();
    with_structure(graph(nodes.collect(), silent), move |graph, block| {
        assert_eq!(nesting(block), count);
        compare(graph, block);
    });
}

#[test]
fn early_returns_are_not_nested() {
    let count = 2_000;
    let end = 2 * count;
    let nodes = pairs(end, |node| [branch(end, node + 1), next(node + 2)]);
    let silent = (0..=end).step_by(2).collect();
    with_structure(graph(nodes, silent), |graph, block| {
        assert!(!dispatches(block));
        compare(graph, block);
    });
}

#[test]
fn nested_loops_are_taken_apart() {
    let count = 2_000;
    let mut nodes: Vec<Exit> = (0..count).map(|node| next(node + 1)).collect();
    nodes.push(next(count + 1));
    nodes.extend((0..count).map(|node| branch(count - node, count + node + 2)));
    nodes.push(Exit::Stop);
    let silent = (count + 1..=2 * count + 1).collect();
    with_structure(graph(nodes, silent), |graph, block| {
        assert!(dispatches(block));
        let seen = compare_otherwise(graph, block, usize::MAX);
        assert_eq!(seen.last(), Some(&Event::Ended));
    });
}

#[test]
fn many_arms_and_many_joins_of_one_decision() {
    // Each arm falls through to the next one, so there are as many labeled blocks as arms.
    let count = 20_000;
    let arms: Vec<Node> = (1..=count).map(Node::new).collect();
    let nodes = std::iter::once(Exit::Branch {
        arms,
        otherwise: Some(Node::new(count + 1)),
    })
    .chain((1..=count).map(|node| next(node + 1)))
    .chain([Exit::Stop])
    .collect();
    with_structure(graph(nodes, BTreeSet::from([0])), |graph, block| {
        assert!(dispatches(block));
        compare(graph, block);
    });
}

#[test]
fn a_loop_with_many_exits_takes_linear_time() {
    // All exits of an endless loop lead to the same node, far from its dominator.
    let count = 30_000;
    let end = 2 * count;
    let nodes = pairs(end, |node| [branch(end, node + 1), next((node + 2) % end)]);
    let silent = (0..end).step_by(2).collect();
    with_structure(graph(nodes, silent), |graph, block| {
        assert!(!dispatches(block));
        compare_otherwise(graph, block, 1_000_000);
    });
}
