//! Rows of the tables of traffic, and the objects that they describe.

use serde::{Deserialize, Serialize};

use crate::columns::{Column, Kind, column};

/// Row of a table in which no value is missing.
pub trait TrafficRow: Sized {
    #[doc(hidden)]
    const NAME: &'static str;
    #[doc(hidden)]
    const COLUMNS: &'static [Column];

    /// Values of the columns, as bits.
    #[doc(hidden)]
    fn words(&self) -> impl AsRef<[u64]>;

    /// Row of these values; `None` if they are invalid.
    #[doc(hidden)]
    fn from_words(words: &[u64], network: &Network) -> Option<Self>;
}

/// Network whose links messages share: what of it was used.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Network {
    /// Bytes of a packet, if messages are sent in packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_bytes: Option<f64>,
    /// Links of the routes, by their numbers.
    pub links: Vec<NetworkLink>,
    /// Number of routes.
    pub routes: u32,
    /// Names of the metrics that its model reports of each flow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Drawing of the whole network as SVG, if it has a modest size; lines have the numbers of
    /// their links in the machine as `data-links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

impl Network {
    /// A network of which nothing was used.
    pub(crate) const NONE: Self = Self {
        packet_bytes: None,
        links: Vec::new(),
        routes: 0,
        metrics: Vec::new(),
        picture: None,
    };
}

/// Link of a network, in its state before all changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkLink {
    /// The name.
    pub name: String,
    /// Number in the machine, of which only some links are used.
    #[serde(default)]
    pub number: u32,
    /// Bandwidth.
    pub bytes_per_s: f64,
    /// Latency, in seconds.
    pub latency_s: f64,
    /// Fraction of the bandwidth that others take, from 0 to below 1.
    #[serde(default)]
    pub background: f64,
    /// True if the bandwidth limits each flow alone.
    #[serde(default)]
    pub is_fatpipe: bool,
}

impl NetworkLink {
    /// Bandwidth that others leave.
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
    pub loads: Vec<Load>,
    /// In the order of their flows.
    pub metrics: Vec<Metric>,
    pub operations: Vec<Operation>,
}

impl Traffic {
    /// True if nothing has happened.
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

/// Link of a route; the links of a route come in the order in which messages cross them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// Number of the route.
    pub route: u32,
    /// Number of the link.
    pub link: u32,
}

/// Message on its way over shared links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flow {
    /// The process that sends it.
    pub sender: u32,
    /// Number among the messages of its sender, as in records.
    pub message: u32,
    /// The process that it is for.
    pub receiver: u32,
    /// Number of its route.
    pub route: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// Time at which it leaves its sender, in simulated seconds.
    pub start_s: f64,
    /// Time at which the message is there, in simulated seconds.
    pub end_s: f64,
}

/// Metric of a flow that the network's model reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// The process that sends the message.
    pub sender: u32,
    /// Number among the messages of its sender, as in records.
    pub message: u32,
    /// Number of its name in [`Network::metrics`].
    pub name: u32,
    /// The value, which is finite.
    pub value: f64,
}

/// Kernel or copy of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation {
    /// The node.
    pub node: u32,
    /// Number of the accelerator on the node.
    pub device: u32,
    /// Number of the engine: 0 computes, others copy.
    pub engine: u32,
    /// The process that has issued it.
    pub pid: u32,
    /// Stream of the process.
    pub stream: u32,
    /// Index of the element, as in records.
    pub element: u32,
    /// Time at which the engine begins with it, in simulated seconds.
    pub start_s: f64,
    /// Time at which it is over, or at which the run is, in simulated seconds.
    pub end_s: f64,
}

/// Load of a link from a time on, until its next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// The time, in simulated seconds.
    pub time_s: f64,
    /// Number of the link.
    pub link: u32,
    /// Number of the flows that take some of it.
    pub flows: u32,
    /// Bytes per second that pass it.
    pub bytes_per_s: f64,
    /// Bandwidth that others leave.
    pub capacity_bytes_per_s: f64,
    /// Bandwidth, reduced by other traffic.
    pub bandwidth_bytes_per_s: f64,
}

impl Load {
    /// Bandwidth that the flows on the link have: equal shares of what others leave, or all of it
    /// on a link that limits each alone.
    ///
    /// ```
    /// use prophet_trace::Load;
    ///
    /// let load = Load {
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

    /// Bandwidth that the flows on the link would have without other traffic.
    pub fn clear_bytes_per_s(&self, is_fatpipe: bool) -> f64 {
        self.bandwidth_bytes_per_s / self.sharing(is_fatpipe)
    }

    /// Number of flows that share the link.
    fn sharing(&self, is_fatpipe: bool) -> f64 {
        let flows = if is_fatpipe { 1 } else { self.flows.max(1) };
        f64::from(flows)
    }
}

impl TrafficRow for Hop {
    const NAME: &'static str = "routes";
    const COLUMNS: &'static [Column] = &[column("route", Kind::U32), column("link", Kind::U32)];

    fn words(&self) -> impl AsRef<[u64]> {
        [self.route, self.link].map(u64::from)
    }

    fn from_words(words: &[u64], network: &Network) -> Option<Self> {
        let &[route, link] = words else { return None };
        Some(Self {
            route: below(route, network.routes as usize)?,
            link: below(link, network.links.len())?,
        })
    }
}

