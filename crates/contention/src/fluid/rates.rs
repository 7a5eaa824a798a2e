//! Stores the rates of flows. After a change, recomputes only the rates that it affects.
//!
//! Rates are max-min fair if and only if each flow has a bottleneck: a full link where no other
//! flow has a higher rate in proportion to its weight. It is therefore enough to restore this
//! property near the change. Flows with a bottleneck at an affected link are free. All other flows
//! are settled: they keep their rates while [`fill`] distributes the remaining bandwidth. If a
//! settled flow has lost its bottleneck after that, or has a rate above the level of a link that is
//! now full, its bottleneck becomes affected too. Filling is repeated with more free flows until
//! all flows have a bottleneck.

use super::filling::{FillingOrder, fill};
use super::graph::{Graph, State};
use crate::Load;
use crate::capacity::{SAME, checked};
use crate::noted::Noted;

/// The rates of all flows, and what has changed since they were computed.
#[derive(Debug, Default)]
pub(super) struct Rates {
    pub(super) graph: Graph,
    /// Links where flows have started, ended, or lost their bottleneck.
    affected: Vec<u32>,
    free: Vec<u32>,
    /// All affected links, and all links that the free flows cross.
    open: Vec<u32>,
    queue: FillingOrder,
    noted: Noted,
}

impl Rates {
    pub(super) fn join(&mut self, slot: u32) {
        self.note_route(slot);
        self.graph.join(slot, &mut self.affected);
        self.graph.flows[slot as usize].state = State::Free;
        self.free.push(slot);
    }

    pub(super) fn leave(&mut self, slot: u32) {
        self.note_route(slot);
        self.graph.leave(slot, &mut self.affected);
    }

    pub(super) fn set_capacity(&mut self, number: u32, bytes_per_s: f64) {
        let link = &mut self.graph.links[number as usize];
        link.capacity.bytes_per_s = checked(bytes_per_s);
        link.affect(number, &mut self.affected);
    }

    fn note_route(&mut self, slot: u32) {
        let hops = self.graph.flows[slot as usize].hops();
        let hops = self.graph.hops[hops].iter();
        self.noted.extend(hops.map(|hop| hop.link));
    }

    /// Adds the loads of the links that have changed since the last call.
    pub(super) fn take_loads(&mut self, loads: &mut Vec<Load>) {
        for number in self.noted.take() {
            let link = &self.graph.links[number as usize];
            loads.push(Load {
                link: number,
                flows: link.crossings.len(),
                bytes_per_s: self.graph.load(number),
                capacity_bytes_per_s: link.capacity.bytes_per_s,
            });
        }
    }

    pub(super) fn are_settled(&self) -> bool {
        self.affected.is_empty() && self.free.is_empty()
    }

    /// Recomputes the rates. Calls `change` for each flow with a new rate, with its slot, its old
    /// rate and its new rate.
    pub(super) fn settle(&mut self, mut change: impl FnMut(u32, f64, f64)) {
        self.settle_alone(&mut change);
        if self.are_settled() {
            return;
        }
        let mut reached = 0;
        loop {
            self.reopen(reached);
            reached = self.affected.len();
            fill(&mut self.graph, &self.open, &self.free, &mut self.queue);
            self.reach_further();
            if reached == self.affected.len() {
                break;
            }
        }
        for slot in self.free.drain(..) {
            let flow = &mut self.graph.flows[slot as usize];
            flow.state = State::Settled;
            if flow.changes() {
                change(slot, flow.rate, flow.next_rate);
                flow.settle(flow.next_rate);
            }
        }
        self.noted.extend(self.open.iter().copied());
        for link in self.open.drain(..) {
            self.graph.links[link as usize].is_open = false;
        }
        for link in self.affected.drain(..) {
            self.graph.links[link as usize].is_affected = false;
        }
    }

    /// Settles new flows that don't share links, which is common in networks with many links.
    fn settle_alone(&mut self, mut change: impl FnMut(u32, f64, f64)) {
        let graph = &mut self.graph;
        self.free.retain(|&slot| {
            let Some((link, rate)) = graph.alone(slot) else {
                return true;
            };
            let flow = &mut graph.flows[slot as usize];
            flow.bottleneck = link;
            flow.settle(rate);
            change(slot, 0.0, rate);
            false
        });
    }

    /// Frees the flows with a bottleneck in `affected[reached..]`, and opens all links that matter
    /// for them.
    fn reopen(&mut self, reached: usize) {
        let graph = &mut self.graph;
        for &slot in &self.free {
            graph.flows[slot as usize].state = State::Free;
        }
        let known = if reached == 0 { 0 } else { self.free.len() };
        for &number in &self.affected[reached..] {
            let link = &mut graph.links[number as usize];
            link.open(number, &mut self.open);
            for crossing in &link.crossings {
                let flow = &mut graph.flows[crossing.flow as usize];
                if flow.state == State::Settled && flow.is_stopped_by(number, link.capacity) {
                    flow.state = State::Free;
                    self.free.push(crossing.flow);
                }
            }
        }
        for &slot in &self.free[known..] {
            for hop in &graph.hops[graph.flows[slot as usize].hops()] {
                let link = &mut graph.links[hop.link as usize];
                link.open(hop.link, &mut self.open);
            }
        }
    }

    /// Marks the bottlenecks of settled flows as affected if they have changed.
    fn reach_further(&mut self) {
        for &number in &self.open {
            let link = &mut self.graph.links[number as usize];
            if link.has_changed && link.settled.has_bottleneck {
                link.affect(number, &mut self.affected);
            }
            // The rates that flows keep can also be off by this much.
            let limit = link.level * (1.0 + 4.0 * SAME);
            let limit = if link.settled.exceeds { 0.0 } else { limit };
            if link.settled.level <= limit {
                continue;
            }
            // The loop marks links, but doesn't change their crossings.
            let crossings = std::mem::take(&mut link.crossings);
            for crossing in &crossings {
                let flow = &self.graph.flows[crossing.flow as usize];
                if flow.state == State::Settled && flow.level > limit {
                    let bottleneck = &mut self.graph.links[flow.bottleneck as usize];
                    bottleneck.affect(flow.bottleneck, &mut self.affected);
                }
            }
            self.graph.links[number as usize].crossings = crossings;
        }
    }
}
