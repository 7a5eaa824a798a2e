//! Represents the operations in a schedule.

pub(crate) type GoalGraph = crate::graph::Graph<Operation>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) what: OperationKind,
    /// Size of a message in bytes, or duration of computing in nanoseconds.
    pub(crate) size: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OperationKind {
    Send(Partner),
    Receive(Partner),
    Calculate,
}

/// A message's partner and tag. A receive can leave either of them open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Partner {
    pub(crate) rank: Option<u32>,
    pub(crate) tag: Option<u32>,
}
