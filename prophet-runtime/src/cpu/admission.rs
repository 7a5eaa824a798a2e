//! Units that start when there is a CPU for them, which they keep to their ends.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::system::System;

/// Who holds the CPUs of each node, and who waits to start.
#[derive(Debug)]
pub(super) struct Admission {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    free: Cell<u32>,
    /// Units that have a CPU.
    holders: RefCell<Vec<u32>>,
    /// With the times since when.
    waiting: RefCell<VecDeque<(u32, f64)>>,
}

impl Admission {
    /// All nodes, their CPUs free.
    pub(super) fn new(system: &System) -> Self {
        let node = || Node {
            free: Cell::new(system.cpus_per_node),
            holders: RefCell::default(),
            waiting: RefCell::default(),
        };
        Self {
            nodes: (0..system.nodes).map(|_| node()).collect(),
        }
    }

    /// Gives a CPU to a unit that is to start; without a free one it waits for it.
    pub(super) fn enter(&self, nid: u32, unit: u32, now_s: f64) -> bool {
        let Some(node) = self.nodes.get(nid as usize) else {
            return true;
        };
        let free = node.free.get();
        if free == 0 {
            node.waiting.borrow_mut().push_back((unit, now_s));
        } else {
            node.free.set(free - 1);
            node.holders.borrow_mut().push(unit);
        }
        free > 0
    }

    /// Takes the CPU of a unit that has ended; returns the one that starts with it, and since when
    /// it has waited.
    pub(super) fn leave(&self, nid: u32, unit: u32) -> Option<(u32, f64)> {
        let node = self.nodes.get(nid as usize)?;
        let mut holders = node.holders.borrow_mut();
        let Some(place) = holders.iter().position(|holder| *holder == unit) else {
            node.waiting
                .borrow_mut()
                .retain(|(other, _)| *other != unit);
            return None;
        };
        let next = node.waiting.borrow_mut().pop_front();
        if let Some((next, _)) = next {
            holders[place] = next;
        } else {
            holders.swap_remove(place);
            node.free.set(node.free.get() + 1);
        }
        next
    }

    /// Those that hold the CPUs for which a unit waits to start, by their numbers; none when it
    /// does not.
    pub(super) fn holders_before(&self, nid: u32, unit: u32) -> Option<Vec<u32>> {
        let node = self.nodes.get(nid as usize)?;
        if !node
            .waiting
            .borrow()
            .iter()
            .any(|(other, _)| *other == unit)
        {
            return None;
        }
        let mut holders = node.holders.borrow().clone();
        holders.sort_unstable();
        Some(holders)
    }
}
