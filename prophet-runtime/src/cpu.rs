//! The CPUs of the nodes, first come first served.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;

use crate::engine::{World, add};
use crate::stopped::Stopped;
use crate::system::System;

/// The CPUs of all nodes.
///
/// At a node with no more units than CPUs nobody queues: those in use are counted, no more. At the
/// others, requests are answered at the end of the instant in which they are made, when all that
/// can ask has asked: those of one instant queue by (pid, tid), so that the order in which the
/// engine runs the units does not show. A node may become one of the others while it runs, as
/// teams of threads come and go; then what was given away at that instant is asked for again.
#[derive(Debug)]
pub(crate) struct Cpus {
    per_node: u32,
    nodes: Vec<Node>,
    /// CPUs that were taken at this instant without a queue.
    taken: RefCell<Taken>,
    /// Nodes that have something to give or are asked for something.
    busy: RefCell<Vec<u32>>,
}

/// The CPUs of one node.
#[derive(Debug)]
struct Node {
    /// Units that run on it.
    units: Cell<u32>,
    /// CPUs in use.
    used: Cell<u32>,
    /// Its latest entry in [`Taken`]; stale when that one is of another node, or not there.
    latest: Cell<u32>,
    crowd: OnceCell<Box<Crowd>>,
}

/// Who waits for a CPU of one node.
#[derive(Debug, Default)]
struct Crowd {
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
    unit: u32,
    generation: u32,
    asked_s: f64,
    cost_s: f64,
}

/// CPUs that were taken at one instant without a queue.
#[derive(Debug)]
struct Taken {
    at_s: f64,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    nid: u32,
    /// What [`Node::latest`] was before.
    previous: u32,
    unit: u32,
    generation: u32,
    cost_s: f64,
}

impl Cpus {
    pub(crate) fn new(system: &System) -> Self {
        let node = || Node {
            units: Cell::new(0),
            used: Cell::new(0),
            latest: Cell::new(u32::MAX),
            crowd: OnceCell::new(),
        };
        let nodes: Vec<Node> = (0..system.nodes).map(|_| node()).collect();
        for nid in &system.mapping {
            let units = &nodes[*nid as usize].units;
            units.set(units.get() + 1);
        }
        Self {
            per_node: system.cpus_per_node,
            nodes,
            taken: RefCell::new(Taken {
                at_s: f64::NAN,
                entries: Vec::new(),
            }),
            busy: RefCell::default(),
        }
    }

    /// Notes that `count` more units run on a node from now on.
    pub(crate) fn add_units(&self, world: &World<'_>, nid: u32, count: u32) {
        let Some(node) = self.node(nid) else { return };
        let was_contended = self.is_contended(node);
        node.units.set(node.units.get() + count);
        if !was_contended && self.is_contended(node) {
            self.take_back(world, nid, node);
        }
    }

    /// Notes that `count` units of a node have ended; they use no CPU and ask for none.
    pub(crate) fn remove_units(&self, nid: u32, count: u32) {
        if let Some(node) = self.node(nid) {
            node.units.set(node.units.get().saturating_sub(count));
        }
    }

    /// Whether units of a node may have to wait for a CPU.
    #[inline]
    pub(crate) fn contended(&self, nid: u32) -> bool {
        self.node(nid).is_some_and(|node| self.is_contended(node))
    }

    /// Asks for a CPU for `cost_s` seconds: the wait of the unit ends when it has held it so long.
    #[inline]
    pub(crate) fn ask(
        &self,
        world: &World<'_>,
        nid: u32,
        (unit, generation): (u32, u32),
        cost_s: f64,
    ) -> Result<(), Stopped> {
        let now_s = world.now_s();
        if let Some(node) = self.node(nid) {
            if self.is_contended(node) {
                let request = Request {
                    unit,
                    generation,
                    asked_s: now_s,
                    cost_s,
                };
                self.enqueue(nid, node, request);
                return Ok(());
            }
            node.used.set(node.used.get() + 1);
            // One that ends at once is no longer there to be taken back.
            if now_s + cost_s > now_s {
                let entry = Entry {
                    nid,
                    previous: node.latest.get(),
                    unit,
                    generation,
                    cost_s,
                };
                node.latest.set(self.taken.borrow_mut().push(now_s, entry));
            }
        }
        world.resume_at(unit, now_s + cost_s)
    }

    /// Gives a CPU back.
    #[inline]
    pub(crate) fn release(&self, nid: u32) {
        if let Some(node) = self.node(nid) {
            node.used.set(node.used.get().saturating_sub(1));
            if let Some(crowd) = node.crowd.get() {
                self.list(nid, crowd);
            }
        }
    }

    /// Takes a wait out that is dropped: from the queue, or from the CPU that it was given.
    pub(crate) fn withdraw(&self, nid: u32, unit: u32, generation: u32) {
        let Some(node) = self.node(nid) else { return };
        let queued = node.crowd.get().is_some_and(|crowd| {
            let (mut asking, mut queue) = (crowd.asking.borrow_mut(), crowd.queue.borrow_mut());
            let before = asking.len() + queue.len();
            let other =
                |request: &Request| (request.unit, request.generation) != (unit, generation);
            asking.retain(other);
            queue.retain(other);
            asking.len() + queue.len() < before
        });
        if !queued {
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
            self.dispatch_node(world, nid);
        }
    }

