//! Models the network `bus`: one medium for all nodes, which only one message can use at a time.

use std::collections::BTreeSet;

use prophet_runtime::flows::{Contention, FlowId, Slots, Wire};
use prophet_runtime::{HardwareModel, Setting, Values};

/// Description of the model for machines and command lines.
pub(crate) const MODEL: HardwareModel = HardwareModel::network("bus", make)
    .with_settings(&[Setting::seconds("arbitration", "the time to acquire the bus").or(0.0)])
    .with_work("two events per message");

fn make(settings: Values<'_>, wires: &[Wire]) -> Box<dyn Contention> {
    let bytes_per_s = wires.iter().map(|wire| wire.capacity.bytes_per_s);
    Box::new(Bus {
        arbitration_s: settings.get("arbitration"),
        bytes_per_s: bytes_per_s.collect(),
        ..Bus::default()
    })
}

/// A bus, and the messages that use it or wait for it.
#[derive(Debug, Default)]
struct Bus {
    arbitration_s: f64,
    /// Bandwidth of each link to the bus.
    bytes_per_s: Vec<f64>,
    flows: Slots,
    /// Messages by number.
    messages: Vec<Message>,
    /// Waiting messages, by the bits of the time at which they asked for the bus.
    waiting: BTreeSet<(u64, FlowId)>,
    using: Option<Using>,
}

/// A message, and the slowest link on its way.
#[derive(Debug, Clone, Copy)]
struct Message {
    link: Option<u32>,
    bytes: f64,
    /// When it asks for the bus.
    ask_s: f64,
    /// How long it has waited for other messages.
    queued_s: f64,
}

/// A message that is using the bus.
#[derive(Debug, Clone, Copy)]
struct Using {
    flow: FlowId,
    /// Bytes that are left.
    bytes: f64,
    since_s: f64,
}

impl Bus {
    /// Returns a message's rate in bytes per second.
    fn rate(&self, flow: FlowId) -> f64 {
        let link = self.messages[flow.slot()].link;
        link.map_or(f64::INFINITY, |link| self.bytes_per_s[link as usize])
    }

    fn end_s(&self, using: Using) -> f64 {
        using.since_s + using.bytes / self.rate(using.flow)
    }

    /// If it is time, ends the message that is using the bus, or gives the bus to the next message.
    fn step(&mut self, now_s: f64, ended: &mut Vec<FlowId>) -> bool {
        if let Some(using) = self.using {
            if self.end_s(using) > now_s {
                return false;
            }
            ended.push(using.flow);
            self.flows.retire(using.flow);
            self.using = None;
            return true;
        }
        let first = self.waiting.first().copied();
        let Some((ask, flow)) = first.filter(|(ask, _)| f64::from_bits(*ask) <= now_s) else {
            return false;
        };
        self.waiting.remove(&(ask, flow));
        let message = &mut self.messages[flow.slot()];
        message.queued_s = now_s - message.ask_s;
        self.using = Some(Using {
            flow,
            bytes: self.messages[flow.slot()].bytes,
            since_s: now_s + self.arbitration_s,
        });
        true
    }
}

impl Contention for Bus {
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        _weight: f64,
        bytes: f64,
    ) -> FlowId {
        let flow = self.flows.take();
        let rate = |link: &&u32| self.bytes_per_s[**link as usize];
        let slowest = route.iter().min_by(|a, b| rate(a).total_cmp(&rate(b)));
        let message = Message {
            link: slowest.copied(),
            bytes,
            ask_s: now_s + latency_s,
            queued_s: 0.0,
        };
        if flow.slot() == self.messages.len() {
            self.messages.push(message);
        } else {
            self.messages[flow.slot()] = message;
        }
        self.waiting.insert((message.ask_s.to_bits(), flow));
        flow
    }

    fn next_s(&mut self) -> f64 {
        match (self.using, self.waiting.first()) {
            (Some(using), _) => self.end_s(using),
            (None, Some((ask, _))) => f64::from_bits(*ask),
            (None, None) => f64::INFINITY,
        }
    }

    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        self.flows.vacate();
        while self.step(now_s, ended) {}
        ended.sort_unstable();
    }

    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64) {
        if let Some(mut using) = self.using.filter(|using| using.since_s < now_s) {
            using.bytes -= (now_s - using.since_s) * self.rate(using.flow);
            using.since_s = now_s;
            self.using = Some(using);
        }
        self.bytes_per_s[link as usize] = bytes_per_s;
    }

    fn load(&self, link: u32) -> f64 {
        let using = self.using.map(|using| using.flow);
        let is_on = |flow: &FlowId| self.messages[flow.slot()].link == Some(link);
        using.filter(is_on).map_or(0.0, |flow| self.rate(flow))
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["queued_s"]
    }

    fn metrics(&self, flow: FlowId, values: &mut Vec<f64>) {
        values.push(self.messages[flow.slot()].queued_s);
    }
}

#[cfg(test)]
mod tests {
    use prophet_runtime::flows::Capacity;

    use super::*;

    /// A bus with two links of 1 KB/s. It takes 1 s to get the bus.
    fn bus() -> Box<dyn Contention> {
        let wire = Wire {
            capacity: Capacity::shared(1000.0),
            latency_s: 0.0,
        };
        make(Values::new(&[("arbitration", 1.0)]), &[wire; 2])
    }

    /// Returns when flows end.
    fn ends_s(bus: &mut dyn Contention) -> Vec<(FlowId, f64)> {
        let mut ends_s = Vec::new();
        loop {
            let now_s = bus.next_s();
            if now_s.is_infinite() {
                return ends_s;
            }
            let mut ended = Vec::new();
            bus.advance(now_s, &mut ended);
            ends_s.extend(ended.into_iter().map(|flow| (flow, now_s)));
        }
    }

    #[test]
    fn messages_take_turns() {
        let mut bus = bus();
        let late = bus.start(0.0, &[0], 2.0, 1.0, 1000.0);
        let early = bus.start(0.0, &[1], 1.0, 1.0, 3000.0);
        assert_eq!(ends_s(&mut *bus), [(early, 5.0), (late, 7.0)]);
    }

    #[test]
    fn a_slower_bus_delays_what_is_left() {
        let mut bus = bus();
        let flow = bus.start(0.0, &[0, 1], 0.0, 1.0, 2000.0);
        bus.advance(0.0, &mut Vec::new());
        bus.advance(2.0, &mut Vec::new());
        bus.set_capacity(2.0, 0, 500.0);
        assert_eq!(ends_s(&mut *bus), [(flow, 4.0)]);
    }
}
