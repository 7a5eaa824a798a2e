//! Runs a packet network in phases. Repeated phases can be simulated only once.

use std::collections::BTreeMap;

use crate::slots::{Slots, put};
use crate::{Contention, FlowId, Load, Packets};

/// The time that a packet takes to enter the fastest link is divided into this many intervals.
/// Flows start at the beginning of a phase, or in the middle of an interval.
const PARTS: f64 = 65_536.0;
/// Maximum number of flows to remember, and of routes to keep from one phase to the next (about 100
/// MB).
const FLOWS_MAX: usize = 1 << 19;

/// A [`Packets`] network that works in phases.
///
/// A *phase* begins when a flow starts in an empty network, and ends when no flows are left. In
/// each phase, time begins at 0. Flows start on a time grid: either together with the first flow,
/// or in the middle of an interval. An interval is 1/65,536 of the time that a packet takes to
/// enter the fastest link. If flows start together, their order depends only on their routes and
/// sizes. The ends of flows therefore don't depend on how times are rounded in a long run. Rounding
/// would otherwise decide which packet goes first if several reach a queue together.
///
/// The behavior of the network depends only on the flows that start. [With
/// memory](Self::with_memory), a phase with the same starts as an earlier phase therefore has the
/// same ends, and no packets are simulated. As soon as a start differs, the phase is simulated from
/// its beginning. All ends are exactly the same as without memory, but the loads of links are
/// unknown. The method is based on Wormhole (NSDI 2025), which also skips steady states in a phase.
///
/// # Panics
///
/// Panics under the same conditions as [`Packets`].
///
/// ```
/// use prophet_contention::{Capacity, Contention, Packets, Phased, Wire};
///
/// let wire = Wire { capacity: Capacity::shared(1e9), latency_s: 1e-6 };
/// let mut network = Phased::new(Packets::new(1000.0, [wire])).with_memory();
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
pub struct Phased {
    packets: Packets,
    grid_s: f64,
    slots: Slots,
    /// Start of the phase. `now_s` is the current time.
    began_s: f64,
    now_s: f64,
    phase: OpenPhase,
    /// Flows that haven't started, by position on the grid.
    waiting: BTreeMap<u64, Vec<Waiting>>,
    memory: Memory,
    remembers: bool,
    /// Number of phases, and how many of them were completed without simulating packets.
    phases: (u64, u64),
}

#[derive(Debug, Default)]
struct OpenPhase {
    running: usize,
    /// Flows that start together with the first flow.
    first: Vec<Waiting>,
    /// Whether something has happened since then, so that no further flow can start together with
    /// the first one.
    has_moved: bool,
    /// Running flows, in the order in which they started. Only used if they are remembered.
    flows: Vec<Option<FlowId>>,
    /// Batches of the phase so far. Only used if they are remembered.
    path: Vec<u32>,
    /// How many of the ends after the last batch have been reported.
    passed: usize,
    /// Flows by their numbers in the simulated network; `None` while nothing is simulated.
    simulated: Option<Vec<Simulated>>,
    /// Whether batches and ends are no longer remembered.
    is_forgotten: bool,
}

#[derive(Debug)]
struct Waiting {
    route: Box<[u32]>,
    latency_s: f64,
    bytes: f64,
    id: FlowId,
}

/// A flow in the simulated network: its index among the flows of the phase, and its id until its
/// end is reported.
#[derive(Debug, Clone, Copy)]
struct Simulated {
    place: u32,
    id: Option<FlowId>,
}

#[derive(Debug, Clone, Copy)]
enum Next {
    /// Flows start at this position on the grid.
    Start(u64),
    End(u32),
    /// An event in the simulated network.
    Packets,
    Unknown,
}

/// The end of a flow: the time since the start of the phase, and the index of the flow in the
/// phase.
#[derive(Debug, Clone, Copy)]
struct Ending {
    time_s: f64,
    flow: u32,
}

/// Batches that have been simulated, stored as trees. Each phase is a path from a root.
#[derive(Debug, Default)]
struct Memory {
    batches: Vec<Batch>,
    roots: BTreeMap<FlowIdentity, Vec<u32>>,
    routes: Vec<Box<[u32]>>,
    /// Numbers of routes, by their first and last links.
    numbers: BTreeMap<[u32; 2], Vec<u32>>,
    /// The last route. `followers` contains, for each route, the route that followed it last time.
    /// In a repeated phase, the same route follows again.
    last: usize,
    followers: Vec<u32>,
    flows: usize,
}

