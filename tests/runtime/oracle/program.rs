//! Represents programs as data: what each process does, in order.

/// The operations of each process, by pid.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Program(pub(crate) Vec<Vec<Op>>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// Needs a CPU for this time, in seconds.
    Compute(f64),
    Send(Send),
    Receive(Receive),
    /// A send and a receive at the same time, with the same price. The number is the process to
    /// receive from.
    Exchange(Send, usize),
    /// A wait for the operations that the process has started under this name, or for all of them.
    Wait(Option<usize>),
    /// A region with a team of its own, which executes the phases.
    Team(usize, Vec<Phase>),
    /// A loop with a team of its own.
    Loop(usize, Loop),
    /// Sections with a team of their own.
    Sections(usize, Vec<Vec<Op>>),
    /// Branches with a thread each.
    Fork(Vec<Vec<Op>>),
    /// A critical section, by the number of its lock.
    Critical(usize, Vec<Op>),
    /// An atomic update, by the number of its element, with its cost.
    Atomic(usize, f64),
}

/// A phase of a team. All of its threads take part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// What each thread does on its own, by tid.
    Each(Vec<Vec<Op>>),
    Loop(Loop),
    Sections(Vec<Vec<Op>>),
    Single(Vec<Op>),
    Master(Vec<Op>),
    /// A barrier, after which each thread pays this cost.
    Barrier(Option<f64>),
}

/// Iterations that threads share.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loop {
    pub(crate) schedule: Schedule,
    pub(crate) chunk: Option<usize>,
    pub(crate) iterations: Vec<Vec<Op>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schedule {
    Static,
    Dynamic,
    Guided,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Send {
    pub(crate) dest: usize,
    pub(crate) tag: usize,
    pub(crate) bytes: u32,
    pub(crate) cost_s: Option<f64>,
    pub(crate) mode: Mode,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Receive {
    /// A pid, or `None` for any sender.
    pub(crate) source: Option<usize>,
    pub(crate) tag: usize,
    pub(crate) cost_s: Option<f64>,
    /// The maximum size of the message.
    pub(crate) bytes_max: Option<u32>,
    pub(crate) mode: Mode,
}

/// How an operation completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Blocking,
    /// The operation is only started, with or without a name.
    Begun(Option<usize>),
}
