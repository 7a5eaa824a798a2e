//! A packet network whose phases are simulated once.

use std::collections::{BTreeMap, BTreeSet};

use crate::slots::{Slots, put};
use crate::{Contention, FlowId, Packets};

/// Difference of times that count as one, as a part of the time in which the fastest link takes a
/// packet.
const SAME: f64 = 1e-3;
/// Maximum number of flows that are remembered, and of routes from one phase to the next: some
/// 100 MB.
const FLOWS_MAX: usize = 1 << 19;

/// A [`Packets`] network that remembers its phases.
///
/// A *phase* begins when a flow starts in a network without flows, and ends when no flow is left. A
/// phase whose flows start as in an earlier one, at the same times from its beginning, ends them as
/// that one did, without a packet: what happens in a network depends on what is started
/// alone. As soon as a start differs, the phase is simulated from its beginning.
///
/// Times that differ by less than a thousandth of the time in which the fastest link takes a packet
/// count as one, since the rounding of a long run makes all times a little different: flows that
/// start within that time start together, in an order that depends on their routes and sizes alone.
/// Within a phase, time begins at 0.
///
/// After Wormhole, which also skips steady states within a phase (NSDI 2025).
///
/// Loads of links are not known.
///
/// # Panics
///
/// As [`Packets`].
///
/// ```
/// use prophet_contention::{Capacity, Contention, Memoized, Packets, Wire};
///
/// let wire = Wire { capacity: Capacity::shared(1e9), latency_s: 1e-6 };
/// let mut network = Memoized::new(Packets::new(1000.0, [wire]));
/// let mut ended = Vec::new();
/// for phase in 0..3 {
///     let first = network.start(f64::from(phase), &[0], 1e-6, 1.0, 1e6);
///     let second = network.start(f64::from(phase), &[0], 1e-6, 1.0, 1e6);
///     while network.next_s() < f64::INFINITY {
///         let now_s = network.next_s();
///         network.advance(now_s, &mut ended);
///     }
///     assert_eq!(ended.split_off(0), [first, second]);
/// }
/// assert_eq!(network.phases(), Some((3, 2)));
/// ```
#[derive(Debug)]
pub struct Memoized {
    packets: Packets,
    same_s: f64,
    slots: Slots,
    /// Beginning of the phase, and the time that was reached last.
    began_s: f64,
    now_s: f64,
    phase: OpenPhase,
    /// Flows that start together, and when the first of them came.
    open: Vec<(FlowIdentity, FlowId)>,
    open_s: f64,
    memory: Memory,
    /// Number of phases, and of those without a packet.
    phases: (u64, u64),
}

/// A phase that is under way.
#[derive(Debug, Default)]
struct OpenPhase {
    flows: Vec<Started>,
    /// Number of flows that have not ended.
    running: usize,
    /// The batches so far, if they are remembered.
    path: Vec<u32>,
    /// Number of remembered ends after the last batch that are passed.
    passed: usize,
    /// Ends that are not told yet, although another batch came or they were simulated.
    late: Vec<Ending>,
    /// Flows whose ends after the last batch are remembered, while the phase is simulated.
    known: BTreeSet<u32>,
    /// Flows by their numbers in the simulated network; `None` if nothing is simulated.
    simulated: Option<Vec<u32>>,
    /// True if batches and ends from now on are not remembered.
    is_forgotten: bool,
}

/// A flow of the phase.
#[derive(Debug, Clone, Copy)]
struct Started {
    id: FlowId,
    is_over: bool,
}

/// End of a flow of a phase, by its place among the flows, at a time from the beginning.
#[derive(Debug, Clone, Copy)]
struct Ending {
    time_s: f64,
    flow: u32,
}

