//! Tracks messages on links that they share between nodes.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use prophet_contention::{Contention, FlowId, Load};
use prophet_machine::fabric::{Fabric, Fairness};
use prophet_platform::{NoRoute, Platform, Route};

use crate::kernel::Kernel;
use crate::messages::letter::Transfer;
use crate::messages::letter::{Letter, Post};
use crate::tracing::{Metrics, Way};

/// The links between a system's nodes, and the messages on them.
#[derive(Debug)]
pub(crate) struct Links {
    platform: Arc<Platform>,
    fairness: Fairness,
    model: RefCell<Box<dyn Contention>>,
    messages: RefCell<Messages>,
    /// The message of each flow, by the flow's number in the model. The model reuses the numbers of
    /// flows that have ended.
    carried: RefCell<Vec<u32>>,
    /// Whether flows have started or ended since the alarm was last set.
    changed: Cell<bool>,
    /// The latest route, without changes of its links. `ends` are the nodes that it connects.
    route: RefCell<Route>,
    ends: Cell<Option<(u32, u32)>>,
    travelling: Cell<u32>,
    ended: RefCell<Vec<FlowId>>,
}

/// The messages in transit, by number. The numbers of messages that have ended are reused.
#[derive(Debug, Default)]
struct Messages {
    all: Vec<Flow>,
    free: Vec<u32>,
}

