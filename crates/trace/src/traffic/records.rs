//! Defines the rows of the traffic tables, and the network that they describe.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::columns::{Column, Kind, column};

/// A row of a traffic table. No values are missing.
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

/// The parts of a network with shared links that messages used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TracedNetwork {
    /// Packet size in bytes; `None` if messages aren't sent in packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_bytes: Option<f64>,
    /// The links on the routes, by number.
    pub links: Vec<NetworkLink>,
    /// Number of routes.
    pub routes: u32,
    /// Names of the metrics that the network's model reports for each flow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// An SVG drawing of the whole network; `None` if the network is too large. Each line lists its
    /// links in `data-links`, by their numbers in the machine.
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

/// A link of the network, as it was before any changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkLink {
    pub name: String,
    /// Number in the machine, which can also have unused links.
    #[serde(default)]
    pub number: u32,
    /// In bytes per second.
    pub bytes_per_s: f64,
    /// In seconds.
    pub latency_s: f64,
    /// Fraction of the bandwidth that other traffic takes: at least 0, and less than 1.
    #[serde(default)]
    pub background: f64,
    /// Whether the bandwidth limits each flow separately (FATPIPE).
    #[serde(default)]
    pub is_fatpipe: bool,
}

impl NetworkLink {
    /// Returns the bandwidth that other traffic leaves, in bytes per second.
    pub fn capacity_bytes_per_s(&self) -> f64 {
        self.bytes_per_s * (1.0 - self.background)
    }

    pub(crate) fn makes_sense(&self) -> bool {
        self.bytes_per_s >= 0.0 && self.latency_s >= 0.0 && (0.0..1.0).contains(&self.background)
    }
}

/// Traffic to write to a trace, in the order of the file: hops sorted by route, flows by end, loads
/// by time, and operations by device and end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traffic {
    pub hops: Vec<Hop>,
    pub flows: Vec<Flow>,
    pub loads: Vec<LinkLoad>,
    /// In the order of the flows.
    pub metrics: Vec<FlowMetric>,
    pub operations: Vec<Operation>,
}

impl Traffic {
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

/// A link on a route. The links of a route are in the order in which messages cross them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    pub route: u32,
    pub link: u32,
}

/// A message on shared links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flow {
    pub sender: u32,
    /// Number among the sender's messages, as in records.
    pub message: u32,
    pub receiver: u32,
    pub route: u32,
    /// In bytes.
    pub bytes: u64,
    /// When the message leaves its sender, in simulated seconds.
    pub start_s: f64,
    /// When the message arrives, in simulated seconds.
    pub end_s: f64,
}

/// A metric that the network's model reports for a flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowMetric {
    pub sender: u32,
    /// Number among the sender's messages, as in records.
    pub message: u32,
    /// Index of the metric's name in [`TracedNetwork::metrics`].
    pub name: u32,
    /// Always finite.
    pub value: f64,
}

/// A kernel or copy on an accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation {
    pub node: u32,
    /// Number of the accelerator on its node.
    pub device: u32,
    /// Number of the engine: 0 is the compute engine, and all others are copy engines.
    pub engine: u32,
    /// The process that issued the operation.
    pub pid: u32,
    /// Number of the stream in that process.
    pub stream: u32,
    /// Index of the element, as in records.
    pub element: u32,
    /// When the engine starts the operation, in simulated seconds.
    pub start_s: f64,
    /// When the operation ends, or when the run ends if that is earlier, in simulated seconds.
    pub end_s: f64,
}

/// A part of an accelerator in which operations don't overlap: a stream of kernels, or a copy
/// engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Kernels of a stream: the process, and the stream's number.
    Kernels(u32, u32),
    /// Copies of the engine with this number.
    Copies(u32),
}

impl Operation {
    /// Returns the lane in which the operation ran.
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

/// The load of a link, from this time until the link's next load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkLoad {
    /// Start of this load, in simulated seconds.
    pub time_s: f64,
    pub link: u32,
    pub flows: u32,
    /// Throughput of the link, in bytes per second.
    pub bytes_per_s: f64,
    /// Bandwidth that other traffic leaves, in bytes per second.
    pub capacity_bytes_per_s: f64,
    /// Total bandwidth of the link, including what other traffic takes, in bytes per second.
    pub bandwidth_bytes_per_s: f64,
}

impl LinkLoad {
    /// Returns the bandwidth available to each flow on the link, in bytes per second: an equal
    /// share of what other traffic leaves, or all of it if the link limits each flow separately.
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

    /// Returns the bandwidth that each flow would have without other traffic, in bytes per second.
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

/// Declares the table for a type of rows: fields with types, columns and readers, and a condition
/// that each row must meet.
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

/// Reads a size, which is stored as a signed number.
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

/// Reads a time or a rate. It must be finite and not negative.
fn quantity(word: u64, network: &TracedNetwork) -> Option<f64> {
    finite(word, network).filter(|it| *it >= 0.0)
}