/// Batches that have been simulated, as trees: each phase is a path from a root.
#[derive(Debug, Default)]
struct Memory {
    batches: Vec<Batch>,
    roots: BTreeMap<FlowIdentity, Vec<u32>>,
    routes: Vec<Box<[u32]>>,
    /// Numbers of routes by their first and last links.
    numbers: BTreeMap<[u32; 2], Vec<u32>>,
    /// The route that came last, and for each route the one that came after it the last time:
    /// in a phase that repeats, it comes again.
    last: usize,
    followers: Vec<u32>,
    /// Number of flows in all batches.
    flows: usize,
}

/// Flows that start together, and what is known of the time until others do.
#[derive(Debug)]
struct Batch {
    flows: Box<[FlowIdentity]>,
    time_s: f64,
    /// Ends as long as nothing else is started.
    ends: Vec<Ending>,
    /// Time until which all ends are known.
    until_s: f64,
    next: Vec<u32>,
}

/// Identity of a flow: the number of its route, and the bits of its latency and its bytes.
type FlowIdentity = (u32, u64, u64);

impl Memory {
    /// The key of a flow.
    fn flow_identity(&mut self, route: &[u32], latency_s: f64, bytes: f64) -> FlowIdentity {
        (self.number(route), latency_s.to_bits(), bytes.to_bits())
    }

    /// The number of a route, which may be new.
    fn number(&mut self, route: &[u32]) -> u32 {
        let guess = self.followers.get(self.last).copied();
        let number = guess.filter(|it| *self.routes[*it as usize] == *route);
        let number = number.unwrap_or_else(|| {
            let number = self.look_up(route);
            self.followers[self.last] = number;
            number
        });
        self.last = number as usize;
        number
    }

    /// The number of a route, whatever came before it.
    fn look_up(&mut self, route: &[u32]) -> u32 {
        let ends = [route.first(), route.last()].map(|it| it.copied().unwrap_or(u32::MAX));
        let numbers = self.numbers.entry(ends).or_default();
        let known = numbers
            .iter()
            .find(|it| *self.routes[**it as usize] == *route);
        known.copied().unwrap_or_else(|| {
            let number = u32::try_from(self.routes.len()).expect("fewer than 2^32 routes");
            self.routes.push(route.into());
            self.followers.push(number);
            numbers.push(number);
            number
        })
    }

    /// Forgets all batches.
    fn forget(&mut self) {
        self.batches.clear();
        self.roots.clear();
        self.flows = 0;
    }

    /// The batch after another one, or at the beginning of a phase, that is the same as one now.
    fn find(
        &self,
        place: Option<u32>,
        flows: &[FlowIdentity],
        is_now: impl Fn(f64) -> bool,
    ) -> Option<u32> {
        let next: &[u32] = match place {
            Some(place) => &self.batches[place as usize].next,
            None => self.roots.get(&flows[0]).map_or(&[], Vec::as_slice),
        };
        let is_same = |number: &&u32| {
            let batch = &self.batches[**number as usize];
            is_now(batch.time_s) && *batch.flows == *flows
        };
        next.iter().find(is_same).copied()
    }

    /// Keeps a batch after another one, or at the beginning; `None` if there is no room.
    fn keep(&mut self, place: Option<u32>, batch: Batch) -> Option<u32> {
        let number = u32::try_from(self.batches.len()).ok()?;
        self.flows += batch.flows.len();
        if self.flows > FLOWS_MAX {
            return None;
        }
        match place {
            Some(place) => {
                let before = &mut self.batches[place as usize];
                before.until_s = before.until_s.max(batch.time_s);
                before.next.push(number);
            }
            None => self.roots.entry(batch.flows[0]).or_default().push(number),
        }
        self.batches.push(batch);
        Some(number)
    }
}

impl Memoized {
    /// A network that remembers the phases of another one, which has no messages.
    pub fn new(packets: Packets) -> Self {
        Self {
            same_s: SAME * packets.least_packet_s(),
            packets,
            slots: Slots::default(),
            began_s: 0.0,
            now_s: 0.0,
            phase: OpenPhase::default(),
            open: Vec::new(),
            open_s: 0.0,
            memory: Memory::default(),
            phases: (0, 0),
        }
    }

