//! Stores network interfaces that several units use.

use std::cell::{Cell, RefCell};

use prophet_machine::network::{Network, NicClocks};
use prophet_machine::protocol::Nic;
use prophet_machine::system::System;
use prophet_map::Map;

use super::Ending;
use crate::messages::letter::Arrived;
use crate::messages::letter::Transfer;
use crate::messages::message::Outgoing;
use crate::messages::requests::Origin;

/// Network interfaces that several units use, and the work that is waiting for them.
#[derive(Debug)]
pub(crate) struct Nics {
    /// The clocks of each node's interfaces, if the ranks of a node share interfaces.
    pub(super) nodes: Vec<Cell<NicClocks>>,
    pub(super) per_node: u32,
    /// The interface that is nearest to each rank. Empty unless ranks use the nearest one.
    pub(super) nearest: Vec<u32>,
    /// Whether several units may use the same interface. If not, work never has to wait.
    pub(super) shared: Cell<bool>,
    pub(super) works: RefCell<Map<u64, Work>>,
    count: Cell<u64>,
    /// Number of each rank's sends that are waiting for their receives. Ranks without any are
    /// missing.
    pub(super) held_back: RefCell<Map<u32, u32>>,
}

impl Nics {
    pub(crate) fn of(system: &System) -> Self {
        let by_node = system.protocol.nic != Nic::Rank;
        let by_node = by_node && matches!(system.network, Network::LogGp { .. });
        let per_node = system.protocol.nics.max(1);
        let nodes = if by_node { system.nodes as usize } else { 0 };
        let nodes = nodes * per_node as usize;
        let has_nearest = by_node && system.protocol.nic == Nic::Affinity;
        Self {
            per_node,
            nearest: if has_nearest {
                nearest(system, per_node)
            } else {
                Vec::new()
            },
            nodes: vec![Cell::default(); nodes],
            shared: Cell::new(by_node),
            works: RefCell::default(),
            count: Cell::new(0),
            held_back: RefCell::default(),
        }
    }

    #[inline]
    pub(crate) fn are_shared(&self) -> bool {
        self.shared.get()
    }

    /// Returns `true` if the ranks of a node share interfaces.
    pub(crate) fn is_by_node(&self) -> bool {
        !self.nodes.is_empty()
    }

    pub(super) fn number(&self) -> u64 {
        self.count.replace(self.count.get() + 1)
    }
}

/// Returns each rank's interface, as one of the `nics` interfaces of its node. The ranks of a node,
/// or their accelerators if there are any, are spread over its interfaces in order.
fn nearest(system: &System, nics: u32) -> Vec<u32> {
    let (places, processes) = system.places();
    let nearest = |(place, nid): (u32, &u32)| {
        let devices: u32 = system.accelerators_of(*nid).map(|(_, it)| it.count).sum();
        let (number, count) = match place.checked_rem(devices) {
            Some(device) => (device, devices),
            None => (place, processes[*nid as usize]),
        };
        let nic = u64::from(number) * u64::from(nics) / u64::from(count);
        u32::try_from(nic).unwrap_or(0)
    };
    places
        .into_iter()
        .zip(&system.mapping)
        .map(nearest)
        .collect()
}

#[derive(Debug)]
pub(crate) enum Work {
    Send {
        from: u32,
        message: Outgoing,
        unit: u32,
        generation: u32,
        origin: Option<Origin>,
    },
    Receive {
        ending: Ending,
        letter: Arrived,
        generation: u32,
        /// The wait that the work is for, if it is a wait for requests.
        wait: Option<u32>,
    },
    Transfer(Transfer),
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use prophet_machine::accelerator::{Accelerator, DeviceLink};
    use prophet_machine::system::System;

    #[test]
    fn ranks_or_their_accelerators_are_spread_over_interfaces() {
        let mut system = System::new(2, 8, 12, 1);
        system.mapping = [vec![0; 8], vec![1; 4]].concat();
        assert_eq!(nearest(&system, 2), [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1]);
        let link = DeviceLink {
            latency_s: 0.0,
            bandwidth: 1.0,
        };
        let gpus = Accelerator {
            count: 4,
            ..Accelerator::new("gpu", 1.0, link)
        };
        system.accelerators = [gpus].into();
        assert_eq!(nearest(&system, 2), [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    }
}