/// Flows that start together, and what is known about the time until the next start.
#[derive(Debug)]
struct Batch {
    flows: Box<[FlowIdentity]>,
    time_s: f64,
    /// Ends of flows if nothing else starts.
    ends: Vec<Ending>,
    /// Time up to which all ends are known.
    until_s: f64,
    next: Vec<u32>,
}

impl Batch {
    /// Creates a batch. Nothing is known about what follows.
    fn new(time_s: f64, flows: Box<[FlowIdentity]>) -> Self {
        Self {
            flows,
            time_s,
            ends: Vec::new(),
            until_s: f64::NEG_INFINITY,
            next: Vec::new(),
        }
    }
}

/// Identifies a flow by the number of its route, and the bits of its latency and size.
type FlowIdentity = (u32, u64, u64);

impl Memory {
    fn identity(&mut self, flow: &Waiting) -> FlowIdentity {
        let (latency_s, bytes) = (flow.latency_s.to_bits(), flow.bytes.to_bits());
        (self.number(&flow.route), latency_s, bytes)
    }

    /// Returns the number of a route. Adds the route if it is new.
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

    /// Returns the number of a route, without using the last route as a hint.
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

    fn forget(&mut self) {
        self.batches.clear();
        self.roots.clear();
        self.flows = 0;
    }

    /// Finds a batch with these flows after batch `place` or, if that is `None`, at the start of a
    /// phase.
    fn find(&self, place: Option<u32>, time_s: f64, flows: &[FlowIdentity]) -> Option<u32> {
        let next: &[u32] = match place {
            Some(place) => &self.batches[place as usize].next,
            None => self.roots.get(&flows[0]).map_or(&[], Vec::as_slice),
        };
        let is_same = |number: &&u32| {
            let batch = &self.batches[**number as usize];
            batch.time_s.to_bits() == time_s.to_bits() && *batch.flows == *flows
        };
        next.iter().find(is_same).copied()
    }

    /// Stores flows that end together after a batch, unless these ends are already known.
    fn note(&mut self, place: u32, time_s: f64, flows: impl Iterator<Item = u32>) {
        let batch = &mut self.batches[place as usize];
        if time_s > batch.until_s {
            batch.until_s = time_s;
            batch.ends.extend(flows.map(|flow| Ending { time_s, flow }));
        }
    }

    /// Stores a batch after batch `place` or, if that is `None`, at the start of a phase. Returns
    /// `None` if the memory is full.
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

impl Phased {
    /// Wraps a network without messages. All phases are simulated.
    pub fn new(packets: Packets) -> Self {
        Self {
            grid_s: packets.least_packet_s() / PARTS,
            packets,
            slots: Slots::default(),
            began_s: 0.0,
            now_s: 0.0,
            phase: OpenPhase::default(),
            waiting: BTreeMap::new(),
            memory: Memory::default(),
            remembers: false,
            phases: (0, 0),
        }
    }

    /// Turns on memory, so that repeated phases are simulated only once.
    #[must_use]
    pub fn with_memory(self) -> Self {
        Self {
            remembers: true,
            ..self
        }
    }

    fn begin(&mut self) {
        self.began_s = self.now_s;
        self.phases.0 += 1;
        self.phase = OpenPhase {
            is_forgotten: !self.remembers,
            ..OpenPhase::default()
        };
        if !self.remembers {
            self.simulate();
        }
    }