    /// Time in the phase.
    fn since_s(&self, now_s: f64) -> f64 {
        (now_s - self.began_s).max(0.0)
    }

    /// Time in what is simulated: what is due has happened, and nothing else, whatever is rounded.
    fn simulated_s(&mut self, now_s: f64) -> f64 {
        let time_s = self.since_s(now_s).min(self.packets.next_s());
        time_s.max(self.packets.now_s())
    }

    /// True if a time of the phase has come.
    fn is_due(&self, time_s: f64, now_s: f64) -> bool {
        self.began_s + time_s <= now_s
    }

    /// Starts the flows that start together.
    fn start_open(&mut self) {
        let mut open = std::mem::take(&mut self.open);
        let routes = &self.memory.routes;
        open.sort_by(|(left, _), (right, _)| {
            let route = |key: &FlowIdentity| &routes[key.0 as usize];
            (route(left), left.1, left.2).cmp(&(route(right), right.1, right.2))
        });
        let flows: Box<[FlowIdentity]> = open.iter().map(|it| it.0).collect();
        let time_s = self.since_s(self.open_s);
        let place = self.phase.path.last().copied();
        let is_simulated = self.phase.simulated.is_some();
        let is_now = |known_s: f64| (known_s - time_s).abs() <= self.same_s;
        let known = self.memory.find(place, &flows, is_now);
        if let Some(number) = known.filter(|_| !is_simulated) {
            self.follow(number);
        } else {
            if !is_simulated {
                self.simulate();
            }
            self.start_simulated(flows);
        }
        let started = open
            .into_iter()
            .map(|(_, id)| Started { id, is_over: false });
        self.phase.flows.extend(started);
    }

    /// Goes on to a remembered batch.
    fn follow(&mut self, number: u32) {
        if let Some(&place) = self.phase.path.last() {
            let batch = &self.memory.batches[number as usize];
            let ends = &self.memory.batches[place as usize].ends[self.phase.passed..];
            let before = ends.iter().take_while(|it| it.time_s <= batch.time_s);
            self.phase.late.extend(before);
        }
        self.phase.path.push(number);
        self.phase.passed = 0;
    }

    /// Simulates the phase from its beginning until its last batch.
    fn simulate(&mut self) {
        self.packets.restart();
        self.phase.simulated = Some(Vec::new());
        self.phase.late.clear();
        let mut first = 0;
        for place in 0..self.phase.path.len() {
            let batch = &self.memory.batches[self.phase.path[place] as usize];
            let (time_s, flows) = (batch.time_s, batch.flows.clone());
            self.catch_up(|next_s| next_s <= time_s);
            self.start_flows(time_s, &flows, first);
            first += flows.len();
        }
        if let Some(&place) = self.phase.path.last() {
            let ends = &self.memory.batches[place as usize].ends;
            self.phase.known = ends.iter().map(|it| it.flow).collect();
        }
    }

    /// Simulates a batch that is not remembered, from now on.
    fn start_simulated(&mut self, flows: Box<[FlowIdentity]>) {
        let (began_s, open_s) = (self.began_s, self.open_s);
        let first = self.phase.late.len();
        self.catch_up(|next_s| began_s + next_s <= open_s);
        let ended = self.phase.late.split_off(first);
        for end in &ended {
            self.note(*end);
        }
        self.phase.late.extend(ended);
        let time_s = self.simulated_s(open_s);
        self.start_flows(time_s, &flows, self.phase.flows.len());
        if !self.phase.is_forgotten {
            self.remember(Batch {
                flows,
                time_s,
                ends: Vec::new(),
                until_s: time_s,
                next: Vec::new(),
            });
        }
    }

