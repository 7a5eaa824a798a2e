//! The CPUs of the nodes, first come first served.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::engine::{World, add};
use crate::system::System;

/// The CPUs of all nodes.
///
/// A node with no more units than CPUs needs no queue and has none here. At the others, requests
/// are answered at the end of the instant in which they are made, when all that can ask has
/// asked: those of one instant queue by (pid, tid), so that the order in which the engine runs
/// the units does not show.
#[derive(Debug)]
pub(crate) struct Cpus {
    /// By node.
    nodes: Vec<Option<Box<Node>>>,
    /// Nodes that have something to give or are asked for something.
    busy: RefCell<Vec<u32>>,
}

/// The CPUs of one node.
#[derive(Debug)]
struct Node {
    free: Cell<u32>,
    /// Requests of this instant.
    asking: RefCell<Vec<Request>>,
    /// Older ones.
    queue: RefCell<VecDeque<Request>>,
    /// Whether the node is listed as busy.
    listed: Cell<bool>,
}

/// A unit's request for a CPU.
#[derive(Debug, Clone, Copy)]
struct Request {
    /// In the order of (pid, tid).
    unit: u32,
    generation: u32,
    asked_s: f64,
    cost_s: f64,
}

impl Cpus {
    pub(crate) fn new(system: &System) -> Self {
        let mut units = vec![0_u32; system.nodes as usize];
        for nid in &system.mapping {
            units[*nid as usize] += 1;
        }
        let node = |units: u32| {
            (units > system.cpus_per_node).then(|| {
                Box::new(Node {
                    free: Cell::new(system.cpus_per_node),
                    asking: RefCell::default(),
                    queue: RefCell::default(),
                    listed: Cell::new(false),
                })
            })
        };
        Self {
            nodes: units.into_iter().map(node).collect(),
            busy: RefCell::default(),
        }
    }

    /// Whether units of a node may have to wait for a CPU.
    #[inline]
    pub(crate) fn contended(&self, nid: u32) -> bool {
        self.node(nid).is_some()
    }

    /// Asks for a CPU for `cost_s` seconds: the wait of the unit ends when it has held it so long.
    pub(crate) fn ask(&self, world: &World<'_>, unit: u32, generation: u32, cost_s: f64) {
        let nid = world.nid(unit);
        if let Some(node) = self.node(nid) {
            let asked_s = world.now_s();
            node.asking.borrow_mut().push(Request {
                unit,
                generation,
                asked_s,
                cost_s,
            });
            self.list(nid, node);
        }
    }

    /// Gives a CPU back.
    pub(crate) fn release(&self, nid: u32) {
        if let Some(node) = self.node(nid) {
            node.free.set(node.free.get() + 1);
            self.list(nid, node);
        }
    }

    /// Takes a wait out that is dropped: from the queue, or from the CPU that it was given.
    pub(crate) fn withdraw(&self, nid: u32, unit: u32, generation: u32) {
        let Some(node) = self.node(nid) else { return };
        let other = |request: &Request| (request.unit, request.generation) != (unit, generation);
        let (mut asking, mut queue) = (node.asking.borrow_mut(), node.queue.borrow_mut());
        let before = asking.len() + queue.len();
        asking.retain(other);
        queue.retain(other);
        if asking.len() + queue.len() == before {
            self.release(nid);
        }
    }

    /// Whether there is something to dispatch.
    #[inline]
    pub(crate) fn is_busy(&self) -> bool {
        !self.busy.borrow().is_empty()
    }

    /// Gives free CPUs to those that ask, at the end of an instant's work.
    #[inline]
    pub(crate) fn dispatch(&self, world: &World<'_>) {
        while let Some(nid) = self.busy.borrow_mut().pop() {
            let Some(node) = self.node(nid) else { continue };
            node.listed.set(false);
            let mut asking = node.asking.borrow_mut();
            asking.sort_unstable_by_key(|request| request.unit);
            let mut queue = node.queue.borrow_mut();
            queue.extend(asking.drain(..));
            while node.free.get() > 0
                && let Some(request) = queue.pop_front()
            {
                node.free.set(node.free.get() - 1);
                let now_s = world.now_s();
                add(&world.unit(request.unit).wait_s, now_s - request.asked_s);
                // A time that is not finite is recorded, and the run ends.
                let _ = world.resume_at(request.unit, now_s + request.cost_s);
            }
        }
    }

    #[inline]
    fn node(&self, nid: u32) -> Option<&Node> {
        self.nodes.get(nid as usize)?.as_deref()
    }

    fn list(&self, nid: u32, node: &Node) {
        if !node.listed.replace(true) {
            self.busy.borrow_mut().push(nid);
        }
    }
}
