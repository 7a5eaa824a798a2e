//! Turns control flow graphs, which have nodes and guarded edges, into structured statements.
//!
//! The algorithm is Ramsey's ("Beyond Relooper", ICFP 2022): walk the dominator tree, with a
//! labeled block for each node that several forward edges reach, and a loop for each node that a
//! back edge reaches. Each node is emitted once. We add two things: a loop's exit is written after
//! the loop rather than inside it, and each jump knows which text follows it, so that most jumps
//! need no statement.
//!
//! | stage | does |
//! |---|---|
//! | `graph` | drops silent and unreached nodes, numbers the rest in reverse postorder |
//! | `region` | finds dominators, loops, and the nodes that must be states of a dispatch loop |
//! | `place` | decides where each node is written |
//! | `emit` | writes the text into an arena |
//! | `text` | drops unneeded blocks and `else`s, and builds a [`Block`] |
//!
//! An irreducible graph becomes one dispatch loop with states that are as large as possible: nodes
//! that only one state leads to become structured text inside that state. No stage recurses on the
//! size of the graph.

mod emit;
mod graph;
mod place;
mod region;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;
use std::fmt;

use crate::index::List;
pub use crate::index::Node;

/// Maximum nesting depth of structured blocks. Deeper nesting becomes a dispatch loop.
///
/// This limit lets all later stages recurse on the nesting: handlers, parsers and compilers.
pub const NESTING_MAX: usize = 64;

/// A label of a loop or block. Labels are numbered from 0 in text order, and are unique in a
/// structured graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(usize);

impl fmt::Display for Label {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

/// A control flow graph. Nodes that can't be reached from `entry` don't become part of the
/// structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The node at which the flow starts.
    pub entry: Node,
    /// Exit of each node, by index. Every target is an index into this list.
    pub nodes: List<Node, Exit>,
    /// The nodes that do nothing, such as merges, finals and most decisions.
    ///
    /// Silent nodes are never visited. A flow to a silent node that ends is a plain [`Exit::Stop`],
    /// so that such flows don't have to meet in one place.
    pub silent: BTreeSet<Node>,
}

/// Where the flow continues after a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The flow ends.
    Stop,
    /// The flow continues at one node.
    Next(Node),
    /// The flow takes the first arm whose guard holds, or else `otherwise`. Without an `otherwise`,
    /// the flow is stuck here.
    Branch {
        /// The target of each guard, in order; a target can occur several times.
        arms: Vec<Node>,
        /// The target of `else`.
        otherwise: Option<Node>,
    },
}

/// Structured statements, in order.
pub type Block = Vec<Statement>;

/// A structured statement that executes, or branches at, nodes of a [`Graph`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Executes a node; omitted for silent nodes. The node's [`Statement::Branch`] follows.
    Visit(Node),
    /// `if arm 0 { … } else if arm 1 { … } else { … }` on the guards of a node.
    ///
    /// An empty arm falls through. If `otherwise` is `None`, the node has no `else`, and the flow
    /// is stuck if no guard holds. A branch with one empty arm and a nonempty `otherwise` reads
    /// best as `if !guard { … }`.
    Branch {
        /// The node with the guards.
        node: Node,
        /// Statements under each guard, in order.
        arms: Vec<Block>,
        /// Statements if no guard holds.
        otherwise: Option<Block>,
    },
    /// `'label: loop { … }`.
    Loop {
        /// Label; `None` if nothing inside refers to it.
        label: Option<Label>,
        /// The node at the loop's head, named in messages about endless loops.
        header: Node,
        /// Statements to repeat.
        body: Block,
    },
    /// `while guard { … }`: a loop whose first node is silent and has one guard and an `else`. One
    /// of the two leaves the loop.
    While {
        /// Label; `None` if nothing inside refers to it.
        label: Option<Label>,
        /// The node at its head.
        header: Node,
        /// The node whose first guard is the condition.
        node: Node,
        /// Whether the loop continues while the guard does *not* hold.
        negated: bool,
        /// Statements to repeat.
        body: Block,
    },
    /// `'label: { … }`.
    Labeled {
        /// Label.
        label: Label,
        /// Content.
        body: Block,
    },
    /// `break`, or `break 'label`.
    Break(Option<Label>),
    /// `continue`, or `continue 'label`.
    Continue(Option<Label>),
    /// `return`: the flow ends here, although more statements follow in the text.
    Return,
    /// A labeled state loop for an irreducible graph: it runs a state, and then the next state that
    /// this one names.
    ///
    /// The end of a state's block is never reached, and no `break` leaves the loop. A structure has
    /// at most one dispatch, as its only statement.
    Dispatch {
        /// Label.
        label: Label,
        /// The first state.
        entry: Node,
        /// The states, each with its first node.
        states: Vec<(Node, Block)>,
    },
    /// Continues with another state of the enclosing dispatch loop.
    Goto {
        /// The dispatch loop.
        label: Label,
        /// The state to run next.
        state: Node,
    },
}

/// Structures `graph`, with at most [`NESTING_MAX`] nested blocks.
///
/// The result visits every reachable node that isn't silent exactly once.
pub fn structure(graph: &Graph) -> Block {
    let steps = graph::steps(graph);
    let text = emit::emit(&steps, &region::ReducibleRegion::structured(&steps));
    if text.depth() <= NESTING_MAX {
        return text.into_block(&steps);
    }
    emit::emit(&steps, &region::ReducibleRegion::flat(&steps)).into_block(&steps)
}