    /// Starts flows in what is simulated, the first of which has that place in the phase.
    fn start_flows(&mut self, time_s: f64, flows: &[FlowIdentity], first: usize) {
        for (place, key) in (first..).zip(flows) {
            let route = &self.memory.routes[key.0 as usize];
            let (latency_s, bytes) = (f64::from_bits(key.1), f64::from_bits(key.2));
            let id = self.packets.start(time_s, route, latency_s, 1.0, bytes);
            let place = u32::try_from(place).expect("fewer than 2^32 flows");
            put(
                self.phase.simulated.get_or_insert_default(),
                id.number(),
                place,
            );
        }
    }

    /// Lets what is simulated happen as long as its time is one of these.
    fn catch_up(&mut self, has_passed: impl Fn(f64) -> bool) {
        let mut inner = Vec::new();
        loop {
            let time_s = self.packets.next_s();
            if time_s == f64::INFINITY || !has_passed(time_s) {
                return;
            }
            self.packets.advance(time_s, &mut inner);
            for id in inner.drain(..) {
                let flow = self.flow_of(id);
                if !self.phase.flows[flow as usize].is_over {
                    self.phase.late.push(Ending { time_s, flow });
                }
            }
        }
    }

    /// The flow of the phase that another one is in the simulated network.
    fn flow_of(&self, simulated: FlowId) -> u32 {
        let flows = self.phase.simulated.as_deref().unwrap_or_default();
        flows[simulated.number() as usize]
    }

    /// Remembers a batch, which is simulated.
    fn remember(&mut self, batch: Batch) {
        self.phase.known.clear();
        let place = self.phase.path.last().copied();
        match self.memory.keep(place, batch) {
            Some(number) => self.phase.path.push(number),
            None => self.phase.is_forgotten = true,
        }
    }

    /// The last batch, if what follows it is to be remembered.
    fn remembered(&mut self) -> Option<&mut Batch> {
        let place = self
            .phase
            .path
            .last()
            .filter(|_| !self.phase.is_forgotten)?;
        Some(&mut self.memory.batches[*place as usize])
    }

    /// Remembers an end after the last batch, unless it is remembered.
    fn note(&mut self, end: Ending) {
        if !self.phase.known.contains(&end.flow)
            && let Some(batch) = self.remembered()
        {
            batch.ends.push(end);
        }
    }

    /// Ends a flow of the phase, unless its end has been told.
    fn end(&mut self, flow: u32, ended: &mut Vec<FlowId>) {
        let flow = &mut self.phase.flows[flow as usize];
        if !std::mem::replace(&mut flow.is_over, true) {
            self.phase.running -= 1;
            self.slots.retire(flow.id);
            ended.push(flow.id);
        }
    }

    /// Lets what is simulated happen until now.
    fn advance_simulated(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        let mut inner = Vec::new();
        loop {
            let time_s = self.packets.next_s();
            if time_s == f64::INFINITY || !self.is_due(time_s, now_s) {
                break;
            }
            self.packets.advance(time_s, &mut inner);
            for id in inner.drain(..) {
                let flow = self.flow_of(id);
                self.note(Ending { time_s, flow });
                self.end(flow, ended);
            }
        }
        let reached_s = self.since_s(now_s);
        if let Some(batch) = self.remembered() {
            batch.until_s = batch.until_s.max(reached_s);
        }
    }

    /// Ends what was not told before, as far as it is due.
    fn advance_late(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        for end in std::mem::take(&mut self.phase.late) {
            if self.is_due(end.time_s, now_s) {
                self.end(end.flow, ended);
            } else {
                self.phase.late.push(end);
            }
        }
    }

