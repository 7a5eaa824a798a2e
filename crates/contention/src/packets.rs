//! Models messages as packets that queue at each link.

use std::collections::{BTreeSet, VecDeque};

use crate::capacity::checked;
use crate::heap::Heap;
use crate::noted::Noted;
use crate::slots::{Slots, put};
use crate::{Capacity, Contention, FlowId, Load};

/// How many packets of a message can queue if its route is full. This is enough for the message to
/// get its share of a link, within a few percent.
const QUEUED: u64 = 16;
/// Relative difference between latencies that counts as a rounding error.
const SAME: f64 = 1e-12;

/// A link in a packet network: its capacity, and how long packets travel on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    /// The bandwidth of the link.
    pub capacity: Capacity,
    /// Time from when a packet has entered the link until it reaches the other end, in seconds.
    pub latency_s: f64,
}

/// A store-and-forward network of packets.
///
/// A message is sent as packets of equal size, except that the last can be smaller. At each link,
/// packets queue first in, first out. A packet takes bytes / bandwidth to enter the link, and then
/// travels for the link's latency. A message offers its next packet to its first link when the
/// packet before it has entered the link, so that messages from the same sender take turns. It does
/// so only while the number of its packets in transit is below its window. The window is the number
/// of packets that a free route can carry at a time, plus a few that can queue, or the number set
/// with [`Self::with_window`]. The model assumes that senders find out immediately which packets
/// have arrived. Without a window, messages would share a queue in proportion to their arrival
/// rates, and senders that are slowed down elsewhere would get less than their share.
///
/// On a FATPIPE link, each message has its own queue. If packets reach a queue at the same time,
/// the packet from the link with the lower number goes first. The time to simulate a network grows
/// with the number of packets and the lengths of their routes.
///
/// If the latency of a message exceeds the sum of its links' latencies, the message waits for the
/// difference before it is sent. Weights have no effect.
///
/// # Panics
///
/// Panics under the same conditions as [`Fluid`].
///
/// [`Fluid`]: crate::Fluid
#[derive(Debug)]
pub struct Packets {
    now_s: f64,
    packet_bytes: f64,
    /// Maximum number of a message's packets in transit; `None` if it depends on the route.
    window: Option<u64>,
    link_count: usize,
    /// Queues of all links, followed by the queues of messages on FATPIPE links.
    queues: Vec<PacketQueue>,
    /// Unused queues of FATPIPE links.
    spare: Vec<u32>,
    messages: Vec<Message>,
    slots: Slots,
    /// Two times for each queue q. Number 2q is when its first packet has entered the link, and
    /// number 2q + 1 is when the first packet on the link reaches the end of the link.
    events: Heap,
    /// For each slot, when its message starts or, if it has nothing to send, ends.
    delays: Heap,
    noted: Noted,
}

/// Packets that wait for a link or travel on it.
#[derive(Debug)]
struct PacketQueue {
    link: u32,
    wire: Wire,
    /// Waiting packets. The first of them is entering the link.
    waiting: VecDeque<Packet>,
    /// Bytes of the first waiting packet that hadn't entered the link at `since_s`.
    bytes_left: f64,
    since_s: f64,
    /// Packets on the link, with the times when they reach its end.
    traveling: VecDeque<(f64, Packet)>,
}

#[derive(Debug, Clone, Copy)]
struct Packet {
    message: u32,
    /// Index of the queue in the route.
    hop: u32,
    bytes: f64,
}

#[derive(Debug)]
struct Message {
    id: FlowId,
    /// Queues that the message's packets pass through.
    route: Vec<u32>,
    /// Bytes that haven't been offered to the first link.
    bytes_left: f64,
    /// Number of packets that have been offered, but haven't arrived.
    on_the_way: u64,
    /// Maximum value of `on_the_way`.
    window: u64,
    /// Whether an offered packet hasn't entered the first link yet.
    is_offering: bool,
}

