//! Defines the rows of the traffic tables, and the network that they describe.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::columns::{Column, Kind, column};

/// A row of a table without missing values.
pub trait TrafficRow: Sized {
    #[doc(hidden)]
    const NAME: &'static str;
    #[doc(hidden)]
    const COLUMNS: &'static [Column];

    /// Returns the values of the row's columns, as bits.
    #[doc(hidden)]
    fn words(&self) -> impl AsRef<[u64]>;

    /// Creates a row from the values of its columns; `None` if they are invalid.
    #[doc(hidden)]
    fn from_words(words: &[u64], network: &TracedNetwork) -> Option<Self>;
}

/// The used parts of a network with shared links.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TracedNetwork {
    /// Bytes per packet, if messages are sent in packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_bytes: Option<f64>,
    /// Links of the routes, by number.
    pub links: Vec<NetworkLink>,
    /// Number of routes.
    pub routes: u32,
    /// Names of the metrics that its model reports for each flow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// SVG drawing of the whole network, if it is small enough; lines list the machine's numbers of
    /// their links in `data-links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

impl TracedNetwork {
    pub(crate) const NONE: Self = Self {
        packet_bytes: None,
        links: Vec::new(),
        routes: 0,
        metrics: Vec::new(),
        picture: None,
    };
}

/// A network link in its original state, before any changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkLink {
    /// The link's name.
    pub name: String,
    /// The link's number in the machine, which may have unused links.
    #[serde(default)]
    pub number: u32,
    /// Bandwidth.
    pub bytes_per_s: f64,
    /// Latency, in seconds.
    pub latency_s: f64,
    /// Fraction of the bandwidth taken by other traffic: at least 0, below 1.
    #[serde(default)]
    pub background: f64,
    /// Whether the bandwidth limits each flow separately.
    #[serde(default)]
    pub is_fatpipe: bool,
}

impl NetworkLink {
    /// Returns the bandwidth left by other traffic.
    pub fn capacity_bytes_per_s(&self) -> f64 {
        self.bytes_per_s * (1.0 - self.background)
    }

    pub(crate) fn makes_sense(&self) -> bool {
        self.bytes_per_s >= 0.0 && self.latency_s >= 0.0 && (0.0..1.0).contains(&self.background)
    }
}

/// Traffic in the order of files: hops by route, flows by end, loads by time, operations by device
/// and end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traffic {
    pub hops: Vec<Hop>,
    pub flows: Vec<Flow>,
    pub loads: Vec<LinkLoad>,
    /// Metrics, in the order of their flows.
    pub metrics: Vec<FlowMetric>,
    pub operations: Vec<Operation>,
}

impl Traffic {
    /// Returns `true` if there is no traffic.
    pub fn is_empty(&self) -> bool {
        let Self {
            hops,
            flows,
            loads,
            metrics,
            operations,
        } = self;
        let are_empty = hops.is_empty() && flows.is_empty() && loads.is_empty();
        are_empty && metrics.is_empty() && operations.is_empty()
    }
}

/// A link of a route; the links of a route are listed in the order in which messages cross them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// Number of the route.
    pub route: u32,
    /// Number of the link.
    pub link: u32,
}

/// A message that travels over shared links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flow {
    /// The process that sends it.
    pub sender: u32,
    /// Number among its sender's messages, as in records.
    pub message: u32,
    /// The process that receives it.
    pub receiver: u32,
    /// Number of its route.
    pub route: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Time at which it leaves its sender, in simulated seconds.
    pub start_s: f64,
    /// Time at which it arrives, in simulated seconds.
    pub end_s: f64,
}

/// A metric of a flow, reported by the network's model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowMetric {
    /// The process that sends the message.
    pub sender: u32,
    /// Number among its sender's messages, as in records.
    pub message: u32,
    /// Index of its name in [`TracedNetwork::metrics`].
    pub name: u32,
    /// The value, always finite.
    pub value: f64,
}

/// A kernel or copy on an accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation {
    /// The node.
    pub node: u32,
    /// Number of the accelerator on its node.
    pub device: u32,
    /// Number of the engine: 0 computes, the others copy.
    pub engine: u32,
    /// The process that issued it.
    pub pid: u32,
    /// The process's stream.
    pub stream: u32,
    /// Index of the element, as in records.
    pub element: u32,
    /// Time at which the engine starts it, in simulated seconds.
    pub start_s: f64,
    /// Time at which it ends, or at which the run ends, in simulated seconds.
    pub end_s: f64,
}

/// A stream of kernels or a copy engine of an accelerator, where no two operations overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Kernels in a stream: the process, and the number of the stream.
    Kernels(u32, u32),
    /// Copies by the engine with this number.
    Copies(u32),
}

impl Operation {
    /// Returns the lane of the operation.
    pub fn lane(&self) -> Lane {
        match self.engine {
            0 => Lane::Kernels(self.pid, self.stream),
            engine => Lane::Copies(engine),
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernels(pid, stream) => write!(f, "kernels of process {pid}, stream {stream}"),
            Self::Copies(engine) => write!(f, "copy engine {engine}"),
        }
    }
}

/// The load of a link from a given time until its next load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkLoad {
    /// Start of this load, in simulated seconds.
    pub time_s: f64,
    /// Number of the link.
    pub link: u32,
    /// Number of flows that use the link.
    pub flows: u32,
    /// Bytes per second on the link.
    pub bytes_per_s: f64,
    /// Bandwidth left by other traffic.
    pub capacity_bytes_per_s: f64,
    /// Total bandwidth, including what other traffic takes.
    pub bandwidth_bytes_per_s: f64,
}