    fn dispatch_node(&self, world: &World<'_>, nid: u32) {
        let Some((node, crowd)) = self
            .node(nid)
            .and_then(|node| Some((node, node.crowd.get()?)))
        else {
            return;
        };
        crowd.listed.set(false);
        let mut asking = crowd.asking.borrow_mut();
        // Threads of nested teams may have the same numbers: then first come, first served.
        asking.sort_by_key(|request| world.pid_and_tid(request.unit));
        let mut queue = crowd.queue.borrow_mut();
        queue.extend(asking.drain(..));
        while node.used.get() < self.per_node
            && let Some(request) = queue.pop_front()
        {
            node.used.set(node.used.get() + 1);
            let now_s = world.now_s();
            add(&world.unit(request.unit).wait_s, now_s - request.asked_s);
            // A time that is not finite is recorded, and the run ends.
            let _ = world.resume_at(request.unit, now_s + request.cost_s);
        }
    }

    /// Has the CPUs asked for again that were taken at this instant without a queue, so that
    /// those who come to ask queue with those who have asked.
    fn take_back(&self, world: &World<'_>, nid: u32, node: &Node) {
        let taken = self.taken.borrow();
        let mut latest = node.latest.replace(u32::MAX);
        while let Some(entry) = taken.get(world.now_s(), latest)
            && entry.nid == nid
        {
            latest = entry.previous;
            if !world.waits(entry.unit, entry.generation) {
                continue;
            }
            world.forget_timer(entry.unit);
            node.used.set(node.used.get().saturating_sub(1));
            let request = Request {
                unit: entry.unit,
                generation: entry.generation,
                asked_s: taken.at_s,
                cost_s: entry.cost_s,
            };
            self.enqueue(nid, node, request);
        }
    }

    fn enqueue(&self, nid: u32, node: &Node, request: Request) {
        let crowd = node.crowd.get_or_init(Box::default);
        crowd.asking.borrow_mut().push(request);
        self.list(nid, crowd);
    }

    #[inline]
    fn is_contended(&self, node: &Node) -> bool {
        node.units.get() > self.per_node
    }

    #[inline]
    fn node(&self, nid: u32) -> Option<&Node> {
        self.nodes.get(nid as usize)
    }

    fn list(&self, nid: u32, crowd: &Crowd) {
        if !crowd.listed.replace(true) {
            self.busy.borrow_mut().push(nid);
        }
    }
}

impl Taken {
    /// Adds an entry of the instant `now_s`, after forgetting those of another one, and returns
    /// its place.
    #[inline]
    fn push(&mut self, now_s: f64, entry: Entry) -> u32 {
        if self.at_s.to_bits() != now_s.to_bits() {
            self.at_s = now_s;
            self.entries.clear();
        }
        self.entries.push(entry);
        // There are fewer than 2^27 units, each with one entry an instant.
        u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX)
    }

    fn get(&self, now_s: f64, place: u32) -> Option<&Entry> {
        let entry = self.entries.get(place as usize)?;
        (self.at_s.to_bits() == now_s.to_bits()).then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes with two CPUs each; units 0 and 1 are processes of node 0, the others come to it
    /// as threads.
    fn system() -> System {
        let mut system = System::new(2, 2, 4, 1);
        system.mapping = vec![0, 0, 1, 1];
        system
    }

    fn ask(world: &World<'_>, unit: u32, cost_s: f64) {
        let generation = world.register(unit).unwrap();
        world
            .cpus
            .ask(world, 0, (unit, generation), cost_s)
            .unwrap();
    }

    /// Ends the wait of the next unit that is due and gives its CPU to the next.
    fn end_next(world: &World<'_>) -> u32 {
        let unit = world.take_due(|_| ()).expect("somebody computes");
        assert!(world.granted(unit, world.unit(unit).generation.get()));
        world.cpus.release(0);
        world.cpus.dispatch(world);
        unit
    }

    fn computing(world: &World<'_>) -> Vec<u32> {
        (0..4).filter(|unit| world.has_timer(*unit)).collect()
    }

    fn begun(world: &World<'_>) {
        while world.take_ready().is_some() {}
        world.take_busy();
    }

    #[test]
    fn who_comes_with_a_team_queues_with_those_that_ask_at_that_instant() {
        let system = system();
        let world = World::new(&system, Vec::new(), 0);
        begun(&world);
        ask(&world, 2, 1.0);
        ask(&world, 1, 2.0);
        assert_eq!(computing(&world), [1, 2]);
        world.cpus.add_units(&world, 0, 1);
        ask(&world, 0, 3.0);
        assert_eq!(computing(&world), [] as [u32; 0]);
        world.cpus.dispatch(&world);
        assert_eq!(computing(&world), [0, 1]);

        assert_eq!(end_next(&world), 1);
        assert_eq!(computing(&world), [0, 2]);
        assert_eq!(world.unit(2).wait_s.get().to_bits(), 2.0_f64.to_bits());
    }

    #[test]
    fn who_computes_already_goes_on_when_a_team_comes_and_none_queues_when_it_has_gone() {
        let system = system();
        let world = World::new(&system, Vec::new(), 0);
        begun(&world);
        ask(&world, 0, 1.0);
        ask(&world, 1, 2.0);
        assert_eq!(end_next(&world), 0);
        world.cpus.add_units(&world, 0, 2);
        assert!(world.cpus.contended(0));
        ask(&world, 3, 5.0);
        ask(&world, 2, 5.0);
        world.cpus.dispatch(&world);
        assert_eq!(computing(&world), [1, 2]);

        assert_eq!(end_next(&world), 1);
        assert_eq!((end_next(&world), end_next(&world)), (2, 3));
        world.cpus.remove_units(0, 2);
        assert!(!world.cpus.contended(0));
        ask(&world, 0, 1.0);
        ask(&world, 1, 1.0);
        assert_eq!(computing(&world), [0, 1]);
    }
}