impl PacketQueue {
    fn new(link: u32, wire: Wire) -> Self {
        checked(wire.capacity.bytes_per_s);
        assert!(
            wire.latency_s >= 0.0,
            "invalid latency: {} s",
            wire.latency_s
        );
        Self {
            link,
            wire,
            waiting: VecDeque::new(),
            bytes_left: 0.0,
            since_s: 0.0,
            traveling: VecDeque::new(),
        }
    }

    /// Returns when the first packet will have entered the link.
    fn entered_s(&self) -> f64 {
        if self.bytes_left > 0.0 {
            self.since_s + self.bytes_left / self.wire.capacity.bytes_per_s
        } else {
            self.since_s
        }
    }
}

impl Packets {
    /// Creates a network without messages. Its links are numbered from 0, in this order.
    ///
    /// # Panics
    ///
    /// Panics if `packet_bytes` is 0, or if a capacity or latency is negative or not a number.
    pub fn new(packet_bytes: f64, links: impl IntoIterator<Item = Wire>) -> Self {
        assert!(
            packet_bytes > 0.0,
            "invalid packet size: {packet_bytes} bytes"
        );
        let queues: Vec<PacketQueue> = (0..)
            .zip(links)
            .map(|it| PacketQueue::new(it.0, it.1))
            .collect();
        Self {
            now_s: 0.0,
            packet_bytes,
            window: None,
            link_count: queues.len(),
            queues,
            spare: Vec::new(),
            messages: Vec::new(),
            slots: Slots::default(),
            events: Heap::default(),
            delays: Heap::default(),
            noted: Noted::default(),
        }
    }

    /// Sets the maximum number of packets that each message can have in transit, no matter what its
    /// route is.
    ///
    /// # Panics
    ///
    /// Panics if `packets` is 0.
    #[must_use]
    pub fn with_window(self, packets: u64) -> Self {
        assert!(packets > 0, "the window must hold at least one packet");
        Self {
            window: Some(packets),
            ..self
        }
    }

    /// Removes all messages and resets the clock to 0.
    pub(crate) fn restart(&mut self) {
        let is_idle = self.next_s() == f64::INFINITY;
        self.now_s = 0.0;
        self.queues.truncate(self.link_count);
        for queue in self.queues.iter_mut().filter(|_| !is_idle) {
            queue.waiting.clear();
            queue.traveling.clear();
        }
        self.spare.clear();
        self.messages.clear();
        self.slots = Slots::default();
        self.events = Heap::default();
        self.delays = Heap::default();
    }

    /// Returns how long a message waits before sending, in seconds; 0 if it has nothing to send.
    pub(crate) fn delay_s(&self, route: &[u32], latency_s: f64, bytes: f64) -> f64 {
        if bytes == 0.0 || route.is_empty() {
            return 0.0;
        }
        let links = route
            .iter()
            .map(|it| self.queues[*it as usize].wire.latency_s);
        let delay_s = latency_s - links.sum::<f64>();
        // Sums of the same latencies can differ in their last bits.
        if delay_s <= SAME * latency_s {
            0.0
        } else {
            delay_s
        }
    }

    pub(crate) fn now_s(&self) -> f64 {
        self.now_s
    }

    /// Returns the shortest time for a packet to enter a link, in seconds.
    pub(crate) fn least_packet_s(&self) -> f64 {
        let capacities = self.queues.iter().map(|it| it.wire.capacity.bytes_per_s);
        self.packet_bytes / capacities.fold(0.0, f64::max)
    }

    fn reach(&mut self, now_s: f64) {
        assert!(now_s >= self.now_s, "{now_s} s is before {} s", self.now_s);
        self.now_s = now_s;
    }

    fn queue(&mut self, link: u32) -> u32 {
        assert!((link as usize) < self.link_count, "unknown link {link}");
        let wire = self.queues[link as usize].wire;
        if !wire.capacity.is_fatpipe {
            return link;
        }
        let spare = self.spare.pop();
        let number = spare
            .unwrap_or_else(|| u32::try_from(self.queues.len()).expect("fewer than 2^32 queues"));
        put(&mut self.queues, number, PacketQueue::new(link, wire));
        number
    }