    /// Returns the next position on the grid after a time, at a safe distance from rounding errors.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a phase has fewer than 2^64 places, and none before its beginning"
    )]
    fn place_after(&self, time_s: f64) -> u64 {
        let since_s = time_s - self.began_s + 4.0 * f64::EPSILON * time_s;
        let place = (since_s / self.grid_s - 0.5).ceil().max(0.0) as u64;
        place.max(self.phase.has_moved.into())
    }

    #[expect(clippy::cast_precision_loss, reason = "places are far below 2^53")]
    fn time_of(&self, place: u64) -> f64 {
        if place == 0 {
            return 0.0;
        }
        (place as f64 + 0.5) * self.grid_s
    }

    /// Returns what happens next in the phase, and when. Ends come before starts.
    fn next(&mut self) -> (f64, Next) {
        let (time_s, next) = if self.phase.simulated.is_some() {
            (self.packets.next_s(), Next::Packets)
        } else if let Some(&number) = self.phase.path.last() {
            let batch = &self.memory.batches[number as usize];
            match batch.ends.get(self.phase.passed) {
                Some(end) => (end.time_s, Next::End(end.flow)),
                None => (batch.until_s, Next::Unknown),
            }
        } else {
            (f64::INFINITY, Next::Unknown)
        };
        if let Some((&place, _)) = self.waiting.first_key_value() {
            let start_s = self.time_of(place);
            if start_s < time_s || start_s <= time_s && matches!(next, Next::Unknown) {
                return (start_s, Next::Start(place));
            }
        }
        (time_s, next)
    }

    fn start_waiting(&mut self, place: u64) {
        let mut flows = self.waiting.remove(&place).unwrap_or_default();
        if place == 0 {
            flows.append(&mut self.phase.first);
            self.begin_again();
        } else {
            self.phase.has_moved = true;
        }
        flows.sort_by(|left, right| {
            let sizes = |of: &Waiting| (of.latency_s.to_bits(), of.bytes.to_bits());
            let by_route = left.route.cmp(&right.route);
            by_route.then_with(|| sizes(left).cmp(&sizes(right)))
        });
        let time_s = self.time_of(place);
        let is_known = !self.phase.is_forgotten && self.goes_on(time_s, &flows);
        if !is_known {
            self.start_simulated(time_s, &flows);
        }
        if place == 0 {
            self.phase.first = flows;
        }
    }

    /// Resets the phase so that flows still start together with the first one if rounding has
    /// delayed them slightly.
    fn begin_again(&mut self) {
        self.phase.flows.clear();
        self.phase.path.clear();
        self.phase.passed = 0;
        self.phase.simulated = None;
        if !self.remembers {
            self.simulate();
        }
    }

    /// Starts the phase's last flows in the simulated network.
    fn start_simulated(&mut self, time_s: f64, flows: &[Waiting]) {
        // Flows that aren't remembered have no index.
        let first = self.phase.flows.len().saturating_sub(flows.len());
        for (place, flow) in (first..).zip(flows) {
            let packets = &mut self.packets;
            let simulated = packets.start(time_s, &flow.route, flow.latency_s, 1.0, flow.bytes);
            self.carry(simulated, place, Some(flow.id));
        }
    }

    /// Records which flow of the phase belongs to a simulated flow.
    fn carry(&mut self, simulated: FlowId, place: usize, id: Option<FlowId>) {
        let place = u32::try_from(place).expect("fewer than 2^32 flows");
        let flows = self.phase.simulated.get_or_insert_default();
        put(flows, simulated.number(), Simulated { place, id });
    }

    /// Moves on to a batch, and remembers it. Returns `true` if the batch was already known.
    fn goes_on(&mut self, time_s: f64, flows: &[Waiting]) -> bool {
        let memory = &mut self.memory;
        let identities: Box<[_]> = flows.iter().map(|it| memory.identity(it)).collect();
        let last = self.phase.path.last().copied();
        let mut known = None;
        if self.phase.simulated.is_none() {
            known = memory.find(last, time_s, &identities);
            if known.is_none() {
                self.simulate();
                self.pass(time_s);
            }
        }
        let number = known.or_else(|| self.memory.keep(last, Batch::new(time_s, identities)));
        let Some(number) = number else {
            self.phase.is_forgotten = true;
            return false;
        };
        self.phase.path.push(number);
        self.phase.passed = 0;
        self.phase.flows.extend(flows.iter().map(|it| Some(it.id)));
        known.is_some()
    }

    /// Simulates the phase from its beginning up to the start of its last batch.
    fn simulate(&mut self) {
        self.packets.restart();
        self.phase.simulated = Some(Vec::new());
        let mut place = 0;
        for number in self.phase.path.clone() {
            let batch = &self.memory.batches[number as usize];
            let (time_s, flows) = (batch.time_s, batch.flows.clone());
            self.pass(time_s);
            for (route, latency_s, bytes) in flows {
                let route = &self.memory.routes[route as usize];
                let (latency_s, bytes) = (f64::from_bits(latency_s), f64::from_bits(bytes));
                let simulated = self.packets.start(time_s, route, latency_s, 1.0, bytes);
                self.carry(simulated, place, self.phase.flows[place]);
                place += 1;
            }
        }
    }

    /// Advances the simulated network to a time. All ends up to then have already been reported.
    fn pass(&mut self, time_s: f64) {
        while self.packets.next_s() <= time_s {
            let next_s = self.packets.next_s();
            self.packets.advance(next_s, &mut Vec::new());
        }
    }

    /// Handles the next event in the simulated network.
    fn advance_packets(&mut self, ended: &mut Vec<FlowId>) {
        self.phase.has_moved = true;
        let time_s = self.packets.next_s();
        let mut inner = Vec::new();
        self.packets.advance(time_s, &mut inner);
        let carried = self.phase.simulated.as_deref().unwrap_or_default();
        let over = inner.iter().map(|it| carried[it.slot()]);
        let over: Vec<Simulated> = over.collect();
        if let Some(&number) = self.phase.path.last().filter(|_| !self.phase.is_forgotten) {
            self.memory
                .note(number, time_s, over.iter().map(|it| it.place));
        }
        for flow in over {
            self.end(flow.id, ended);
        }
    }

    /// Reports the end of a flow, unless it has already been reported.
    fn end(&mut self, flow: Option<FlowId>, ended: &mut Vec<FlowId>) {
        if let Some(id) = flow {
            self.phase.running -= 1;
            self.slots.retire(id);
            ended.push(id);
        }
    }

    fn close(&mut self) {
        if self.phase.simulated.is_none() {
            self.phases.1 += 1;
        } else if let Some(&number) = self.phase.path.last().filter(|_| !self.phase.is_forgotten) {
            self.memory.batches[number as usize].until_s = f64::INFINITY;
        }
        self.phase = OpenPhase::default();
        if self.memory.flows.max(self.memory.routes.len()) > FLOWS_MAX {
            self.memory = Memory::default();
        }
    }
}

