//! What is not compared, and why: programs in which the contract is silent.
//!
//! Who settles one of these takes it away, with the lines that look for it.

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
