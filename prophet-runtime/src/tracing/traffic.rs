//! Records messages on shared links, the loads of links, and the work of accelerators.

use prophet_map::Map;
use prophet_platform::{Platform, Sharing};
use prophet_trace::{
    Flow, FlowMetric, Hop, LinkLoad, NetworkLink, Operation, Record, TracedNetwork, Traffic,
    UnitState,
};

use super::{CHUNK, Span, Tracer, Tracing};
use crate::kernel::Kernel;

/// Maximum size in bytes of the drawing of a network in a trace.
const PICTURE_BYTES_MAX: usize = 1 << 20;

/// The traffic that has been recorded, and the parts of the network that were used.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// The messages in transit, by the number that the network gave them.
    flows: Vec<Begun>,
    routes: Map<(u32, u32), u32>,
    /// The number of the route without links, once there is one.
    without_links: Option<u32>,
    /// The number of each link in the trace, by its number in the platform.
    numbers: Map<u32, u32>,
    network: TracedNetwork,
    /// The latest load of each link, with its index among the loads that haven't been passed on.
    last: Vec<(LinkLoad, usize)>,
    chunk: Traffic,
}

/// A message in transit. Until its end is known, the end equals the start.
#[derive(Debug, Clone, Copy)]
struct Begun {
    flow: Flow,
    element: u32,
}

/// A message that is sent over links.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetOut {
    pub(crate) sender: u32,
    /// The message's number among all messages of its sender.
    pub(crate) message: u32,
    pub(crate) receiver: u32,
    pub(crate) element: u32,
    pub(crate) bytes: u64,
    pub(crate) start_s: f64,
}

/// The way of a message: the nodes at its ends, and the links between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) ends: (u32, u32),
    pub(crate) links: &'a [u32],
    pub(crate) platform: &'a Platform,
}

/// The model's metrics for a message that has arrived: their names and values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metrics {
    pub(crate) names: &'static [&'static str],
    pub(crate) values: Vec<f64>,
}

impl Recorded {
    /// Adds the metrics of a flow. NaN values are omitted.
    fn add_metrics(&mut self, flow: &Flow, metrics: &Metrics) {
        if self.network.metrics.len() < metrics.names.len() {
            let names = metrics.names.iter().map(ToString::to_string);
            self.network.metrics = names.collect();
        }
        let values = metrics.names.iter().zip(&metrics.values);
        for (name, (_, value)) in (0..).zip(values).filter(|it| it.1.1.is_finite()) {
            self.chunk.metrics.push(FlowMetric {
                sender: flow.sender,
                message: flow.message,
                name,
                value: *value,
            });
        }
    }

    /// Returns the number of a route. Records the route when it is first used.
    fn route(&mut self, way: Way<'_>) -> u32 {
        if let Some(number) = self.routes.get(&way.ends) {
            return *number;
        }
        let number = match self.without_links {
            Some(number) if way.links.is_empty() => number,
            _ => self.add_route(way),
        };
        self.routes.insert(way.ends, number);
        number
    }

    fn add_route(&mut self, way: Way<'_>) -> u32 {
        let route = self.network.routes;
        if route == 0 {
            let picture = Some(way.platform.draw());
            self.network.picture = picture.filter(|it| it.len() <= PICTURE_BYTES_MAX);
        }
        self.network.routes += 1;
        if way.links.is_empty() {
            self.without_links = Some(route);
        }
        for link in way.links {
            let link = self.link(*link, way.platform);
            self.chunk.hops.push(Hop { route, link });
        }
        route
    }

    fn link(&mut self, link: u32, platform: &Platform) -> u32 {
        let Self {
            numbers,
            network,
            last,
            ..
        } = self;
        *numbers.get_or_insert_with(link, || {
            let known = &platform.links()[link as usize];
            let used = NetworkLink {
                name: known.name.clone(),
                number: link,
                bytes_per_s: known.bytes_per_s.min(f64::MAX),
                latency_s: known.latency_s,
                background: known.background,
                is_fatpipe: known.sharing == Sharing::Fatpipe,
            };
            #[expect(clippy::cast_possible_truncation, reason = "links have 32 bits")]
            let number = network.links.len() as u32;
            let idle = LinkLoad {
                time_s: 0.0,
                link: number,
                flows: 0,
                bytes_per_s: 0.0,
                capacity_bytes_per_s: used.capacity_bytes_per_s(),
                bandwidth_bytes_per_s: used.bytes_per_s,
            };
            last.push((idle, usize::MAX));
            network.links.push(used);
            number
        })
    }

    /// Adds a load, unless the link already has it. If there are several at the same time, the last
    /// one counts.
    fn add(&mut self, load: LinkLoad) {
        let (last, place) = &mut self.last[load.link as usize];
        if *last
            == (LinkLoad {
                time_s: last.time_s,
                ..load
            })
        {
            return;
        }
        *last = load;
        let loads = &mut self.chunk.loads;
        let is_same = |it: &&mut LinkLoad| it.link == load.link && it.time_s >= load.time_s;
        if let Some(before) = loads.get_mut(*place).filter(is_same) {
            *before = load;
        } else {
            *place = loads.len();
            loads.push(load);
        }
    }

