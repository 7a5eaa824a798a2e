//! Generates random programs and machines. Most programs end, many have more units than CPUs, and
//! many costs are equal.

use prophet_runtime::Generator;

use super::machine::{Discipline, Formula, Machine, Network, Nic};
use super::program::{Loop, Mode, Op, Phase, Program, Receive, Schedule, Send};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Multiples of a quarter of a second, whose sums are exact, so that many things happen at the
    /// same time.
    Even,
    /// Costs that are practically never equal.
    Odd,
}

/// The name that requests of a process's first thread have, if they have any. Other threads use
/// other names.
const OWN_NAME: usize = 0;
/// The tag of messages that are received from any sender.
const ANY_TAG: usize = 100;
/// The tag of messages that any thread can send.
const LOOSE_TAG: usize = 101;
const SWAP_TAG: usize = 102;

/// A thread of an outermost region, or the process itself.
type End = (usize, Option<usize>);

struct Sampler {
    random: Generator,
    costs: Costs,
    processes: usize,
    /// Whether processes have only one thread, and none of them waits for a CPU or receives from
    /// any sender. Then no engine has to order them.
    alone: bool,
    eager_bytes: u32,
    /// Operations with their positions in the overall order, and their processes.
    placed: Vec<(usize, usize, Op)>,
}

/// Generates a machine and a program for it from a seed.
pub(crate) fn sample(seed: u64, costs: Costs) -> (Machine, Program) {
    let mut sampler = Sampler {
        random: Generator::named(seed, "oracle"),
        costs,
        processes: 1,
        alone: false,
        eager_bytes: u32::MAX,
        placed: Vec::new(),
    };
    sampler.processes = 1 + sampler.below(5);
    sampler.alone = sampler.chance(4);
    let mut machine = sampler.machine();
    if sampler.alone {
        (machine.cpus_per_node, machine.nic) = (sampler.processes, Nic::Rank);
    }
    // A process that keeps its CPU doesn't take turns.
    machine.holds &= !matches!(machine.discipline, Discipline::RoundRobin(_));
    let limits = [&machine.network, &machine.intranode].map(|network| network.eager_bytes);
    sampler.eager_bytes = limits.into_iter().flatten().min().unwrap_or(u32::MAX);
    let places = 1 + sampler.below(10);
    for place in 0..places {
        sampler.place(place);
    }
    let mut program = Program(vec![Vec::new(); sampler.processes]);
    sampler.placed.sort_by_key(|(place, _, _)| *place);
    for (_, pid, op) in sampler.placed {
        program.0[pid].push(op);
    }
    for ops in &mut program.0 {
        ops.push(Op::Wait(None));
    }
    (machine, program)
}

