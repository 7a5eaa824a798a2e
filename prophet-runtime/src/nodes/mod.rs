//! The nodes at work: CPUs and sockets, which units share.

pub(crate) mod cpu;
pub(crate) mod sharing;
pub(crate) mod sockets;