    /// Takes the traffic that must be passed on, if there is a lot.
    fn much(&mut self) -> Option<Traffic> {
        let Traffic {
            hops,
            flows,
            loads,
            metrics,
            ..
        } = &self.chunk;
        let lengths = [hops.len(), flows.len(), loads.len(), metrics.len()];
        let is_much = lengths.iter().any(|length| *length >= CHUNK);
        is_much.then(|| std::mem::take(&mut self.chunk))
    }
}

impl Tracing<'_> {
    /// Returns `true` if messages on shared links are recorded.
    pub(crate) fn traces_links(&self) -> bool {
        self.tracer.is_some_and(Tracer::takes_network)
    }

    /// Records that a message is sent over shared links. `number` is the network's number for it.
    pub(crate) fn trace_sets_out(&self, number: u32, message: SetOut, way: Way<'_>) {
        if let Some(tracer) = self.tracer.filter(|tracer| tracer.takes_network()) {
            tracer.sets_out(number, message, way);
        }
    }

    /// Records that message `number` has arrived, with its `metrics`.
    pub(crate) fn trace_there(&self, number: u32, metrics: impl FnOnce() -> Metrics) {
        if let Some(tracer) = self.tracer.filter(|tracer| tracer.takes_network()) {
            tracer.there(self, number, &metrics());
        }
    }

    /// Records what accelerators did during the whole run.
    pub(crate) fn trace_operations(&self, mut operations: Vec<Operation>) {
        if let Some(tracer) = self.tracer {
            operations.retain(|it| {
                let span = (it.start_s, it.end_s);
                tracer.takes(self, it.pid, it.element, span)
            });
            tracer.traffic.borrow_mut().chunk.operations = operations;
        }
    }

    /// Records loads of links, which apply from now on. Each comes with the bandwidth of its link.
    pub(crate) fn trace_loads(&self, loads: impl Iterator<Item = (prophet_contention::Load, f64)>) {
        if let Some(tracer) = self.tracer {
            tracer.loads(self.now_s(), loads);
        }
    }
}

impl Tracer {
    fn takes_network(&self) -> bool {
        self.file.is_some() && self.filter.takes_network()
    }

    fn sets_out(&self, number: u32, message: SetOut, way: Way<'_>) {
        let mut traffic = self.traffic.borrow_mut();
        let begun = Begun {
            flow: Flow {
                sender: message.sender,
                message: message.message,
                receiver: message.receiver,
                route: traffic.route(way),
                bytes: message.bytes,
                start_s: message.start_s,
                end_s: message.start_s,
            },
            element: message.element,
        };
        let place = number as usize;
        if place >= traffic.flows.len() {
            traffic.flows.resize(place + 1, begun);
        }
        traffic.flows[place] = begun;
    }

    fn there(&self, kernel: &Kernel<'_>, number: u32, metrics: &Metrics) {
        let mut traffic = self.traffic.borrow_mut();
        let Begun { mut flow, element } = traffic.flows[number as usize];
        flow.end_s = kernel.now_s().max(flow.start_s);
        if self.takes_flow(kernel, &flow, element) {
            traffic.chunk.flows.push(flow);
            traffic.add_metrics(&flow, metrics);
            self.pass_on_much(&mut traffic);
        }
    }

    /// Returns `true` if the filter accepts an element's message, because of its sender or its
    /// receiver.
    fn takes_flow(&self, kernel: &Kernel<'_>, flow: &Flow, element: u32) -> bool {
        let takes = |pid| self.takes(kernel, pid, element, (flow.start_s, flow.end_s));
        takes(flow.sender) || takes(flow.receiver)
    }

    /// Returns `true` if the filter accepts what an element of a process does in a span.
    fn takes(&self, kernel: &Kernel<'_>, pid: u32, element: u32, span: Span) -> bool {
        let record = Record::new(pid, 0, UnitState::Content, span.0, span.1);
        self.filter.takes_all() || self.filter.takes(kernel, &record.element(element))
    }

    fn loads(&self, time_s: f64, loads: impl Iterator<Item = (prophet_contention::Load, f64)>) {
        if time_s > self.filter.last_s() {
            return;
        }
        let mut traffic = self.traffic.borrow_mut();
        for (load, bandwidth_bytes_per_s) in loads {
            // All other links haven't been on any route yet.
            if let Some(link) = traffic.numbers.get(&load.link).copied() {
                traffic.add(LinkLoad {
                    time_s,
                    link,
                    flows: u32::try_from(load.flows).unwrap_or(u32::MAX),
                    bytes_per_s: load.bytes_per_s.min(f64::MAX),
                    capacity_bytes_per_s: load.capacity_bytes_per_s.min(f64::MAX),
                    bandwidth_bytes_per_s: bandwidth_bytes_per_s.min(f64::MAX),
                });
            }
        }
        self.pass_on_much(&mut traffic);
    }

    fn pass_on_much(&self, traffic: &mut Recorded) {
        if let (Some(much), Some(file)) = (traffic.much(), &self.file) {
            file.add_traffic(much);
        }
    }

    /// Takes the traffic that is left to pass on at the end, and the parts of the network that were
    /// used.
    pub(super) fn take_traffic(&self) -> (Traffic, TracedNetwork) {
        let mut traffic = self.traffic.borrow_mut();
        let network = std::mem::take(&mut traffic.network);
        (std::mem::take(&mut traffic.chunk), network)
    }
}
