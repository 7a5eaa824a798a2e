//! Defines the interface of networks in which flows slow each other down.

use std::fmt;

/// Identifies a flow from its start until the network reports its end.
///
/// Ids are ordered by when their flows started.
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

    /// Returns a small number for the flow that you can use as an index. Once the network advances
    /// after this flow's end, another flow can get the same number.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// The load of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Number of the link.
    pub link: u32,
    /// Number of flows on the link. A flow whose route contains the link twice counts twice.
    pub flows: usize,
    /// Current throughput, in bytes per second.
    pub bytes_per_s: f64,
    /// Maximum throughput, in bytes per second.
    pub capacity_bytes_per_s: f64,
}

/// A network in which flows slow each other down.
///
/// You own the clock: ask [when](Self::next_s) something happens next in the network, handle
/// everything that happens elsewhere before that time, and let the network
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
    /// Starts a flow of `bytes` over the links of `route`. The route can be empty, and can contain
    /// a link twice.
    ///
    /// `latency_s` is the sum of the links' latencies, plus any delay before them. `weight`
    /// determines the flow's share of links that it shares with other flows: use 1 for max-min
    /// fairness, or the inverse of the latency for fairness by round-trip time.
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        weight: f64,
        bytes: f64,
    ) -> FlowId;

    /// Returns the time of the next event if you change nothing before it; infinite if there is no
    /// event.
    ///
    /// An event isn't necessarily the end of a flow.
    fn next_s(&mut self) -> f64;

    /// Advances to `now_s`, which must not be later than [`Self::next_s`]. Adds the flows that have
    /// ended to `ended`, ordered by id.
    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>);

    /// Changes the capacity of a link. At 0, the flows on it stop moving.
    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64);

    /// Returns the load of a link in bytes per second, as of the last call of [`Self::next_s`].
    fn load(&self, link: u32) -> f64;

    /// Adds the loads of all links that may have changed since the last call, ordered by link.
    ///
    /// The first call adds nothing, but turns on recording, which takes some time. By default, a
    /// network doesn't report loads.
    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        let _ = loads;
    }

    /// Returns the number of phases with flows, and how many of them weren't simulated because they
    /// repeated earlier ones. By default, this is `None`, because the network simulates everything.
    fn phases(&self) -> Option<(u64, u64)> {
        None
    }

    /// Returns the names of values that the network reports for each flow in addition to its end,
    /// such as the time spent waiting.
    fn metric_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Adds the values of [`Self::metric_names`] for a flow that has just ended.
    fn metrics(&self, flow: FlowId, values: &mut Vec<f64>) {
        let _ = (flow, values);
    }
}
