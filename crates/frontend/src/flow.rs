//! Turns control flow graphs, which have nodes and guarded edges, into structured statements.
//!
//! The algorithm is Ramsey's ("Beyond Relooper", ICFP 2022): walk the dominator tree, with a
//! labeled block for each node that several forward edges reach, and a loop for each node that a
//! back edge reaches. Each node is emitted once. This version differs in two ways: a loop's exit is
//! written after the loop rather than inside it, and most jumps need no statement, because the text
//! after them is already their target.
//!
//! | stage | does |
//! |---|---|
//! | `graph` | drops silent and unreachable nodes, and numbers the others in reverse postorder |
//! | `region` | finds dominators, loops, and the nodes that must be states of a dispatch loop |
//! | `place` | decides where to write each node |
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
/// Because of this limit, handlers, parsers and compilers can safely recurse on nested blocks.
pub const NESTING_MAX: usize = 64;

/// A label of a loop or block, unique in a structured graph. Labels are numbered from 0 in text
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(usize);

impl fmt::Display for Label {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

/// A control flow graph. Nodes that can't be reached from `entry` are dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The node where the flow starts.
    pub entry: Node,
    /// The exit of each node. Targets are indices into this list.
    pub nodes: List<Node, Exit>,
    /// Nodes that do nothing, such as merges, finals and most decisions.
    ///
    /// The structured code doesn't visit them. If a silent node is an [`Exit::Stop`], each flow
    /// into it stops separately, so that these flows don't have to meet.
    pub silent: BTreeSet<Node>,
}

/// Where the flow continues after a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The flow ends.
    Stop,
    /// The flow continues at one node.
    Next(Node),
    /// The flow takes the first arm whose guard holds, or `otherwise` if no guard holds. Without an
    /// `otherwise`, it is stuck.
    Branch {
        /// The target of each guard, in order. A target can appear several times.
        arms: Vec<Node>,
        /// The target of `else`.
        otherwise: Option<Node>,
    },
}

/// Structured statements, in execution order.
pub type Block = Vec<Statement>;

/// A structured statement that executes nodes of a [`Graph`], or branches on their guards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Executes a node. Silent nodes have no `Visit`. If the node branches, its
    /// [`Statement::Branch`] follows.
    Visit(Node),
    /// `if guard 0 { … } else if guard 1 { … } else { … }`, with the guards of a node.
    ///
    /// An empty arm falls through. If `otherwise` is `None`, the node has no `else`, and the flow
    /// is stuck if no guard holds. If the only arm is empty and `otherwise` isn't, write it as `if
    /// !guard { … }`.
    Branch {
        /// The node with the guards.
        node: Node,
        /// Statements to run for each guard, in order.
        arms: Vec<Block>,
        /// Statements to run if no guard holds.
        otherwise: Option<Block>,
    },
    /// `'label: loop { … }`
    Loop {
        /// Label; `None` if no jump inside needs it.
        label: Option<Label>,
        /// The node at the start of the loop, for messages about endless loops.
        header: Node,
        /// Statements to repeat.
        body: Block,
    },
    /// `while guard { … }`: a loop that starts with a silent node. The node has one guard and an
    /// `else`, and one of them leaves the loop.
    While {
        /// Label; `None` if no jump inside needs it.
        label: Option<Label>,
        /// The node at the start of the loop.
        header: Node,
        /// The node with the condition, its first guard.
        node: Node,
        /// Whether the loop continues while the guard does *not* hold.
        negated: bool,
        /// Statements to repeat.
        body: Block,
    },
    /// `'label: { … }`
    Labeled {
        /// Label that a `break` inside refers to.
        label: Label,
        /// Statements in the block.
        body: Block,
    },
    /// `break` or `break 'label`
    Break(Option<Label>),
    /// `continue` or `continue 'label`
    Continue(Option<Label>),
    /// `return`, where the flow ends although more statements follow in the text.
    Return,
    /// A loop over states, for an irreducible graph. Each state names the state that runs next.
    ///
    /// Every state ends with a jump, and no `break` leaves the loop. If a structure contains a
    /// dispatch loop, it is the only statement.
    Dispatch {
        /// Label that [`Statement::Goto`] refers to.
        label: Label,
        /// The first state.
        entry: Node,
        /// The states, each as its first node and its statements.
        states: Vec<(Node, Block)>,
    },
    /// Continues with another state of the enclosing dispatch loop.
    Goto {
        /// Label of the dispatch loop.
        label: Label,
        /// The state to run next.
        state: Node,
    },
}

/// Turns `graph` into structured statements that are nested at most [`NESTING_MAX`] deep.
///
/// The result visits every reachable node exactly once, except silent nodes.
pub fn structure(graph: &Graph) -> Block {
    let steps = graph::steps(graph);
    let text = emit::emit(&steps, &region::ReducibleRegion::structured(&steps));
    if text.depth() <= NESTING_MAX {
        return text.into_block(&steps);
    }
    emit::emit(&steps, &region::ReducibleRegion::flat(&steps)).into_block(&steps)
}
