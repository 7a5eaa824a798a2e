//! Models flows as fluids with rates that are always max-min fair.

mod filling;
mod graph;
mod rates;

use crate::heap::Heap;
use crate::slots::{Slots, put};
use crate::{Capacity, Contention, FlowId, Load};
use graph::Link;
use rates::Rates;

/// Fraction of its duration by which a flow can end early, in order to end together with another
/// flow.
const SAME_DURATION: f64 = 1e-12;
/// Fraction of the current time by which ends can also differ: the last few bits of the clock.
const SAME_TIME: f64 = 8.0 * f64::EPSILON;

/// A network where flows share links like fluids share pipes.
///
/// A flow first waits for its latency without using bandwidth, and then moves data until all its
/// bytes have passed. A flow without bytes or links ends after the latency. Rates are always
/// weighted max-min fair: in proportion to the weights, no rate can grow unless a smaller or equal
/// rate falls. If several flows start or end at the same time, rates change only once.
///
/// A FATPIPE link limits each flow separately. If flows with different weights cross a FATPIPE that
/// is narrower than their other links, the rates of all of them stop growing when the first flow
/// reaches the FATPIPE's capacity, as in `SimGrid`.
///
/// # Precision
///
/// Ends that differ only by rounding coincide: a flow ends together with an earlier flow if it
/// would end later by at most 10⁻¹² of its own duration, or by at most 8 units in the last place of
/// the clock. Rates are always computed from capacities, never from earlier rates, with a relative
/// precision of 10⁻¹².
///
/// # Panics
///
/// Methods panic if a link doesn't exist, if a time, capacity or size is negative or not a number,
/// if a weight isn't positive, or if time goes back.
#[derive(Debug, Default)]
pub struct Fluid {
    now_s: f64,
    rates: Rates,
    flows: Vec<Progress>,
    slots: Slots,
    /// When flows start to move data, or end.
    events: Heap,
    due: Vec<u32>,
}

#[derive(Debug)]
struct Progress {
    id: FlowId,
    start_s: f64,
    bytes_left: f64,
    /// Time at which `bytes_left` was computed.
    since_s: f64,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// Waits for its latency, and then moves data.
    Latency,
    /// Waits for its latency, and then ends.
    LatencyAlone,
    Flowing,
}

impl Fluid {
    /// Creates a network without flows. Its links are numbered from 0, in this order.
    ///
    /// # Panics
    ///
    /// Panics if a capacity is negative or not a number.
    pub fn new(links: impl IntoIterator<Item = Capacity>) -> Self {
        let mut fluid = Self::default();
        fluid.rates.graph.links = links.into_iter().map(Link::new).collect();
        fluid
    }

    /// Returns the rate of a flow in bytes per second, as of the last call of
    /// [`next_s`](Contention::next_s). While the flow waits for its latency, the rate is 0.
    pub fn rate(&self, flow: FlowId) -> f64 {
        self.rates.graph.flows[flow.slot()].rate
    }

    /// Sets the clock, after updating the rates for changes before this time.
    fn reach(&mut self, now_s: f64) {
        if now_s > self.now_s {
            self.settle();
            self.now_s = now_s;
        }
        assert!(now_s >= self.now_s, "{now_s} s is before {} s", self.now_s);
    }

    fn settle(&mut self) {
        if self.rates.are_settled() {
            return;
        }
        let now_s = self.now_s;
        let Self { flows, events, .. } = self;
        self.rates.settle(|slot, old_rate, rate| {
            let flow = &mut flows[slot as usize];
            if now_s > flow.since_s {
                flow.bytes_left = (flow.bytes_left - old_rate * (now_s - flow.since_s)).max(0.0);
                flow.since_s = now_s;
            }
            // A flow with an infinite rate has no bytes left, and 0 / 0 isn't a time.
            let left_s = if flow.bytes_left > 0.0 {
                flow.bytes_left / rate
            } else {
                0.0
            };
            events.set(slot, now_s + left_s);
        });
    }

    fn happen(&mut self, ended: &mut Vec<FlowId>) {
        let mut due = std::mem::take(&mut self.due);
        let is_due = |time_s, slot| is_due(time_s, self.now_s, self.flows[slot as usize].start_s);
        self.events.take(is_due, &mut due);
        for &slot in &due {
            let flow = &self.flows[slot as usize];
            if flow.phase == Phase::Latency {
                self.flow(slot);
            } else {
                ended.push(flow.id);
                self.end(slot);
            }
        }
        due.clear();
        self.due = due;
    }

    fn flow(&mut self, slot: u32) {
        let flow = &mut self.flows[slot as usize];
        flow.phase = Phase::Flowing;
        flow.since_s = self.now_s;
        self.rates.join(slot);
    }

    fn end(&mut self, slot: u32) {
        if self.flows[slot as usize].phase == Phase::Flowing {
            self.rates.leave(slot);
        }
        self.rates.graph.forget(slot);
        self.slots.retire(self.flows[slot as usize].id);
    }
}

/// Returns `true` if an event at `time_s` counts as happening now.
fn is_due(time_s: f64, now_s: f64, start_s: f64) -> bool {
    let early_s = time_s - now_s;
    early_s <= SAME_TIME * now_s || early_s <= SAME_DURATION * (now_s - start_s)
}

impl Contention for Fluid {
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        weight: f64,
        bytes: f64,
    ) -> FlowId {
        assert!(
            weight > 0.0 && weight < f64::INFINITY,
            "invalid weight: {weight}"
        );
        assert!((0.0..f64::INFINITY).contains(&bytes), "{bytes} bytes");
        assert!(latency_s >= 0.0, "invalid latency: {latency_s} s");
        self.reach(now_s);
        let flows = bytes > 0.0 && !route.is_empty();
        let phase = if flows {
            Phase::Latency
        } else {
            Phase::LatencyAlone
        };
        let id = self.slots.take();
        let slot = id.number();
        let flow = Progress {
            id,
            start_s: now_s,
            bytes_left: bytes,
            since_s: now_s,
            phase,
        };
        put(&mut self.flows, slot, flow);
        self.rates.graph.describe(slot, weight, route);
        if flows && latency_s == 0.0 {
            self.flow(slot);
        } else {
            self.events.set(slot, now_s + latency_s);
        }
        id
    }

    fn next_s(&mut self) -> f64 {
        self.settle();
        self.events.first().map_or(f64::INFINITY, |it| it.0)
    }

    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        let first = ended.len();
        self.slots.vacate();
        // The caller may have skipped events.
        while now_s > self.now_s {
            let next_s = self.next_s().min(now_s);
            self.reach(next_s.max(self.now_s));
            self.happen(ended);
        }
        self.happen(ended);
        if !ended[first..].is_sorted() {
            ended[first..].sort_unstable();
        }
    }

    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64) {
        self.reach(now_s);
        self.rates.set_capacity(link, bytes_per_s);
    }

    fn load(&self, link: u32) -> f64 {
        self.rates.graph.load(link)
    }

    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        self.settle();
        self.rates.take_loads(loads);
    }
}
