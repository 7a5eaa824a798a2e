//! Simulates messages: who sends what and when, which receive takes it, and what both sides pay.

use super::cpus::Who;
use super::machine::{Machine, Network, Nic};
use super::open::Open;
use super::program::{Mode, Receive, Send};

#[derive(Debug)]
pub(crate) struct Message {
    from: Who,
    to: usize,
    tag: usize,
    bytes: u32,
    sent_s: f64,
    priced: bool,
    /// Whether it is waiting until its receive is posted.
    held_back: bool,
    /// When its envelope arrives.
    envelope_s: f64,
    /// When the whole message arrives, if known.
    pub(crate) arrival_s: Option<f64>,
    /// When its send is complete, if known.
    pub(crate) complete_s: Option<f64>,
    taken: bool,
}

#[derive(Debug)]
pub(crate) struct Posted {
    by: Who,
    source: Option<usize>,
    tag: usize,
    cost_s: Option<f64>,
    bytes_max: Option<u32>,
    since_s: f64,
    message: Option<usize>,
}

/// An operation that has been started and can be waited for, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Send(usize),
    Receive(usize),
}

/// What a unit pays for a receive.
#[derive(Debug)]
pub(crate) enum Charge {
    /// The unit continues at this time.
    Until(f64),
    /// The unit first needs the network interface, when no other unit can request it at this time.
    Interface,
}

/// The clocks of a network interface.
#[derive(Debug, Clone, Copy, Default)]
struct Interface {
    send_free_s: f64,
    receive_free_s: f64,
}

#[derive(Debug)]
pub(crate) struct Mail<'a> {
    machine: &'a Machine,
    pub(crate) messages: Vec<Message>,
    posted: Vec<Posted>,
    of_ranks: Vec<Interface>,
    of_nodes: Vec<Interface>,
    /// Messages that request their sender's interface, and the earliest time at which each could
    /// start.
    sends: Vec<(usize, f64)>,
    /// Units that request their rank's interface, and the message that each of them receives.
    receives: Vec<(Who, usize)>,
    /// The open question that decided something, if there is one.
    pub(crate) open: Option<Open>,
    /// Whether a message was larger than its receive allows.
    pub(crate) is_truncated: bool,
}

impl<'a> Mail<'a> {
    pub(crate) fn new(machine: &'a Machine) -> Self {
        Self {
            machine,
            messages: Vec::new(),
            posted: Vec::new(),
            of_ranks: vec![Interface::default(); machine.mapping.len()],
            of_nodes: vec![Interface::default(); machine.nodes],
            sends: Vec::new(),
            receives: Vec::new(),
            open: None,
            is_truncated: false,
        }
    }

    fn note(&mut self, met: bool, open: Open) {
        if met {
            self.open.get_or_insert(open);
        }
    }

    /// Sends a message. Returns its index, and when its sender is free, or `None` if the sender
    /// must wait.
    pub(crate) fn send(&mut self, who: Who, send: &Send, now_s: f64) -> (usize, Option<f64>) {
        let index = self.messages.len();
        let network = *self.machine.network_of(who.pid, send.dest);
        let mut message = Message {
            from: who,
            to: send.dest,
            tag: send.tag,
            bytes: send.bytes,
            sent_s: now_s,
            priced: send.cost_s.is_some(),
            held_back: send.cost_s.is_none() && network.holds_back(send.bytes),
            envelope_s: network.envelope_s(now_s),
            arrival_s: None,
            complete_s: None,
            taken: false,
        };
        let meets = self.messages.iter().any(|other| {
            let key = |it: &Message| (it.from.pid, it.to, it.tag);
            key(other) == key(&message) && other.from.unit != who.unit && other.sent_s >= now_s
        });
        self.note(meets, Open::Tags);
        let blocks = send.mode == Mode::Blocking;
        let free_s = if let Some(cost_s) = send.cost_s {
            let arrival_s = now_s + cost_s;
            message.envelope_s = arrival_s;
            (message.arrival_s, message.complete_s) = (Some(arrival_s), Some(arrival_s));
            Some(if blocks { arrival_s } else { now_s })
        } else if message.held_back {
            (!blocks).then_some(now_s)
        } else if network.interface(now_s, send.bytes).is_some() {
            // Its envelope can't arrive before the message has started.
            message.envelope_s = f64::INFINITY;
            self.sends.push((index, now_s));
            None
        } else {
            message.arrival_s = Some(network.arrival_s(now_s, send.bytes));
            message.complete_s = Some(now_s);
            Some(now_s)
        };
        self.messages.push(message);
        (index, free_s)
    }

