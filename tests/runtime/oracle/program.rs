//! Programs as data: what each process does, in order.

/// Operations of the processes, by pid.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Program(pub(crate) Vec<Vec<Op>>);

/// Something that a unit does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// Holds a CPU for this time, in seconds.
    Compute(f64),
    Send(Send),
    Receive(Receive),
    /// A send and a receive at the same time, with one price and one size for each half.
    Exchange(Send, usize),
    /// A wait for the operations that the process has begun under a name, or for all.
    Wait(Option<usize>),
    /// A region with a team of its own, which goes through the phases.
    Team(usize, Vec<Phase>),
    /// A loop with a team of its own.
    Loop(usize, Loop),
    /// Sections with a team of their own.
    Sections(usize, Vec<Vec<Op>>),
    /// Branches, each a thread.
    Fork(Vec<Vec<Op>>),
    /// By the number of the lock.
    Critical(usize, Vec<Op>),
    /// By the number of the element, and what it costs.
    Atomic(usize, f64),
}

/// Phase of a team, to which all of its threads come.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phase {
    /// Operations of each thread for itself, by tid.
    Each(Vec<Vec<Op>>),
    Loop(Loop),
    Sections(Vec<Vec<Op>>),
    Single(Vec<Op>),
    Master(Vec<Op>),
    /// A barrier, behind which each pays the cost.
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
    /// A pid, or whoever sends.
    pub(crate) source: Option<usize>,
    pub(crate) tag: usize,
    pub(crate) cost_s: Option<f64>,
    /// The most that it takes.
    pub(crate) bytes_max: Option<u32>,
    pub(crate) mode: Mode,
}

/// Way in which an operation completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Blocking,
    /// The operation is only begun, under a name or none.
    Begun(Option<usize>),
}