impl Sampler {
    fn below(&mut self, limit: usize) -> usize {
        let bits = usize::try_from(self.random.bits() >> 32).expect("a usize has 32 bits");
        bits % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pid(&mut self) -> usize {
        self.below(self.processes)
    }

    fn time_s(&mut self, quarters: &[u32]) -> f64 {
        let even = f64::from(self.pick(quarters)) * 0.25;
        match self.costs {
            Costs::Even => even,
            Costs::Odd => {
                let part = u32::try_from(self.below(1 << 24)).expect("it fits");
                even * (0.75 + 0.5 * f64::from(part) / f64::from(1 << 24))
            }
        }
    }

    fn cost_s(&mut self) -> f64 {
        self.time_s(&[1, 1, 1, 2, 2, 3, 4, 6])
    }

    /// Generates an operation that needs a CPU, sometimes for no time.
    fn work(&mut self) -> Op {
        let cost_s = if self.chance(40) { 0.0 } else { self.cost_s() };
        Op::Compute(cost_s)
    }

    fn price(&mut self) -> Option<f64> {
        self.chance(5).then(|| self.cost_s())
    }

    fn bytes(&mut self) -> u32 {
        self.pick(&[1, 5, 5, 9, 17, 33])
    }

    /// Generates the maximum size of a receive for a message of this size, in bytes. It is rarely
    /// too small.
    fn limit(&mut self, bytes: u32) -> Option<u32> {
        match self.below(100) {
            0 => Some(bytes - 1),
            1..=20 => Some(bytes),
            _ => None,
        }
    }

    fn network(&mut self) -> Network {
        let formula = if self.chance(3) {
            Formula::Hockney {
                latency_s: self.time_s(&[1, 2, 4]),
                bytes_per_s: self.pick(&[8.0, 16.0, 64.0]),
            }
        } else {
            Formula::LogGp {
                l_s: self.time_s(&[1, 2, 4]),
                o_s: self.time_s(&[1, 1, 2, 4]),
                g_s: self.time_s(&[0, 0, 2, 8]),
                gap_per_byte_s: self.time_s(&[0, 1, 2]) / 4.0,
            }
        };
        let eager_bytes = self.chance(3).then(|| self.pick(&[0, 8, 16]));
        Network {
            formula,
            eager_bytes,
        }
    }

    fn machine(&mut self) -> Machine {
        let nodes = 1 + self.below(self.processes.min(3));
        let kind = self.below(3);
        let mapping = (0..self.processes).map(|pid| match kind {
            0 => pid * nodes / self.processes,
            1 => pid % nodes,
            _ => self.below(nodes),
        });
        let mapping = mapping.collect();
        // With odd costs, shares have no ties that rounding could break.
        let discipline = match (self.costs, self.below(3)) {
            (_, 0) => Discipline::Fcfs,
            (Costs::Odd, 1) => Discipline::Sharing,
            _ => Discipline::RoundRobin(self.time_s(&[1, 2, 3, 4])),
        };
        Machine {
            nodes,
            cpus_per_node: 1 + self.below(4),
            mapping,
            discipline,
            holds: self.chance(4),
            network: self.network(),
            intranode: self.network(),
            nic: if self.chance(2) { Nic::Node } else { Nic::Rank },
        }
    }

    fn op(&mut self, place: usize, pid: usize, op: Op) {
        self.placed.push((place, pid, op));
    }

    fn place(&mut self, place: usize) {
        match self.below(if self.alone { 6 } else { 10 }) {
            0 | 1 => {
                let op = self.work();
                let pid = self.pid();
                self.op(place, pid, op);
            }
            2 | 3 => self.message(place),
            4 | 5 => self.exchange(place),
            6 => {
                let nests = self.costs == Costs::Odd || self.chance(3);
                let op = self.block(1 + usize::from(nests));
                let pid = self.pid();
                self.op(place, pid, op);
            }
            7 => self.gather(place),
            _ => self.regions(place),
        }
    }

    fn message(&mut self, place: usize) {
        let (from, to) = (self.pid(), self.pid());
        let bytes = self.bytes();
        let waits = bytes > self.eager_bytes;
        let mode = |it: &mut Self| {
            let name = it.chance(2).then_some(OWN_NAME);
            if it.chance(2) {
                Mode::Blocking
            } else {
                Mode::Begun(name)
            }
        };
        let (sender, receiver) = (mode(self), mode(self));
        let delay = if waits && sender == Mode::Blocking && !self.chance(4) {
            0
        } else {
            self.below(4)
        };
        let tag = self.below(2);
        let (send_s, receive_s) = (self.price(), self.price());
        let receive = Op::Receive(Receive {
            source: Some(from),
            tag,
            cost_s: receive_s,
            bytes_max: self.limit(bytes),
            mode: receiver,
        });
        let send = Op::Send(Send {
            dest: to,
            tag,
            bytes,
            cost_s: send_s,
            mode: sender,
        });
        if let Mode::Begun(name) = receiver {
            self.op(place, to, receive);
            self.op(place, from, send);
            self.op(place + delay, to, Op::Wait(name));
        } else {
            self.op(place, from, send);
            self.op(place + delay, to, receive);
        }
        if let Mode::Begun(name) = sender
            && self.chance(2)
        {
            self.op(place + delay, from, Op::Wait(name));
        }
    }

    /// All processes that take part send to the next one and receive from the previous one.
    fn exchange(&mut self, place: usize) {
        let first = self.below(self.processes);
        let count = 1 + self.below(self.processes);
        let (bytes, cost_s) = (self.bytes(), self.price());
        let pid = |index: usize| (first + index % count) % self.processes;
        let ring: Vec<[usize; 3]> = (0..count)
            .map(|index| [pid(index), pid(index + 1), pid(index + count - 1)])
            .collect();
        for [own, dest, source] in ring {
            let send = Send {
                dest,
                tag: SWAP_TAG,
                bytes,
                cost_s,
                mode: Mode::Blocking,
            };
            self.op(place, own, Op::Exchange(send, source));
        }
    }

    /// A process receives from any sender.
    fn gather(&mut self, place: usize) {
        let to = self.pid();
        let count = 1 + self.below(3);
        let tag = ANY_TAG;
        for _ in 0..count {
            let from = self.pid();
            if self.chance(2) {
                let work = self.work();
                self.op(place, from, work);
            }
            let bytes = self.bytes();
            let blocks = bytes <= self.eager_bytes && self.chance(2);
            let mode = if blocks {
                Mode::Blocking
            } else {
                Mode::Begun(None)
            };
            let send = Send {
                dest: to,
                tag,
                bytes,
                cost_s: None,
                mode,
            };
            self.op(place, from, Op::Send(send));
        }
        if self.chance(2) {
            let work = self.work();
            self.op(place, to, work);
        }
        for _ in 0..count {
            let begun = self.chance(3);
            let receive = Receive {
                source: None,
                tag,
                cost_s: self.price(),
                bytes_max: None,
                mode: if begun {
                    Mode::Begun(None)
                } else {
                    Mode::Blocking
                },
            };
            self.op(place + 1, to, Op::Receive(receive));
        }
    }

    /// Generates an operation without messages. It can contain regions up to this depth.
    fn block(&mut self, depth: usize) -> Op {
        let kind = if depth == 0 {
            5 + self.below(6)
        } else {
            1 + self.below(8)
        };
        let threads = 1 + self.below(4);
        match kind {
            1 => {
                let phases = (0..=self.below(2)).map(|_| self.phase(threads, depth - 1));
                let phases = phases.collect();
                Op::Team(threads, phases)
            }
            2 => Op::Loop(threads, self.shared(depth - 1)),
            3 => {
                let sections = self.lists(depth - 1);
                Op::Sections(threads, sections)
            }
            4 => Op::Fork(self.lists(depth - 1)),
            5 => Op::Critical(self.below(2), vec![self.work()]),
            6 => Op::Atomic(self.below(2), self.cost_s()),
            _ => self.work(),
        }
    }

    fn blocks(&mut self, depth: usize) -> Vec<Op> {
        let count = 1 + self.below(2);
        (0..count).map(|_| self.block(depth)).collect()
    }

    /// Generates `count` bodies. If many costs are equal, usually only one body contains regions,
    /// because threads with the same numbers in several regions would request CPUs at the same
    /// time, and the contract leaves their order open.
    fn bodies(&mut self, count: usize, depth: usize) -> Vec<Vec<Op>> {
        let all = self.costs == Costs::Odd || self.chance(12);
        let one = self.below(count.max(1));
        let depth_of = |index: usize| if all || index == one { depth } else { 0 };
        (0..count)
            .map(|index| self.blocks(depth_of(index)))
            .collect()
    }

    fn lists(&mut self, depth: usize) -> Vec<Vec<Op>> {
        let count = 1 + self.below(4);
        self.bodies(count, depth)
    }

    fn shared(&mut self, depth: usize) -> Loop {
        let schedules = [Schedule::Static, Schedule::Dynamic, Schedule::Guided];
        let chunk = self.below(4);
        let count = self.below(8);
        Loop {
            schedule: self.pick(&schedules),
            chunk: (chunk > 0).then_some(chunk),
            iterations: self.bodies(count, depth.min(1)),
        }
    }

    fn phase(&mut self, threads: usize, depth: usize) -> Phase {
        match self.below(7) {
            0 => Phase::Loop(self.shared(depth)),
            1 => Phase::Sections(self.lists(depth)),
            2 => Phase::Single(self.blocks(depth)),
            3 => Phase::Master(self.blocks(depth)),
            4 => Phase::Barrier(self.chance(2).then(|| self.cost_s())),
            _ => Phase::Each(self.bodies(threads, depth)),
        }
    }

    /// Adds regions in several processes, whose threads send each other messages.
    fn regions(&mut self, place: usize) {
        let sizes: Vec<usize> = (0..self.processes)
            .map(|_| if self.chance(4) { 0 } else { 2 + self.below(3) })
            .collect();
        let mut lists: Vec<Vec<Vec<Op>>> =
            sizes.iter().map(|size| vec![Vec::new(); *size]).collect();
        // Processes without a team take part themselves.
        let mut alone: Vec<Vec<Op>> = vec![Vec::new(); self.processes];
        for _ in 0..2 + self.below(10) {
            let from = self.end(&sizes);
            let mut add = |(pid, tid): End, op: Op| match tid {
                Some(tid) => lists[pid][tid].push(op),
                None => alone[pid].push(op),
            };
            if self.chance(2) {
                let nests = self.costs == Costs::Odd || from.1.is_none() || self.chance(12);
                add(from, self.block(usize::from(nests)));
                continue;
            }
            let to = self.end(&sizes);
            for (end, op) in self.between(from, to) {
                add(end, op);
            }
        }
        for (pid, lists) in lists.into_iter().enumerate() {
            let threads = sizes[pid];
            if threads == 0 {
                for op in std::mem::take(&mut alone[pid]) {
                    self.op(place, pid, op);
                }
                continue;
            }
            let mut phases = vec![Phase::Each(lists)];
            if self.chance(3) {
                phases.insert(0, self.phase(threads, 1));
            }
            if self.chance(3) {
                phases.push(self.phase(threads, 1));
            }
            self.op(place, pid, Op::Team(threads, phases));
        }
    }

    fn end(&mut self, sizes: &[usize]) -> End {
        let pid = self.pid();
        let size = sizes[pid];
        (pid, (size > 0).then(|| self.below(size)))
    }

    /// Generates what two units do for a message, in an order in which neither waits for a later
    /// one.
    fn between(&mut self, from: End, to: End) -> Vec<(End, Op)> {
        let number = |end: End| end.1.map_or(0, |tid| tid + 1);
        // The tag is either a separate one, or one that all threads use.
        let tag = if self.chance(10) {
            LOOSE_TAG
        } else {
            10 + 10 * number(from) + number(to)
        };
        let name = |end: End| Some(1 + number(end));
        let bytes = self.bytes();
        let waits = bytes > self.eager_bytes;
        let mut mode = |end: End| {
            if self.chance(2) {
                Mode::Blocking
            } else {
                Mode::Begun(name(end))
            }
        };
        let (sender, receiver) = (mode(from), mode(to));
        let send = Op::Send(Send {
            dest: to.0,
            tag,
            bytes,
            cost_s: self.price(),
            mode: sender,
        });
        let receive = Op::Receive(Receive {
            source: Some(from.0),
            tag,
            cost_s: self.price(),
            bytes_max: None,
            mode: receiver,
        });
        let mut ops = vec![(from, send)];
        let begun = matches!(receiver, Mode::Begun(_));
        // If a process sends itself a message that must be received first, it posts the receive
        // before.
        let first = begun && (waits || self.chance(2));
        ops.insert(usize::from(!first), (to, receive));
        if matches!(sender, Mode::Begun(_)) && self.chance(2) {
            ops.push((from, Op::Wait(name(from))));
        }
        if begun && !self.chance(4) {
            ops.push((to, Op::Wait(name(to))));
        }
        ops
    }
}