    /// Returns the maximum number of a message's packets in transit on this route.
    fn window_of(queues: &[PacketQueue], packet_bytes: f64, route: &[u32]) -> u64 {
        let mut latency_s = 0.0;
        let mut least = f64::INFINITY;
        for &number in route {
            let wire = &queues[number as usize].wire;
            latency_s += wire.latency_s;
            least = least.min(wire.capacity.bytes_per_s);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "no number of packets is negative, and what is too large is as good as none"
        )]
        let traveling = (least * latency_s / packet_bytes).ceil() as u64;
        traveling.saturating_add(route.len() as u64 + QUEUED)
    }

    /// Offers the next packet of a message to its first link if the window allows it.
    fn offer(&mut self, slot: u32) {
        let message = &mut self.messages[slot as usize];
        let may = !message.is_offering && message.on_the_way < message.window;
        if may && message.bytes_left > 0.0 {
            message.is_offering = true;
            let bytes = message.bytes_left.min(self.packet_bytes);
            message.bytes_left -= bytes;
            message.on_the_way += 1;
            let packet = Packet {
                message: slot,
                hop: 0,
                bytes,
            };
            let first = message.route[0];
            self.wait(first, packet);
        }
    }

    /// Iterates over the queues of a link that contain waiting packets.
    fn busy(&self, link: u32) -> impl Iterator<Item = &PacketQueue> {
        // Shared queues come first, and have the same numbers as their links.
        let is_fatpipe = self.queues[link as usize].wire.capacity.is_fatpipe;
        let last = if is_fatpipe {
            self.queues.len()
        } else {
            link as usize + 1
        };
        let queues = self.queues[link as usize..last].iter();
        queues.filter(move |it| it.link == link && !it.waiting.is_empty())
    }

    fn wait(&mut self, queue: u32, packet: Packet) {
        self.noted.add(self.queues[queue as usize].link);
        let waiting = &mut self.queues[queue as usize].waiting;
        waiting.push_back(packet);
        if waiting.len() == 1 {
            self.enter(queue);
        }
    }

    /// Lets the first waiting packet of a queue start to enter the link.
    fn enter(&mut self, number: u32) {
        let queue = &mut self.queues[number as usize];
        if let Some(packet) = queue.waiting.front() {
            queue.bytes_left = packet.bytes;
            queue.since_s = self.now_s;
            self.events.set(2 * number, queue.entered_s());
        }
    }

    /// Moves the first waiting packet of a queue onto the link. It must have entered the link.
    fn travel(&mut self, number: u32) {
        let queue = &mut self.queues[number as usize];
        let packet = queue.waiting.pop_front().expect("it has entered the link");
        self.noted.add(queue.link);
        let arrival_s = self.now_s + queue.wire.latency_s;
        queue.traveling.push_back((arrival_s, packet));
        if queue.traveling.len() == 1 {
            self.events.set(2 * number + 1, arrival_s);
        }
        self.enter(number);
        if packet.hop == 0 {
            self.messages[packet.message as usize].is_offering = false;
            self.offer(packet.message);
        }
    }

    /// Moves the packet that has reached the end of a link to the next queue or to its destination.
    fn arrive(&mut self, number: u32, ended: &mut Vec<FlowId>) {
        let traveling = &mut self.queues[number as usize].traveling;
        let (_, packet) = traveling.pop_front().expect("it has traveled");
        if let Some(&(arrival_s, _)) = traveling.front() {
            self.events.set(2 * number + 1, arrival_s);
        }
        let message = &mut self.messages[packet.message as usize];
        let hop = packet.hop + 1;
        if let Some(&next) = message.route.get(hop as usize) {
            self.wait(next, Packet { hop, ..packet });
            return;
        }
        message.on_the_way -= 1;
        if message.on_the_way == 0 && message.bytes_left <= 0.0 {
            self.end(packet.message, ended);
        } else {
            self.offer(packet.message);
        }
    }

    /// Starts sending a message. Ends the message if it has nothing to send.
    fn begin(&mut self, slot: u32, ended: &mut Vec<FlowId>) {
        let message = &self.messages[slot as usize];
        if message.bytes_left > 0.0 && !message.route.is_empty() {
            self.offer(slot);
        } else {
            self.end(slot, ended);
        }
    }

    /// Handles the first event that is due.
    fn happen(&mut self, time_s: f64, ended: &mut Vec<FlowId>) {
        if let Some((_, slot)) = self.delays.first().filter(|it| it.0 <= time_s) {
            self.delays.pop();
            self.begin(slot, ended);
        } else if let Some((_, event)) = self.events.first() {
            self.events.pop();
            if event % 2 == 0 {
                self.travel(event / 2);
            } else {
                self.arrive(event / 2, ended);
            }
        }
    }

    fn end(&mut self, slot: u32, ended: &mut Vec<FlowId>) {
        let message = &self.messages[slot as usize];
        ended.push(message.id);
        let further = message
            .route
            .iter()
            .filter(|it| **it as usize >= self.link_count);
        self.spare.extend(further);
        self.slots.retire(message.id);
    }
}

