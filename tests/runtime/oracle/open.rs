//! Programs that are not compared, since the contract is silent about them.
//!
//! A question that is settled is removed, with the lines that look for it.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Open {
    /// The contract is silent: threads of nested teams with the same number ask for a CPU or a lock
    /// at one time.
    Numbers,
    /// The contract is silent: threads of a process send or receive messages with one tag at one
    /// time.
    Tags,
    /// The contract is silent: somebody computes for no time when units that come or have ended
    /// decide whether there are more of them than CPUs, and so whether it queues.
    Nothing,
}