    /// Ends what is remembered until now; returns false if the phase goes on differently.
    fn advance_remembered(&mut self, now_s: f64, ended: &mut Vec<FlowId>) -> bool {
        let Some(&place) = self.phase.path.last() else {
            return true;
        };
        while let Some(&end) = self.memory.batches[place as usize]
            .ends
            .get(self.phase.passed)
        {
            if !self.is_due(end.time_s, now_s) {
                return true;
            }
            self.phase.passed += 1;
            self.end(end.flow, ended);
        }
        let until_s = self.memory.batches[place as usize].until_s;
        self.phase.running == 0 || !self.is_due(until_s + self.same_s, now_s)
    }

    /// Ends the phase if no flow is left.
    fn close(&mut self) {
        if self.phase.running > 0 || !self.open.is_empty() || self.phase.flows.is_empty() {
            return;
        }
        if self.phase.simulated.is_none() {
            self.phases.1 += 1;
        } else if let Some(batch) = self.remembered() {
            batch.until_s = f64::INFINITY;
        }
        self.phase = OpenPhase::default();
        if self.memory.flows.max(self.memory.routes.len()) > FLOWS_MAX {
            self.memory = Memory::default();
        }
    }
}

impl Contention for Memoized {
    fn start(
        &mut self,
        now_s: f64,
        route: &[u32],
        latency_s: f64,
        _weight: f64,
        bytes: f64,
    ) -> FlowId {
        assert!((0.0..f64::INFINITY).contains(&bytes), "{bytes} bytes");
        assert!(latency_s >= 0.0, "a latency of {latency_s} s");
        assert!(now_s >= self.now_s, "{now_s} s is before {} s", self.now_s);
        self.now_s = now_s;
        if self.phase.running == 0 {
            self.began_s = now_s;
            self.phases.0 += 1;
        }
        if self.open.is_empty() {
            self.open_s = now_s;
        }
        self.phase.running += 1;
        let id = self.slots.take();
        let key = self.memory.flow_identity(route, latency_s, bytes);
        self.open.push((key, id));
        id
    }

    fn next_s(&mut self) -> f64 {
        if self.phase.running == 0 {
            return f64::INFINITY;
        }
        let time_s = if !self.open.is_empty() {
            // What happens meanwhile is told when they have started.
            return (self.open_s + self.same_s).max(self.now_s);
        } else if self.phase.simulated.is_some() {
            self.packets.next_s()
        } else {
            let place = *self.phase.path.last().expect("flows were started");
            let batch = &self.memory.batches[place as usize];
            let next = batch.ends.get(self.phase.passed);
            next.map_or(batch.until_s + self.same_s, |it| it.time_s)
        };
        let late = self.phase.late.iter().map(|it| it.time_s);
        (self.began_s + late.fold(time_s, f64::min)).max(self.now_s)
    }

    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        self.slots.vacate();
        self.now_s = now_s;
        if !self.open.is_empty() {
            if now_s < self.open_s + self.same_s {
                return;
            }
            self.start_open();
        }
        let first = ended.len();
        self.advance_late(now_s, ended);
        if self.phase.simulated.is_none() && !self.advance_remembered(now_s, ended) {
            self.simulate();
            self.advance_late(now_s, ended);
        }
        if self.phase.simulated.is_some() {
            self.advance_simulated(now_s, ended);
        }
        self.close();
        ended[first..].sort_unstable();
    }

    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64) {
        if !self.open.is_empty() {
            self.start_open();
        }
        if self.phase.running == 0 {
            self.began_s = now_s;
            self.packets.restart();
        } else if self.phase.simulated.is_none() {
            self.simulate();
        }
        let began_s = self.began_s;
        self.catch_up(|next_s| began_s + next_s < now_s);
        let time_s = self.simulated_s(now_s);
        self.packets.set_capacity(time_s, link, bytes_per_s);
        // What was seen before holds no longer.
        self.memory.forget();
        self.phase.path.clear();
        self.phase.is_forgotten = self.phase.running > 0;
    }

    fn load(&self, _link: u32) -> f64 {
        f64::NAN
    }

    fn phases(&self) -> Option<(u64, u64)> {
        Some(self.phases)
    }
}