impl Contention for Packets {
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        _weight: f64,
        bytes: f64,
    ) -> FlowId {
        assert!((0.0..f64::INFINITY).contains(&bytes), "{bytes} bytes");
        assert!(latency_s >= 0.0, "invalid latency: {latency_s} s");
        self.reach(now_s);
        let delay_s = self.delay_s(route, latency_s, bytes);
        let id = self.slots.take();
        let slot = id.number();
        let route: Vec<u32> = route.iter().map(|link| self.queue(*link)).collect();
        let of_route = || Self::window_of(&self.queues, self.packet_bytes, &route);
        let window = self.window.unwrap_or_else(of_route);
        let message = Message {
            id,
            route,
            bytes_left: bytes,
            on_the_way: 0,
            window,
            is_offering: false,
        };
        let sends = bytes > 0.0 && !message.route.is_empty();
        put(&mut self.messages, slot, message);
        if sends && delay_s == 0.0 {
            self.offer(slot);
        } else {
            let wait_s = if sends { delay_s } else { latency_s };
            self.delays.set(slot, now_s + wait_s);
        }
        id
    }

    fn next_s(&mut self) -> f64 {
        let time_s = |heap: &Heap| heap.first().map_or(f64::INFINITY, |it| it.0);
        time_s(&self.events).min(time_s(&self.delays))
    }

    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        self.slots.vacate();
        let first = ended.len();
        loop {
            let time_s = self.next_s();
            if time_s > now_s || time_s == f64::INFINITY {
                break;
            }
            self.reach(time_s);
            self.happen(time_s, ended);
        }
        self.reach(now_s);
        ended[first..].sort_unstable();
    }

    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64) {
        checked(bytes_per_s);
        assert!((link as usize) < self.link_count, "unknown link {link}");
        self.reach(now_s);
        self.noted.add(link);
        for (number, queue) in (0..).zip(&mut self.queues) {
            if queue.link != link {
                continue;
            }
            let capacity = &mut queue.wire.capacity.bytes_per_s;
            let old_rate = std::mem::replace(capacity, bytes_per_s);
            if !queue.waiting.is_empty() {
                let entered = old_rate * (now_s - queue.since_s);
                queue.bytes_left = (queue.bytes_left - entered).max(0.0);
                queue.since_s = now_s;
                self.events.set(2 * number, queue.entered_s());
            }
        }
        for message in &mut self.messages {
            let of_route = || Self::window_of(&self.queues, self.packet_bytes, &message.route);
            message.window = self.window.unwrap_or_else(of_route);
        }
    }

    fn load(&self, link: u32) -> f64 {
        let capacity = |queue: &PacketQueue| queue.wire.capacity.bytes_per_s;
        self.busy(link)
            .map(capacity)
            .fold(0.0, |sum, rate| sum + rate)
    }

    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        for link in self.noted.take() {
            let waiting = self.busy(link).flat_map(|queue| &queue.waiting);
            let messages: BTreeSet<u32> = waiting.map(|packet| packet.message).collect();
            loads.push(Load {
                link,
                flows: messages.len(),
                bytes_per_s: self.load(link),
                capacity_bytes_per_s: self.queues[link as usize].wire.capacity.bytes_per_s,
            });
        }
    }
}
