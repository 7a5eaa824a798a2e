//! Simulates the CPUs of nodes: who has requested one, who computes, and until when.

use super::machine::{Discipline, Machine};
use super::open::Open;

/// A unit that does something: its process, its number in its innermost region, and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Who {
    pub(crate) pid: usize,
    pub(crate) tid: usize,
    pub(crate) unit: usize,
}

#[derive(Debug)]
struct Ask {
    since_s: f64,
    /// Whether the unit's quantum has ended. It then comes before units that request a CPU at the
    /// same time.
    again: bool,
    /// The pid and tid, for units that request a CPU at the same time. For units whose quantum has
    /// ended, the order in which they got their CPUs.
    order: (usize, usize),
    number: usize,
    unit: usize,
    left_s: f64,
}

impl Ask {
    /// Returns `true` if only the order within an instant decides which of the two comes first.
    fn ties(&self, other: &Self) -> bool {
        let key = |ask: &Self| (ask.since_s.to_bits(), ask.again, ask.order);
        key(self) == key(other)
    }
}

#[derive(Debug)]
struct Job {
    unit: usize,
    since_s: f64,
    left_s: f64,
    rate: f64,
    /// Number of units that got a CPU before this one.
    given: usize,
}

impl Job {
    fn end_s(&self) -> f64 {
        self.since_s + self.left_s / self.rate
    }

    /// Returns when the unit's quantum ends, if work is left then.
    fn turn_s(&self, quantum_s: f64) -> f64 {
        if self.left_s > quantum_s {
            self.since_s + quantum_s
        } else {
            f64::INFINITY
        }
    }
}

#[derive(Debug)]
struct Node {
    /// Number of units, whatever they are doing.
    units: usize,
    /// Number of units that have ended, as processes or in teams that haven't ended.
    ended: usize,
    /// When the node last began or ceased to have more units than CPUs, in seconds.
    crossed_s: Option<f64>,
    /// When a unit last computed for no time.
    nothing_s: Option<f64>,
    queue: Vec<Ask>,
    jobs: Vec<Job>,
}