impl Messages {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "4 G messages do not fit in memory"
    )]
    pub(crate) fn insert(&mut self, flow: Flow) -> u32 {
        if let Some(number) = self.free.pop() {
            self.all[number as usize] = flow;
            return number;
        }
        self.all.push(flow);
        (self.all.len() - 1) as u32
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Flow {
    pub(crate) state: State,
    /// The message's number among all messages of its sender, set only while tracing.
    pub(crate) message: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum State {
    /// The message is in transit, and hasn't been matched.
    Travels,
    /// The message is in transit, and rank `dest` is waiting for it.
    Awaited {
        letter: Letter,
        dest: u32,
        post: Post,
    },
    /// The message has been in transit since `start_s`. Both its sender and its receiver are
    /// waiting for it.
    Transfers { transfer: Transfer, start_s: f64 },
    /// The message has arrived but hasn't been matched.
    There { arrival_s: f64 },
}

impl Links {
    /// Creates the links between a system's nodes. Returns `None` if messages don't share links.
    pub(crate) fn of(kernel: &Kernel<'_>) -> Option<Self> {
        let system = kernel.system;
        let fabric = system.fabric.as_ref()?;
        // Networks that don't fit the system are rejected before the run.
        let built = || fabric.platform(system.nodes).ok();
        let platform = kernel.changing_platform().or_else(built)?;
        Some(Self {
            model: RefCell::new(fabric.contention(&platform)),
            platform,
            fairness: fabric.fairness(),
            messages: RefCell::default(),
            carried: RefCell::default(),
            changed: Cell::new(false),
            route: RefCell::default(),
            ends: Cell::new(None),
            travelling: Cell::new(0),
            ended: RefCell::default(),
        })
    }

    /// From now on, simulates repeated phases of messages only once, if the network's model can do
    /// that.
    pub(crate) fn memoize(&self, fabric: &Fabric) {
        if let Some(memoized) = fabric.memoized(&self.platform) {
            self.model.replace(memoized);
        }
    }

    /// Returns the number of phases of messages, and how many of these weren't simulated. Returns
    /// `None` if the model doesn't count them.
    pub(crate) fn phases(&self) -> Option<(u64, u64)> {
        self.model.borrow().phases()
    }

    /// Starts the flow of a message of `bytes` bytes between two nodes, after `delay_s`. Returns
    /// the message's number.
    pub(crate) fn start(
        &self,
        kernel: &Kernel<'_>,
        delay_s: f64,
        ends: (u32, u32),
        bytes: f64,
        message: Flow,
    ) -> Result<u32, NoRoute> {
        let now_s = kernel.now_s();
        self.change(kernel);
        let route_s = self.find(kernel, ends)?;
        let weight = match self.fairness {
            Fairness::Rtt if route_s > 0.0 => 1.0 / route_s,
            Fairness::Rtt | Fairness::MaxMin => 1.0,
        };
        let links = &self.route.borrow().links;
        let mut model = self.model.borrow_mut();
        let flow = model.start(now_s, links, delay_s + route_s, weight, bytes);
        let flow = flow.slot();
        self.changed.set(true);
        let message = self.messages.borrow_mut().insert(message);
        let mut carried = self.carried.borrow_mut();
        if flow >= carried.len() {
            carried.resize(flow + 1, 0);
        }
        carried[flow] = message;
        self.travelling.set(self.travelling.get() + 1);
        Ok(message)
    }

    pub(crate) fn look(&self, ends: (u32, u32), look: impl FnOnce(Way<'_>)) {
        look(Way {
            ends,
            links: &self.route.borrow().links,
            platform: &self.platform,
        });
    }

    /// Starts recording which loads change.
    pub(crate) fn watch_loads(&self) {
        self.model.borrow_mut().take_loads(&mut Vec::new());
    }

    /// Returns the loads that may have changed since the last call, each with the bandwidth of its
    /// link.
    pub(crate) fn loads(&self, kernel: &Kernel<'_>) -> impl Iterator<Item = (Load, f64)> {
        let mut loads = Vec::new();
        self.model.borrow_mut().take_loads(&mut loads);
        let bandwidth = move |load: &Load| {
            let changed = kernel.look_at_changes(|changes| changes.bytes_per_s(load.link));
            let described = &self.platform.links()[load.link as usize];
            changed.flatten().unwrap_or(described.bytes_per_s)
        };
        loads.into_iter().map(move |load| (load, bandwidth(&load)))
    }

    /// Returns the model's metrics for a flow that has just ended.
    pub(crate) fn metrics(&self, flow: FlowId) -> Metrics {
        let model = self.model.borrow();
        let mut values = Vec::new();
        model.metrics(flow, &mut values);
        Metrics {
            names: model.metric_names(),
            values,
        }
    }

    /// Applies the changes of links up to now.
    fn change(&self, kernel: &Kernel<'_>) {
        kernel.look_at_changes(|changes| {
            while let Some((link, bytes_per_s)) = changes.take_link() {
                let mut model = self.model.borrow_mut();
                model.set_capacity(kernel.now_s(), link, bytes_per_s);
                self.changed.set(true);
            }
        });
    }

    /// Returns the time of the next event among the messages in transit, or infinity if there are
    /// none.
    pub(crate) fn next_s(&self, kernel: &Kernel<'_>) -> f64 {
        if self.travelling.get() == 0 {
            return f64::INFINITY;
        }
        // The changes of this instant may already have been seen.
        if kernel.look_at_changes(|changes| changes.has_links()) == Some(true) {
            return kernel.now_s();
        }
        let change_s = kernel.next_change_s();
        self.model.borrow_mut().next_s().min(change_s)
    }

    /// Finds the route between two nodes, unless it is the latest one. Returns the sum of its
    /// links' current latencies, in seconds.
    fn find(&self, kernel: &Kernel<'_>, ends: (u32, u32)) -> Result<f64, NoRoute> {
        let mut route = self.route.borrow_mut();
        if self.ends.replace(None) != Some(ends) {
            self.platform.route(ends.0, ends.1, &mut route)?;
        }
        self.ends.set(Some(ends));
        let more_s = kernel.look_at_changes(|changes| changes.more_s(&route.links));
        Ok(route.latency_s + more_s.unwrap_or(0.0))
    }

    /// Returns the sum of the latencies between two nodes, in seconds. If there is no route,
    /// returns 0, because the message will report that.
    pub(crate) fn latency_s(&self, kernel: &Kernel<'_>, from: u32, to: u32) -> f64 {
        self.find(kernel, (from, to)).unwrap_or(0.0)
    }

    pub(crate) fn get(&self, message: u32) -> Flow {
        self.messages.borrow().all[message as usize]
    }

    pub(crate) fn set(&self, message: u32, state: State) {
        self.messages.borrow_mut().all[message as usize].state = state;
    }

    pub(crate) fn forget(&self, message: u32) {
        self.messages.borrow_mut().free.push(message);
    }

    pub(crate) fn message_of(&self, flow: FlowId) -> u32 {
        self.carried.borrow()[flow.slot()]
    }

    /// Returns `true` if flows have started or ended since the last call.
    pub(crate) fn take_changed(&self) -> bool {
        self.changed.take()
    }

    /// Keeps an emptied list of flows for reuse.
    pub(crate) fn reuse(&self, ended: Vec<FlowId>) {
        self.ended.replace(ended);
    }

    /// Ends the flows that are over by now, and returns them.
    pub(crate) fn advance(&self, kernel: &Kernel<'_>) -> Vec<FlowId> {
        let mut ended = self.ended.take();
        ended.clear();
        self.model.borrow_mut().advance(kernel.now_s(), &mut ended);
        self.change(kernel);
        let mut travelling = self.travelling.get();
        travelling -= u32::try_from(ended.len()).unwrap_or(travelling);
        self.travelling.set(travelling);
        self.changed.set(true);
        ended
    }
}
