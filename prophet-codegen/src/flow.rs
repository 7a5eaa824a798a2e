//! Control flow: from a graph of nodes and guarded edges to structured statements.
//!
//! The algorithm is Ramsey's ("Beyond Relooper", ICFP 2022): walk the dominator tree, a labeled
//! block for each node that several forward edges reach, a loop for each that a back edge reaches.
//! Each node is emitted once. An irreducible graph becomes one dispatch loop.

/// Index of a node in [`Graph::nodes`].
pub type Node = usize;

/// A label of a loop or block; unique in one structured graph, numbered from 0 in order of text.
pub type Label = usize;

/// A control flow graph. Nodes that `entry` does not reach are left out of the structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Where the flow starts.
    pub entry: Node,
    /// How each node goes on.
    pub nodes: Vec<Exit>,
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
    /// Do what the node does (a decision does nothing here: its [`Statement::Branch`] follows).
    Visit(Node),
    /// `if arm 0 { … } else if arm 1 { … } else { … }` on the guards of a node.
    ///
    /// An arm that is empty falls through. Where `otherwise` is `None` the node has no `else`:
    /// when no guard holds the flow is stuck.
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
    /// `while guard { … }`: a loop whose first act is to ask a decision with one guard and an
    /// `else` that leaves.
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
    /// `return`: the diagram ends here, though text follows.
    Return,
    /// A labeled state loop for an irreducible graph: run the state, go to the next one it names.
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

/// The structured form of `graph`.
pub fn structure(_graph: &Graph) -> Block {
    unimplemented!("the structurer's session writes this")
}

/// Whether a structured graph ends before the last of its text.
pub fn returns(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Return => true,
        Statement::Branch {
            arms, otherwise, ..
        } => arms.iter().chain(otherwise).any(|block| returns(block)),
        Statement::Loop { body, .. }
        | Statement::While { body, .. }
        | Statement::Labeled { body, .. } => returns(body),
        Statement::Dispatch { states, .. } => states.iter().any(|(_, block)| returns(block)),
        _ => false,
    })
}
