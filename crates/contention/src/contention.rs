//! Defines the interface of networks in which flows slow each other down.

use std::fmt;

/// Identifies a flow, from its start until the network reports its end.
///
/// The order of ids is the order in which their flows started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId {
    started: u64,
    slot: u32,
}

impl FlowId {
    pub(crate) fn new(started: u64, slot: u32) -> Self {
        Self { started, slot }
    }

    pub(crate) fn number(self) -> u32 {
        self.slot
    }

    /// Returns a small number that identifies the flow, for use as an index. The network can give
    /// the number to another flow once it advances after this flow's end.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// The load of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The number of the link.
    pub link: u32,
    /// Number of flows on the link. A flow that crosses the link twice counts twice.
    pub flows: usize,
    /// The current throughput, in bytes per second.
    pub bytes_per_s: f64,
    /// The largest possible throughput, in bytes per second.
    pub capacity_bytes_per_s: f64,
}

/// A network in which flows slow each other down.
///
/// The caller owns the clock: it asks [when](Self::next_s) something happens next in the network,
/// handles everything that happens elsewhere before that time, and lets the network
/// [advance](Self::advance). Networks don't know about processes or messages. Times are in seconds
/// and must never decrease. Links are numbered from 0.
///
/// ```
/// use prophet_contention::{Capacity, Contention, Fluid};
///
/// let mut network = Fluid::new([Capacity::shared(1e9)]);
/// let first = network.start(0.0, &[0], 0.0, 1.0, 1e9);
/// network.advance(0.25, &mut Vec::new());
/// let second = network.start(0.25, &[0], 0.0, 1.0, 0.5e9);
///
/// let mut ended = Vec::new();
/// assert_eq!(network.next_s(), 1.25);
/// network.advance(1.25, &mut ended);
/// assert_eq!(ended, [second]);
/// assert_eq!(network.next_s(), 1.5);
/// network.advance(1.5, &mut ended);
/// assert_eq!(ended, [second, first]);
/// assert_eq!(network.next_s(), f64::INFINITY);
/// ```
pub trait Contention: fmt::Debug {
    /// Starts a flow of `bytes` over the links of `route`, which may be empty and may contain a
    /// link twice.
    ///
    /// `latency_s` is the sum of the links' latencies and of any delays before them. `weight`
    /// determines the flow's share when it competes with others: 1 for max-min fairness, the
    /// inverse of the latency for fairness by round-trip time.
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        weight: f64,
        bytes: f64,
    ) -> FlowId;

    /// Returns the time of the next event, provided that the caller changes nothing before;
    /// infinite if there is no event.
    ///
    /// The event isn't necessarily the end of a flow.
    fn next_s(&mut self) -> f64;

    /// Advances to `now_s`, which must not be later than [`Self::next_s`], and adds the flows that
    /// have ended to `ended`, ordered by id.
    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>);

    /// Changes the capacity of a link; at 0, flows on the link stop moving.
    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64);

    /// Returns the load of a link in bytes per second, as of the last call of [`Self::next_s`].
    fn load(&self, link: u32) -> f64;

    /// Adds the loads of the links that may have changed since the last call, ordered by link
    /// number.
    ///
    /// Changes are only noted after the first call, because noting them takes time. Models without
    /// this method don't report loads.
    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        let _ = loads;
    }

    /// Returns the number of phases with flows, and how many of them weren't simulated because they
    /// repeated earlier phases; `None` for a model that simulates everything.
    fn phases(&self) -> Option<(u64, u64)> {
        None
    }

    /// Returns the names of the values that the model reports for each flow in addition to its end,
    /// such as the time spent waiting.
    fn metric_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Adds the metrics of a flow that has just ended, in the order of [`Self::metric_names`].
    fn metrics(&self, flow: FlowId, values: &mut Vec<f64>) {
        let _ = (flow, values);
    }
}
