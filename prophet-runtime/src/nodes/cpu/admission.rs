//! Admits units that keep their CPUs until they end. Each of them starts when a CPU is free.

use std::cell::RefCell;
use std::collections::VecDeque;

use prophet_machine::system::System;

use crate::kernel::Kernel;

/// The units that have the CPUs of each node, and those that are waiting to start.
///
/// Units that request a CPU at the same instant queue by (pid, tid), once nothing else can run.
#[derive(Debug)]
pub(super) struct Admission {
    nodes: Vec<RefCell<Node>>,
    /// Units that have requested a CPU since the last admission.
    asking: RefCell<Vec<u32>>,
    /// Nodes where units are waiting and others have left CPUs since the last admission.
    left: RefCell<Vec<u32>>,
}

#[derive(Debug)]
struct Node {
    free: u32,
    holders: Vec<u32>,
    /// Units that are waiting to start, in order, with the time at which they began to wait, in
    /// seconds.
    waiting: VecDeque<(u32, f64)>,
    /// Units that have left since the last admission, while others were waiting.
    leavers: VecDeque<u32>,
}

#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) unit: u32,
    /// When the unit began to wait, in seconds.
    pub(super) since_s: f64,
    /// The unit that left its CPU to this one, if this one had to wait.
    pub(super) leaver: Option<u32>,
}

impl Node {
    /// Queues a unit that requests a CPU at this instant, when others may already have done so.
    fn enqueue(&mut self, kernel: &Kernel<'_>, unit: u32) {
        let now_s = kernel.now_s();
        let key = |unit: u32, since_s: f64| (since_s, kernel.pid_and_tid(unit));
        let behind = |other: &(u32, f64)| key(other.0, other.1) <= key(unit, now_s);
        let place = self.waiting.partition_point(behind);
        self.waiting.insert(place, (unit, now_s));
    }

    fn admit(&mut self) -> Option<Admitted> {
        self.free = self.free.checked_sub(1)?;
        let Some((unit, since_s)) = self.waiting.pop_front() else {
            self.free += 1;
            return None;
        };
        self.holders.push(unit);
        Some(Admitted {
            unit,
            since_s,
            leaver: self.leavers.pop_front(),
        })
    }
}

impl Admission {
    pub(super) fn new(system: &System) -> Self {
        let node = || Node {
            free: system.cpus_per_node,
            holders: Vec::new(),
            waiting: VecDeque::new(),
            leavers: VecDeque::new(),
        };
        Self {
            nodes: (0..system.nodes).map(|_| node().into()).collect(),
            asking: RefCell::default(),
            left: RefCell::default(),
        }
    }

    /// Requests a CPU for a unit that wants to start.
    pub(super) fn ask(&self, unit: u32) {
        self.asking.borrow_mut().push(unit);
    }

    /// Returns `true` if some units might be able to start.
    pub(super) fn is_busy(&self) -> bool {
        !self.asking.borrow().is_empty() || !self.left.borrow().is_empty()
    }

    /// Lets units start, by (pid, tid), as long as there are free CPUs. Returns these units.
    pub(super) fn admit(&self, kernel: &Kernel<'_>) -> Vec<Admitted> {
        let mut nids = self.left.take();
        for unit in self.asking.take() {
            let nid = kernel.nid(unit);
            if let Some(node) = self.nodes.get(nid as usize) {
                node.borrow_mut().enqueue(kernel, unit);
                nids.push(nid);
            }
        }
        nids.sort_unstable();
        nids.dedup();
        let mut admitted = Vec::new();
        for nid in nids {
            let mut node = self.nodes[nid as usize].borrow_mut();
            admitted.extend(std::iter::from_fn(|| node.admit()));
            node.leavers.clear();
        }
        admitted.sort_by_key(|admitted| kernel.pid_and_tid(admitted.unit));
        admitted
    }

    /// Releases the CPU of a unit that has ended, or withdraws its request.
    pub(super) fn leave(&self, nid: u32, unit: u32) {
        let Some(node) = self.nodes.get(nid as usize) else {
            return;
        };
        let mut node = node.borrow_mut();
        let Some(place) = node.holders.iter().position(|holder| *holder == unit) else {
            node.waiting.retain(|(other, _)| *other != unit);
            self.asking.borrow_mut().retain(|other| *other != unit);
            return;
        };
        node.holders.swap_remove(place);
        node.free += 1;
        if !node.waiting.is_empty() {
            node.leavers.push_back(unit);
            self.left.borrow_mut().push(nid);
        }
    }

    /// Returns the units that have the CPUs which a unit is waiting for before it can start, by
    /// number, or `None` if it isn't waiting.
    pub(super) fn holders_before(&self, nid: u32, unit: u32) -> Option<Vec<u32>> {
        let node = self.nodes.get(nid as usize)?.borrow();
        let waits = node.waiting.iter().any(|(other, _)| *other == unit);
        waits.then(|| {
            let mut holders = node.holders.clone();
            holders.sort_unstable();
            holders
        })
    }
}
