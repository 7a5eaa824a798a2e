//! Control flow: from a graph of nodes and guarded edges to structured statements.
//!
//! The algorithm is Ramsey's ("Beyond Relooper", ICFP 2022): walk the dominator tree, a labeled
//! block for each node that several forward edges reach, a loop for each that a back edge reaches.
//! Each node is emitted once. Two things are ours: what a loop leads to stands behind the loop
//! rather than in it, and each jump knows what follows in the text, so that most need no words.
//!
//! | stage | does |
//! |---|---|
//! | `graph` | leaves out what is silent or unreached, numbers the rest in reverse postorder |
//! | `region` | finds dominators, loops, and the nodes that must be states of a dispatch loop |
//! | `place` | says for each node where its text stands |
//! | `emit` | writes the text into an arena |
//! | `text` | drops needless blocks and `else`s, and makes it a [`Block`] |
//!
//! An irreducible graph becomes one dispatch loop, whose states are as large as can be: what only
//! one state leads to is structured text within it. No stage recurses on the size of the graph.

mod emit;
mod graph;
mod place;
mod region;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;

/// Deepest nesting of blocks in a structure; what is nested deeper becomes a dispatch loop.
///
/// Everything behind this stage may recurse on the nesting: handlers, parsers, compilers.
pub const NESTING_MAX: usize = 64;

/// Index of a node in [`Graph::nodes`].
pub type Node = usize;

/// A label of a loop or block; unique in one structured graph, numbered from 0 in order of text.
pub type Label = usize;

/// A control flow graph. Nodes that `entry` does not reach are left out of the structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Where the flow starts.
    pub entry: Node,
    /// How each node goes on. Every target is an index of this list.
    pub nodes: Vec<Exit>,
    /// The nodes that do nothing, such as merges, finals and most decisions.
    ///
    /// They are never visited, and a flow to a silent node that ends is a plain [`Exit::Stop`]: it
    /// needs no place where all such flows meet.
    pub silent: BTreeSet<Node>,
}

/// How the flow goes on behind a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// It ends.
    Stop,
    /// It goes to one node.
    Next(Node),
    /// The first arm whose guard holds, else `otherwise`; without it the flow is stuck there.
    Branch {
        /// The target of each guard, in order; several may go to the same node.
        arms: Vec<Node>,
        /// The target of `else`.
        otherwise: Option<Node>,
    },
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A structured statement over the nodes of a [`Graph`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Do what the node does; not there for silent nodes. Its [`Statement::Branch`] follows.
    Visit(Node),
    /// `if arm 0 { … } else if arm 1 { … } else { … }` on the guards of a node.
    ///
    /// An arm that is empty falls through. Where `otherwise` is `None` the node has no `else`:
    /// when no guard holds the flow is stuck. A branch whose one arm is empty and whose `otherwise`
    /// is not reads best as `if !guard { … }`.
    Branch {
        /// The node whose guards are asked.
        node: Node,
        /// What to do under each guard, in order.
        arms: Vec<Block>,
        /// What to do when none holds.
        otherwise: Option<Block>,
    },
    /// `'label: loop { … }`.
    Loop {
        /// Its label; `None` when nothing inside names it.
        label: Option<Label>,
        /// The node at its head, for messages about loops that never end.
        header: Node,
        /// What to repeat.
        body: Block,
    },
    /// `while guard { … }`: a loop whose first act is to ask a silent node with one guard and an
    /// `else`, one of which leaves.
    While {
        /// Its label; `None` when nothing inside names it.
        label: Option<Label>,
        /// The node at its head.
        header: Node,
        /// The node whose first guard is the condition.
        node: Node,
        /// Whether the loop goes on while the guard does *not* hold.
        negated: bool,
        /// What to repeat.
        body: Block,
    },
    /// `'label: { … }`.
    Labeled {
        /// Its label.
        label: Label,
        /// Its content.
        body: Block,
    },
    /// `break`, or `break 'label`.
    Break(Option<Label>),
    /// `continue`, or `continue 'label`.
    Continue(Option<Label>),
    /// `return`: the flow ends here, though text follows.
    Return,
    /// A labeled state loop for an irreducible graph: run the state, go to the next one it names.
    ///
    /// Nothing ever reaches the end of a state's block, and no `break` leaves the loop. There is at
    /// most one, the only statement of its structure.
    Dispatch {
        /// Its label.
        label: Label,
        /// The first state.
        entry: Node,
        /// The states, by the node that each starts with.
        states: Vec<(Node, Block)>,
    },
    /// Go on with another state of the enclosing dispatch loop.
    Goto {
        /// The dispatch loop.
        label: Label,
        /// The state to run next.
        state: Node,
    },
}

/// The structured form of `graph`, no more than [`NESTING_MAX`] blocks deep.
///
/// Every node that the entry reaches and that is not silent is visited once in the text.
pub fn structure(graph: &Graph) -> Block {
    let steps = graph::steps(graph);
    let text = emit::emit(&steps, &region::Region::structured(&steps));
    if text.depth() <= NESTING_MAX {
        return text.into_block(&steps);
    }
    emit::emit(&steps, &region::Region::flat(&steps)).into_block(&steps)
}
