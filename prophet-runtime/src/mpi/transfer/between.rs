//! Finds out before a run whether all messages use the same network: the one between nodes, or the
//! one within nodes.

use prophet_machine::system::System;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    /// Both within and between nodes, there is only one network.
    OneNetwork,
    NodesOfTheirOwn,
    Mapped,
}

impl Between {
    pub(crate) fn of(system: &System) -> Self {
        if system.network == system.intranode {
            return Self::OneNetwork;
        }
        if system.has_one_process_a_node() {
            return Self::NodesOfTheirOwn;
        }
        let mut nodes = system.mapping.clone();
        nodes.sort_unstable();
        if nodes.is_sorted_by(|a, b| a < b) {
            Self::NodesOfTheirOwn
        } else {
            Self::Mapped
        }
    }
}