impl TrafficRow for Flow {
    const NAME: &'static str = "flows";
    const COLUMNS: &'static [Column] = &[
        column("sender", Kind::U32),
        column("message", Kind::U32),
        column("receiver", Kind::U32),
        column("route", Kind::U32),
        column("bytes", Kind::I64),
        column("start", Kind::F64),
        column("end", Kind::F64),
    ];

    fn words(&self) -> impl AsRef<[u64]> {
        let [sender, message, receiver, route] =
            [self.sender, self.message, self.receiver, self.route].map(u64::from);
        let [start, end] = [self.start_s, self.end_s].map(f64::to_bits);
        [sender, message, receiver, route, self.bytes, start, end]
    }

    fn from_words(words: &[u64], network: &Network) -> Option<Self> {
        let &[sender, message, receiver, route, bytes, start, end] = words else {
            return None;
        };
        let (start_s, end_s) = (quantity(start)?, quantity(end)?);
        let makes_sense = start_s <= end_s && i64::try_from(bytes).is_ok();
        makes_sense.then_some(Self {
            sender: u32::try_from(sender).ok()?,
            message: u32::try_from(message).ok()?,
            receiver: u32::try_from(receiver).ok()?,
            route: below(route, network.routes as usize)?,
            bytes,
            start_s,
            end_s,
        })
    }
}

impl TrafficRow for Metric {
    const NAME: &'static str = "metrics";
    const COLUMNS: &'static [Column] = &[
        column("sender", Kind::U32),
        column("message", Kind::U32),
        column("name", Kind::U32),
        column("value", Kind::F64),
    ];

    fn words(&self) -> impl AsRef<[u64]> {
        let [sender, message, name] = [self.sender, self.message, self.name].map(u64::from);
        [sender, message, name, self.value.to_bits()]
    }

    fn from_words(words: &[u64], network: &Network) -> Option<Self> {
        let &[sender, message, name, value] = words else {
            return None;
        };
        let value = f64::from_bits(value);
        Some(Self {
            sender: u32::try_from(sender).ok()?,
            message: u32::try_from(message).ok()?,
            name: below(name, network.metrics.len())?,
            value: value.is_finite().then_some(value)?,
        })
    }
}

impl TrafficRow for Operation {
    const NAME: &'static str = "operations";
    const COLUMNS: &'static [Column] = &[
        column("node", Kind::U32),
        column("device", Kind::U32),
        column("engine", Kind::U32),
        column("pid", Kind::U32),
        column("stream", Kind::U32),
        column("element", Kind::U32),
        column("start", Kind::F64),
        column("end", Kind::F64),
    ];

    fn words(&self) -> impl AsRef<[u64]> {
        let [node, device, engine] = [self.node, self.device, self.engine].map(u64::from);
        let [pid, stream, element] = [self.pid, self.stream, self.element].map(u64::from);
        let [start, end] = [self.start_s, self.end_s].map(f64::to_bits);
        [node, device, engine, pid, stream, element, start, end]
    }

    fn from_words(words: &[u64], _: &Network) -> Option<Self> {
        let &[node, device, engine, pid, stream, element, start, end] = words else {
            return None;
        };
        let number = |word| u32::try_from(word).ok();
        let (start_s, end_s) = (quantity(start)?, quantity(end)?);
        (start_s <= end_s).then_some(Self {
            node: number(node)?,
            device: number(device)?,
            engine: number(engine)?,
            pid: number(pid)?,
            stream: number(stream)?,
            element: number(element)?,
            start_s,
            end_s,
        })
    }
}

impl TrafficRow for Load {
    const NAME: &'static str = "loads";
    const COLUMNS: &'static [Column] = &[
        column("time", Kind::F64),
        column("link", Kind::U32),
        column("flows", Kind::U32),
        column("rate", Kind::F64),
        column("capacity", Kind::F64),
        column("bandwidth", Kind::F64),
    ];

    fn words(&self) -> impl AsRef<[u64]> {
        let [link, flows] = [self.link, self.flows].map(u64::from);
        let Self {
            bytes_per_s,
            capacity_bytes_per_s,
            bandwidth_bytes_per_s,
            ..
        } = *self;
        let rates = [bytes_per_s, capacity_bytes_per_s, bandwidth_bytes_per_s];
        let [rate, capacity, bandwidth] = rates.map(f64::to_bits);
        [
            self.time_s.to_bits(),
            link,
            flows,
            rate,
            capacity,
            bandwidth,
        ]
    }

    fn from_words(words: &[u64], network: &Network) -> Option<Self> {
        let &[time, link, flows, rate, capacity, bandwidth] = words else {
            return None;
        };
        Some(Self {
            time_s: quantity(time)?,
            link: below(link, network.links.len())?,
            flows: u32::try_from(flows).ok()?,
            bytes_per_s: quantity(rate)?,
            capacity_bytes_per_s: quantity(capacity)?,
            bandwidth_bytes_per_s: quantity(bandwidth)?,
        })
    }
}

/// A number below `end`.
fn below(word: u64, end: usize) -> Option<u32> {
    let number = u32::try_from(word).ok()?;
    ((number as usize) < end).then_some(number)
}

/// A time or rate: finite, and not negative.
fn quantity(word: u64) -> Option<f64> {
    let value = f64::from_bits(word);
    (value.is_finite() && value >= 0.0).then_some(value)
}
