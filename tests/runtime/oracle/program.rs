//! Represents programs as data: what each process does, in order.

/// Operations of the processes, by pid.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Program(pub(crate) Vec<Vec<Op>>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// Occupies a CPU for this time, in seconds.
    Compute(f64),
    Send(Send),
    Receive(Receive),
    /// A send and a receive at the same time, with one price, and one size for each half.
    Exchange(Send, usize),
    /// A wait for the operations that the process has started under a name, or for all of them.
    Wait(Option<usize>),
    /// A region with its own team, which executes the phases.
    Team(usize, Vec<Phase>),
    /// A loop with its own team.
    Loop(usize, Loop),
    /// Sections with their own team.
    Sections(usize, Vec<Vec<Op>>),
    /// Branches, with a thread for each.
    Fork(Vec<Vec<Op>>),
    /// By the number of the lock.
    Critical(usize, Vec<Op>),
    /// By the number of the element, with its cost.
    Atomic(usize, f64),
}

/// A phase of a team, in which all of its threads take part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// Operations of each thread on its own, by tid.
    Each(Vec<Vec<Op>>),
    Loop(Loop),
    Sections(Vec<Vec<Op>>),
    Single(Vec<Op>),
    Master(Vec<Op>),
    /// A barrier, after which each thread pays the cost.
    Barrier(Option<f64>),
}

/// Iterations shared by threads.
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
    /// A pid; `None` for any sender.
    pub(crate) source: Option<usize>,
    pub(crate) tag: usize,
    pub(crate) cost_s: Option<f64>,
    /// Maximum size of the message.
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