impl Contention for Phased {
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
        assert!(now_s >= self.now_s, "{now_s} s is before {} s", self.now_s);
        self.now_s = now_s;
        if self.phase.running == 0 {
            self.begin();
        }
        self.phase.running += 1;
        let id = self.slots.take();
        let delay_s = self.packets.delay_s(route, latency_s, bytes);
        // If there is something to send, `Packets` adds the latencies of the links itself.
        let latency_s = if bytes > 0.0 && !route.is_empty() {
            0.0
        } else {
            latency_s
        };
        let flow = Waiting {
            route: route.into(),
            latency_s,
            bytes,
            id,
        };
        let place = self.place_after(now_s + delay_s);
        self.waiting.entry(place).or_default().push(flow);
        id
    }

    fn next_s(&mut self) -> f64 {
        if self.phase.running == 0 {
            return f64::INFINITY;
        }
        (self.began_s + self.next().0).max(self.now_s)
    }

    fn advance(&mut self, now_s: f64, ended: &mut Vec<FlowId>) {
        self.slots.vacate();
        self.now_s = now_s;
        let first = ended.len();
        while self.phase.running > 0 {
            let (time_s, next) = self.next();
            if self.began_s + time_s > now_s {
                break;
            }
            match next {
                Next::Start(place) => self.start_waiting(place),
                Next::End(flow) => {
                    self.phase.has_moved = true;
                    self.phase.passed += 1;
                    let id = self.phase.flows[flow as usize].take();
                    self.end(id, ended);
                }
                Next::Packets => self.advance_packets(ended),
                Next::Unknown => self.simulate(),
            }
            if self.phase.running == 0 {
                self.close();
            }
        }
        ended[first..].sort_unstable();
    }

    fn set_capacity(&mut self, now_s: f64, link: u32, bytes_per_s: f64) {
        self.now_s = now_s;
        let mut time_s = 0.0;
        if self.phase.running == 0 {
            self.packets.restart();
        } else {
            if self.phase.simulated.is_none() {
                self.simulate();
            }
            // The remembered ends have already been reported.
            while self.began_s + self.packets.next_s() < now_s {
                self.advance_packets(&mut Vec::new());
            }
            let since_s = (now_s - self.began_s).min(self.packets.next_s());
            time_s = since_s.max(self.packets.now_s());
        }
        self.packets.set_capacity(time_s, link, bytes_per_s);
        // What is remembered from before is no longer valid.
        self.memory.forget();
        self.phase.path.clear();
        self.phase.is_forgotten = true;
        self.phase.has_moved = true;
    }

    fn load(&self, link: u32) -> f64 {
        if self.remembers {
            f64::NAN
        } else {
            self.packets.load(link)
        }
    }

    fn take_loads(&mut self, loads: &mut Vec<Load>) {
        if !self.remembers {
            self.packets.take_loads(loads);
        }
    }

    fn phases(&self) -> Option<(u64, u64)> {
        self.remembers.then_some(self.phases)
    }
}
