//! Network interfaces used by several units, as data.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::Ending;
use crate::machine::network::{Network, NicClocks};
use crate::machine::protocol::Nic;
use crate::machine::system::System;
use crate::messages::letter::Arrived;
use crate::messages::message::Outgoing;
use crate::messages::requests::Origin;
use crate::messages::transfer::Transfer;

/// Network interfaces used by several units, and the work that waits for them.
#[derive(Debug)]
pub(crate) struct Nics {
    /// Clocks by node and interface, if the ranks of a node share interfaces.
    pub(super) nodes: Vec<Cell<NicClocks>>,
    /// Number of interfaces of a node.
    pub(super) per_node: u32,
    /// True if several units may use one; otherwise nothing waits.
    pub(super) shared: Cell<bool>,
    pub(super) works: RefCell<BTreeMap<u64, Work>>,
    count: Cell<u64>,
    /// Number of sends of each rank that wait for their receives, for ranks with such sends.
    pub(super) held_back: RefCell<BTreeMap<u32, u32>>,
}

impl Nics {
    /// Creates the interfaces of a system.
    pub(crate) fn of(system: &System) -> Self {
        let by_node = system.protocol.nic == Nic::Node;
        let by_node = by_node && matches!(system.network, Network::LogGp { .. });
        let per_node = system.protocol.nics.max(1);
        let nodes = if by_node { system.nodes as usize } else { 0 };
        let nodes = nodes * per_node as usize;
        Self {
            per_node,
            nodes: vec![Cell::default(); nodes],
            shared: Cell::new(by_node),
            works: RefCell::default(),
            count: Cell::new(0),
            held_back: RefCell::default(),
        }
    }

    /// True if several units may use one.
    #[inline]
    pub(crate) fn are_shared(&self) -> bool {
        self.shared.get()
    }

    /// True if the ranks of a node share one.
    pub(crate) fn is_by_node(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Number for new work.
    pub(super) fn number(&self) -> u64 {
        self.count.replace(self.count.get() + 1)
    }
}

/// Work of a network interface.
#[derive(Debug)]
pub(crate) enum Work {
    Send {
        from: u32,
        message: Outgoing,
        unit: u32,
        generation: u32,
        /// Origin of the request, if it is one.
        origin: Option<Origin>,
    },
    Receive {
        ending: Ending,
        letter: Arrived,
        generation: u32,
        /// Wait that the work belongs to, if the wait is for requests.
        wait: Option<u32>,
    },
    Transfer(Transfer),
}
