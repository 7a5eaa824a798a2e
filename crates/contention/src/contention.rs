//! The interface of networks whose flows change each other's speed.

use std::fmt;

/// A flow, from its start until it is reported as ended.
///
/// Flows are ordered as they were started.
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

    /// A small number that no other flow has until the network advances after the end of this flow.
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

/// Load of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Number of the link.
    pub link: u32,
    /// Number of flows that use the link; a flow whose route has the link twice counts twice.
    pub flows: usize,
    /// Bytes per second that pass it.
    pub bytes_per_s: f64,
    /// Bytes per second that could pass it.
    pub capacity_bytes_per_s: f64,
}

/// A network whose flows change each other's speed.
///
/// The caller owns the clock: it asks [when](Self::next_s) something happens next, does all that
/// happens elsewhere before, and lets the network [advance](Self::advance). Models know nothing of
/// processes or messages. Times are seconds and never go back; links are numbered from 0.
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
    /// Starts a flow of `bytes` over the links of `route`, which may be empty and may name a link
    /// twice.
    ///
    /// `latency_s` is the sum of the latencies of its links, and of delays before them. `weight` is
    /// its share where it competes: 1 for max-min fairness, the inverse of the latency for fairness
    /// by round-trip time.
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        weight: f64,
        bytes: f64,
    ) -> FlowId;

    /// Time at which something happens next if nobody interferes; infinite if nothing does.
    ///
    /// It need not be the end of a flow.
    fn next_s(&mut self) -> f64;

    /// Advances to `now_s`, which is [`Self::next_s`] or earlier, and adds the flows that have
    /// ended to `ended`, in the order of their ids.
    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>);

    /// Changes the capacity of a link; flows over a link without any stand still.
    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64);

    /// Bytes per second that pass a link since the network was last asked
    /// [when](Self::next_s) something happens.
    fn load(&self, link: u32) -> f64;

    /// Adds the loads of the links that may have changed since the last call, in the order of their
    /// numbers.
    ///
    /// Changes are noted from the first time on, since that takes time. A model without this
    /// method keeps its loads for itself.
    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        let _ = loads;
    }

    /// Numbers of phases in which there were flows, and of those that were not simulated, since
    /// they repeated earlier ones; `None` for a model that simulates all.
    fn phases(&self) -> Option<(u64, u64)> {
        None
    }

    /// Names of the values that the model reports for each flow in addition to its end, such as the
    /// time that the flow has waited.
    fn metric_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Adds the metrics of a flow that has just ended, in the order of their names.
    fn metrics(&self, flow: FlowId, values: &mut Vec<f64>) {
        let _ = (flow, values);
    }
}
