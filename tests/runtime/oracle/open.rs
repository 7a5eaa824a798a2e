//! Lists questions on which the contract is silent; programs that depend on them aren't compared.
//!
//! A question that is settled is removed, including the lines that look for it.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Open {
    /// The contract is silent: threads of nested teams with the same number ask for a CPU or a lock
    /// at the same time.
    Numbers,
    /// The contract is silent: threads of a process send or receive messages with the same tag at
    /// the same time.
    Tags,
    /// The contract is silent: a unit computes for no time. Units that arrive or end at the same
    /// time decide whether there are more units than CPUs, and so whether it queues.
    Nothing,
}