impl LinkLoad {
    /// Returns the bandwidth available to each flow on the link: an equal share of what other
    /// traffic leaves, or all of it if the link limits each flow separately.
    ///
    /// ```
    /// use prophet_trace::LinkLoad;
    ///
    /// let load = LinkLoad {
    ///     time_s: 0.0,
    ///     link: 0,
    ///     flows: 4,
    ///     bytes_per_s: 8e9,
    ///     capacity_bytes_per_s: 8e9,
    ///     bandwidth_bytes_per_s: 1e10,
    /// };
    /// assert_eq!(load.effective_bytes_per_s(false), 2e9);
    /// assert_eq!(load.effective_bytes_per_s(true), 8e9);
    /// assert_eq!(load.clear_bytes_per_s(false), 2.5e9);
    /// ```
    pub fn effective_bytes_per_s(&self, is_fatpipe: bool) -> f64 {
        self.capacity_bytes_per_s / self.sharing(is_fatpipe)
    }

    /// Returns the bandwidth that each flow on the link would have without other traffic.
    pub fn clear_bytes_per_s(&self, is_fatpipe: bool) -> f64 {
        self.bandwidth_bytes_per_s / self.sharing(is_fatpipe)
    }

    /// Returns the number of flows that share the link.
    fn sharing(&self, is_fatpipe: bool) -> f64 {
        let flows = if is_fatpipe { 1 } else { self.flows.max(1) };
        f64::from(flows)
    }
}

trait Value: Copy {
    const KIND: Kind;

    fn word(self) -> u64;
}

impl Value for u32 {
    const KIND: Kind = Kind::U32;

    fn word(self) -> u64 {
        self.into()
    }
}

impl Value for u64 {
    const KIND: Kind = Kind::I64;

    fn word(self) -> u64 {
        self
    }
}

impl Value for f64 {
    const KIND: Kind = Kind::F64;

    fn word(self) -> u64 {
        self.to_bits()
    }
}

/// Declares the table for a kind of row: the fields and their types, columns and readers, and a
/// condition that each row must meet.
macro_rules! table {
    (
        $name:literal: $row:ident, $makes_sense:expr;
        $($field:ident: $type:ty = $column:literal, $read:ident;)*
    ) => {
        impl TrafficRow for $row {
            const NAME: &'static str = $name;
            const COLUMNS: &'static [Column] = &[$(column($column, <$type>::KIND)),*];

            fn words(&self) -> impl AsRef<[u64]> {
                [$(self.$field.word()),*]
            }

            fn from_words(words: &[u64], network: &TracedNetwork) -> Option<Self> {
                let &[$($field),*] = words else { return None };
                let row = Self { $($field: $read($field, network)?),* };
                let makes_sense: fn(&Self) -> bool = $makes_sense;
                makes_sense(&row).then_some(row)
            }
        }
    };
}

table! {
    "routes": Hop, |_| true;
    route: u32 = "route", route_number;
    link: u32 = "link", link_number;
}

table! {
    "flows": Flow, |it| it.start_s <= it.end_s;
    sender: u32 = "sender", any_number;
    message: u32 = "message", any_number;
    receiver: u32 = "receiver", any_number;
    route: u32 = "route", route_number;
    bytes: u64 = "bytes", signed_bytes;
    start_s: f64 = "start", quantity;
    end_s: f64 = "end", quantity;
}

table! {
    "metrics": FlowMetric, |_| true;
    sender: u32 = "sender", any_number;
    message: u32 = "message", any_number;
    name: u32 = "name", metric_number;
    value: f64 = "value", finite;
}

table! {
    "operations": Operation, |it| it.start_s <= it.end_s;
    node: u32 = "node", any_number;
    device: u32 = "device", any_number;
    engine: u32 = "engine", any_number;
    pid: u32 = "pid", any_number;
    stream: u32 = "stream", any_number;
    element: u32 = "element", any_number;
    start_s: f64 = "start", quantity;
    end_s: f64 = "end", quantity;
}

table! {
    "loads": LinkLoad, |_| true;
    time_s: f64 = "time", quantity;
    link: u32 = "link", link_number;
    flows: u32 = "flows", any_number;
    bytes_per_s: f64 = "rate", quantity;
    capacity_bytes_per_s: f64 = "capacity", quantity;
    bandwidth_bytes_per_s: f64 = "bandwidth", quantity;
}

fn any_number(word: u64, _: &TracedNetwork) -> Option<u32> {
    u32::try_from(word).ok()
}

fn route_number(word: u64, network: &TracedNetwork) -> Option<u32> {
    below(word, network.routes as usize)
}

fn link_number(word: u64, network: &TracedNetwork) -> Option<u32> {
    below(word, network.links.len())
}

fn metric_number(word: u64, network: &TracedNetwork) -> Option<u32> {
    below(word, network.metrics.len())
}

/// Reads a size, which files store as a signed number.
fn signed_bytes(word: u64, _: &TracedNetwork) -> Option<u64> {
    i64::try_from(word).is_ok().then_some(word)
}

fn finite(word: u64, _: &TracedNetwork) -> Option<f64> {
    Some(f64::from_bits(word)).filter(|it| it.is_finite())
}

fn below(word: u64, end: usize) -> Option<u32> {
    let number = u32::try_from(word).ok()?;
    ((number as usize) < end).then_some(number)
}

/// Reads a time or rate, which must be finite and not negative.
fn quantity(word: u64, network: &TracedNetwork) -> Option<f64> {
    finite(word, network).filter(|it| *it >= 0.0)
}
