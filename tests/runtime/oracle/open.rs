//! Lists questions that the contract leaves open. Programs that depend on them aren't compared.
//!
//! Once a question is settled, it is removed, together with the lines that look for it.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Open {
    /// Threads of nested teams with the same number request a CPU or a lock at the same time.
    Numbers,
    /// Threads of a process send or receive messages with the same tag at the same time.
    Tags,
    /// A unit computes for no time. Units that come or end at the same time decide whether there
    /// are more units than CPUs, and so whether it queues.
    Nothing,
}