    pub(crate) fn post(&mut self, who: Who, receive: &Receive, now_s: f64) -> usize {
        let meets = self.posted.iter().any(|other| {
            let meets = other.source == receive.source
                || other.source.is_none()
                || receive.source.is_none();
            let same = (other.by.pid, other.tag) == (who.pid, receive.tag);
            meets && same && other.by.unit != who.unit && other.since_s >= now_s
        });
        self.note(meets, Open::Tags);
        self.posted.push(Posted {
            by: who,
            source: receive.source,
            tag: receive.tag,
            cost_s: receive.cost_s,
            bytes_max: receive.bytes_max,
            since_s: now_s,
            message: None,
        });
        self.posted.len() - 1
    }

    /// Matches messages with receives as far as the matches are known. Returns `true` if there were
    /// any.
    pub(crate) fn match_all(&mut self, now_s: f64) -> bool {
        let mut any = false;
        for index in 0..self.posted.len() {
            if self.posted[index].message.is_some() || self.waits_for_older(index) {
                continue;
            }
            if let Some(message) = self.message_for(&self.posted[index], now_s) {
                self.posted[index].message = Some(message);
                self.messages[message].taken = true;
                let bytes_max = self.posted[index].bytes_max;
                self.is_truncated |=
                    bytes_max.is_some_and(|most| self.messages[message].bytes > most);
                self.begin_transfer(message, self.posted[index].since_s);
                any = true;
            }
        }
        any
    }

    /// Returns `true` if an older receive may still take a message that this receive could take.
    fn waits_for_older(&self, index: usize) -> bool {
        let receive = &self.posted[index];
        self.posted[..index].iter().any(|older| {
            older.message.is_none()
                && older.source.is_none()
                && (older.by.pid, older.tag) == (receive.by.pid, receive.tag)
        })
    }

    /// Returns the message that a receive takes, if it is known.
    fn message_for(&self, receive: &Posted, now_s: f64) -> Option<usize> {
        let oldest_of = |source: usize| {
            let fits = |message: &&usize| {
                let message = &self.messages[**message];
                let ends = (message.from.pid, message.to, message.tag);
                !message.taken && ends == (source, receive.by.pid, receive.tag)
            };
            let indices: Vec<usize> = (0..self.messages.len()).collect();
            let age = |index: &&usize| {
                let message = &self.messages[**index];
                (message.sent_s, message.from.tid, **index)
            };
            let fitting = indices.iter().filter(fits);
            fitting
                .min_by(|a, b| age(a).partial_cmp(&age(b)).expect("times are numbers"))
                .copied()
        };
        let Some(source) = receive.source else {
            let oldest = (0..self.machine.mapping.len()).filter_map(oldest_of);
            let there = oldest.filter(|index| self.messages[*index].envelope_s <= now_s);
            let key = |index: &usize| {
                let message = &self.messages[*index];
                (message.envelope_s, message.from.pid)
            };
            return there.min_by(|a, b| key(a).partial_cmp(&key(b)).expect("times are numbers"));
        };
        oldest_of(source)
    }

    /// Starts a message that has been waiting for its receive.
    fn begin_transfer(&mut self, index: usize, posted_s: f64) {
        let message = &mut self.messages[index];
        if !message.held_back {
            return;
        }
        let start_s = message.sent_s.max(posted_s);
        let network = self.machine.network_of(message.from.pid, message.to);
        if network.interface(start_s, message.bytes).is_some() {
            self.sends.push((index, start_s));
            return;
        }
        let arrival_s = network.arrival_s(start_s, message.bytes);
        (message.arrival_s, message.complete_s) = (Some(arrival_s), Some(arrival_s));
    }