impl Node {
    fn new() -> Self {
        Self {
            units: 0,
            ended: 0,
            crossed_s: None,
            nothing_s: None,
            queue: Vec::new(),
            jobs: Vec::new(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Cpus {
    discipline: Discipline,
    holds: bool,
    per_node: usize,
    nodes: Vec<Node>,
    numbers: usize,
    /// The open question that decided something, if there is one.
    pub(crate) open: Option<Open>,
}

impl Cpus {
    pub(crate) fn new(machine: &Machine) -> Self {
        Self {
            discipline: machine.discipline,
            holds: machine.holds,
            per_node: machine.cpus_per_node,
            nodes: (0..machine.nodes).map(|_| Node::new()).collect(),
            numbers: 0,
            open: None,
        }
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    pub(crate) fn come(&mut self, node: usize, now_s: f64) {
        self.change(node, now_s, |node| node.units += 1);
    }

    /// Records that the first units of all processes exist, before any of them does anything.
    pub(crate) fn all_have_come(&mut self) {
        for node in &mut self.nodes {
            node.crossed_s = None;
        }
    }

    /// Records that a unit has ended, and releases its CPU.
    pub(crate) fn go(&mut self, node: usize, unit: usize) {
        let node = &mut self.nodes[node];
        node.units -= 1;
        node.ended += 1;
        node.jobs.retain(|job| job.unit != unit);
    }

    /// Ends a team. `count` of its units had ended before.
    pub(crate) fn disband(&mut self, node: usize, count: usize, now_s: f64) {
        self.change(node, now_s, |node| node.ended -= count);
    }

    fn change(&mut self, node: usize, now_s: f64, change: impl Fn(&mut Node)) {
        let node = &mut self.nodes[node];
        let are_more = |node: &Node| node.units + node.ended > self.per_node;
        let before = are_more(node);
        change(node);
        if are_more(node) != before {
            node.crossed_s = Some(now_s);
            if node.nothing_s == Some(now_s) {
                self.open.get_or_insert(Open::Nothing);
            }
        }
    }

    /// Returns `true` if a unit that computes for no time may have to wait for a CPU.
    pub(crate) fn queues_for_nothing(&mut self, node: usize, now_s: f64) -> bool {
        if self.discipline == Discipline::Sharing {
            return false;
        }
        let node = &mut self.nodes[node];
        node.nothing_s = Some(now_s);
        let (least, most) = (node.units, node.units + node.ended);
        let is_between = least <= self.per_node && most > self.per_node;
        if is_between || node.crossed_s == Some(now_s) {
            self.open.get_or_insert(Open::Nothing);
        }
        least > self.per_node
    }

    /// Records that a unit requests a CPU for a time.
    pub(crate) fn ask(&mut self, node: usize, who: Who, left_s: f64, now_s: f64) {
        let number = self.number();
        let node = &mut self.nodes[node];
        node.queue.push(Ask {
            since_s: now_s,
            again: false,
            order: (who.pid, who.tid),
            number,
            unit: who.unit,
            left_s,
        });
    }

    /// Assigns CPUs when no other unit can request one at this time. Returns the units that got
    /// one, in order.
    pub(crate) fn give(&mut self, now_s: f64) -> Vec<usize> {
        let mut given = Vec::new();
        for node in 0..self.nodes.len() {
            self.end_quanta(node, now_s);
            self.nodes[node].queue.sort_by(|a, b| {
                let key = |ask: &Ask| (ask.again, ask.order, ask.number);
                a.since_s.total_cmp(&b.since_s).then(key(a).cmp(&key(b)))
            });
            let shares = self.discipline == Discipline::Sharing;
            if !shares && self.open.is_none() {
                self.open = self.depends_on(node);
            }
            while !self.nodes[node].queue.is_empty()
                && (shares || self.nodes[node].jobs.len() < self.per_node)
            {
                let ask = self.nodes[node].queue.remove(0);
                given.push(ask.unit);
                let number = self.number();
                self.nodes[node].jobs.push(Job {
                    unit: ask.unit,
                    since_s: now_s,
                    left_s: ask.left_s,
                    rate: 1.0,
                    given: number,
                });
            }
            if shares {
                self.share(node, now_s);
            }
        }
        given
    }

    /// Takes CPUs from units whose quanta end now, if another unit is waiting or requests one.
    fn end_quanta(&mut self, node: usize, now_s: f64) {
        let Discipline::RoundRobin(quantum_s) = self.discipline else {
            return;
        };
        let node = &mut self.nodes[node];
        if node.queue.is_empty() {
            return;
        }
        for job in node
            .jobs
            .extract_if(.., |job| job.turn_s(quantum_s) <= now_s)
        {
            node.queue.push(Ask {
                since_s: now_s,
                again: true,
                order: (job.given, 0),
                number: job.given,
                unit: job.unit,
                left_s: job.left_s - quantum_s,
            });
        }
    }

    /// Returns the open question that decides which of the queued units get a CPU, or in which
    /// order.
    fn depends_on(&self, node: usize) -> Option<Open> {
        let turns = matches!(self.discipline, Discipline::RoundRobin(_));
        let node = &self.nodes[node];
        let queue = &node.queue;
        let free = self.per_node.saturating_sub(node.jobs.len());
        let mut pairs = queue.windows(2).enumerate();
        let decides = |index: usize| turns || index + 1 == free;
        let open = pairs.any(|(index, pair)| decides(index) && pair[0].ties(&pair[1]));
        open.then_some(Open::Numbers)
    }

    /// Sets the rates of units that share the CPUs of a node. A unit that keeps its CPU always has
    /// its share.
    fn share(&mut self, node: usize, now_s: f64) {
        let node = &mut self.nodes[node];
        let sharing = if self.holds {
            node.units
        } else {
            node.jobs.len()
        };
        let rate = if sharing <= self.per_node {
            1.0
        } else {
            small(self.per_node) / small(sharing)
        };
        for job in &mut node.jobs {
            if job.rate.to_bits() != rate.to_bits() {
                job.left_s -= (now_s - job.since_s) * job.rate;
                job.since_s = now_s;
                job.rate = rate;
            }
        }
    }

    /// Returns when the next quantum or computation ends.
    pub(crate) fn next_s(&self) -> f64 {
        let jobs = self.nodes.iter().flat_map(|node| &node.jobs);
        let end_s = |job: &Job| match self.discipline {
            Discipline::RoundRobin(quantum_s) => job.end_s().min(job.turn_s(quantum_s)),
            Discipline::Fcfs | Discipline::Sharing => job.end_s(),
        };
        jobs.map(end_s).fold(f64::INFINITY, f64::min)
    }

    /// Lets time pass. Quanta that ended while no unit was waiting have changed nothing.
    pub(crate) fn pass(&mut self, now_s: f64) {
        let Discipline::RoundRobin(quantum_s) = self.discipline else {
            return;
        };
        for job in self.nodes.iter_mut().flat_map(|node| &mut node.jobs) {
            if job.turn_s(quantum_s) <= now_s {
                job.since_s += quantum_s;
                job.left_s -= quantum_s;
            }
        }
    }

    /// Returns `true` if a unit has finished computing by this time.
    pub(crate) fn has_due(&self, now_s: f64) -> bool {
        let mut jobs = self.nodes.iter().flat_map(|node| &node.jobs);
        jobs.any(|job| job.end_s() <= now_s)
    }

    /// Releases the CPUs of units that have finished computing by this time. Returns these units in
    /// the order in which they got their CPUs.
    pub(crate) fn due(&mut self, now_s: f64) -> Vec<usize> {
        let nodes = self.nodes.iter_mut();
        let jobs = nodes.flat_map(|node| node.jobs.extract_if(.., |job| job.end_s() <= now_s));
        let mut ended: Vec<(usize, usize)> = jobs.map(|job| (job.given, job.unit)).collect();
        ended.sort_unstable();
        ended.into_iter().map(|(_, unit)| unit).collect()
    }
}

fn small(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("few"))
}