    /// Returns a process's interface for messages to and from another process.
    fn interface(&mut self, own: usize, other: usize) -> &mut Interface {
        let mapping = &self.machine.mapping;
        if self.machine.nic == Nic::Node && mapping[own] != mapping[other] {
            &mut self.of_nodes[mapping[own]]
        } else {
            &mut self.of_ranks[own]
        }
    }

    /// Assigns interfaces to units that have requested them, by pid, tid, and posting. Returns the
    /// units that receive, each with until when. Senders find this in their messages.
    pub(crate) fn serve_interfaces(&mut self, now_s: f64) -> (bool, Vec<(usize, f64)>) {
        let mut sends = std::mem::take(&mut self.sends);
        let any = !sends.is_empty() || !self.receives.is_empty();
        sends.sort_by_key(|(index, _)| {
            let from = self.messages[*index].from;
            (from.pid, from.tid, *index)
        });
        for (index, from_s) in sends {
            self.start(index, from_s);
        }
        let mut receives = std::mem::take(&mut self.receives);
        receives.sort_by_key(|(who, _)| (who.pid, who.tid));
        let ends = receives
            .into_iter()
            .map(|(who, index)| (who.unit, self.receive(who.pid, index, now_s)));
        (any, ends.collect())
    }

    fn start(&mut self, index: usize, from_s: f64) {
        let message = &self.messages[index];
        let (own, other, bytes) = (message.from.pid, message.to, message.bytes);
        let network = *self.machine.network_of(own, other);
        let interface = self.interface(own, other);
        let start_s = from_s.max(interface.send_free_s);
        let (busy_s, free_s) = network
            .interface(start_s, bytes)
            .expect("only such networks have interfaces");
        interface.send_free_s = free_s;
        let message = &mut self.messages[index];
        let arrival_s = network.arrival_s(start_s, bytes);
        message.arrival_s = Some(arrival_s);
        if message.held_back {
            message.complete_s = Some(arrival_s);
        } else {
            message.complete_s = Some(busy_s);
            message.envelope_s = network.envelope_s(start_s);
        }
    }

    /// Receives a message that has arrived. Returns until when.
    fn receive(&mut self, own: usize, index: usize, now_s: f64) -> f64 {
        let message = &self.messages[index];
        let (other, bytes) = (message.from.pid, message.bytes);
        let arrival_s = message.arrival_s.expect("it is there");
        let network = *self.machine.network_of(own, other);
        let asked_s = now_s.max(arrival_s);
        let interface = self.interface(own, other);
        let start_s = asked_s.max(interface.receive_free_s);
        let (busy_s, free_s) = network
            .interface(start_s, bytes)
            .expect("only such networks have interfaces");
        interface.receive_free_s = free_s;
        busy_s
    }

    /// Returns when the message for a receive arrives, if it is known.
    pub(crate) fn arrival_s(&self, receive: usize) -> Option<f64> {
        self.messages[self.posted[receive].message?].arrival_s
    }

    /// Charges a unit for a receive whose message has arrived.
    pub(crate) fn charge(&mut self, who: Who, receive: usize, now_s: f64) -> Charge {
        let receive = &self.posted[receive];
        let index = receive.message.expect("it has one");
        let message = &self.messages[index];
        if let Some(cost_s) = receive.cost_s {
            return Charge::Until(now_s + cost_s);
        }
        let network: &Network = self.machine.network_of(who.pid, message.from.pid);
        if message.priced || network.interface(now_s, message.bytes).is_none() {
            return Charge::Until(now_s);
        }
        self.receives.push((who, index));
        Charge::Interface
    }

    /// Returns the next time at which an envelope or a message arrives.
    pub(crate) fn next_s(&self, now_s: f64) -> f64 {
        let times = self
            .messages
            .iter()
            .flat_map(|message| [Some(message.envelope_s), message.arrival_s]);
        times
            .flatten()
            .filter(|time_s| *time_s > now_s)
            .fold(f64::INFINITY, f64::min)
    }
}
