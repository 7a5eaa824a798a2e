//! The CPUs of the nodes: who asked, who computes, and until when.

use super::machine::{Discipline, Machine};
use super::open::Open;

/// Who does something: its process, its number in the innermost region, and its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Who {
    pub(crate) pid: usize,
    pub(crate) tid: usize,
    pub(crate) unit: usize,
}

/// One that waits for a CPU.
#[derive(Debug)]
struct Ask {
    since_s: f64,
    /// Who comes anew precedes whose quantum has ended.
    again: bool,
    /// Of those that come at one time, pid and tid; of those whose quanta end, in the order in
    /// which they were given their CPUs.
    order: (usize, usize),
    number: usize,
    unit: usize,
    left_s: f64,
}

impl Ask {
    /// Whether nothing but the order within an instant says which of two is first.
    fn ties(&self, other: &Self) -> bool {
        let key = |ask: &Self| (ask.since_s.to_bits(), ask.again, ask.order);
        key(self) == key(other)
    }
}

/// One that computes.
#[derive(Debug)]
struct Job {
    unit: usize,
    since_s: f64,
    left_s: f64,
    rate: f64,
    /// How many were given a CPU before.
    given: usize,
}

impl Job {
    fn end_s(&self) -> f64 {
        self.since_s + self.left_s / self.rate
    }
}

#[derive(Debug)]
struct Node {
    /// How many units there are, whatever they do.
    units: usize,
    queue: Vec<Ask>,
    jobs: Vec<Job>,
}

impl Node {
    fn new() -> Self {
        Self {
            units: 0,
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
    /// What is open and decided something.
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

    pub(crate) fn come(&mut self, node: usize) {
        self.nodes[node].units += 1;
    }

    /// A unit has ended, and whatever it had of a CPU.
    pub(crate) fn go(&mut self, node: usize, unit: usize) {
        self.nodes[node].units -= 1;
        self.nodes[node].jobs.retain(|job| job.unit != unit);
    }

    /// Whether each unit of a node has a CPU.
    pub(crate) fn suffice(&self, node: usize) -> bool {
        self.nodes[node].units <= self.per_node
    }

    /// A unit asks for a CPU for so long.
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

    /// Gives CPUs away, when nobody else can ask at this time; returns to whom, in order.
    pub(crate) fn give(&mut self, now_s: f64) -> Vec<usize> {
        let mut given = Vec::new();
        for node in 0..self.nodes.len() {
            self.nodes[node].queue.sort_by(|a, b| {
                let key = |ask: &Ask| (ask.again, ask.order, ask.number);
                a.since_s.total_cmp(&b.since_s).then(key(a).cmp(&key(b)))
            });
            let shares = self.discipline == Discipline::Sharing;
            if !shares && self.open.is_none() {
                self.open = self.depends_on(node);
            }
            // A quantum that ends while nobody waits changes nothing.
            let free = self.per_node.saturating_sub(self.nodes[node].jobs.len());
            let queue = &self.nodes[node].queue;
            let all = queue.len() <= free && queue.iter().all(|ask| ask.since_s == now_s);
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
                    given: if ask.again && all {
                        ask.order.0
                    } else {
                        number
                    },
                });
            }
            if shares {
                self.share(node, now_s);
            }
        }
        given
    }

    /// What is open and decides who of a queue gets a CPU, or in which order.
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

    /// Sets the rates of those that share the CPUs of a node. Who holds takes its share always.
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

    /// When a turn ends; at its end if that comes first.
    fn turn_s(&self, job: &Job) -> f64 {
        match self.discipline {
            Discipline::RoundRobin(quantum_s) if job.left_s > quantum_s => job.since_s + quantum_s,
            _ => job.end_s(),
        }
    }

    /// When the next turn or computation ends.
    pub(crate) fn next_s(&self) -> f64 {
        let jobs = self.nodes.iter().flat_map(|node| &node.jobs);
        jobs.map(|job| self.turn_s(job))
            .fold(f64::INFINITY, f64::min)
    }

    /// Takes the CPUs of those whose turn ends by a time; returns who has computed all, in the
    /// order in which they were given their CPUs.
    pub(crate) fn due(&mut self, now_s: f64) -> Vec<usize> {
        let mut ended = Vec::new();
        for node in 0..self.nodes.len() {
            let mut jobs = std::mem::take(&mut self.nodes[node].jobs);
            jobs.sort_by_key(|job| job.given);
            for job in jobs {
                if self.turn_s(&job) > now_s {
                    self.nodes[node].jobs.push(job);
                    continue;
                }
                match self.discipline {
                    Discipline::RoundRobin(quantum_s) if job.left_s > quantum_s => {
                        let number = self.number();
                        self.nodes[node].queue.push(Ask {
                            since_s: now_s,
                            again: true,
                            order: (job.given, 0),
                            number,
                            unit: job.unit,
                            left_s: job.left_s - quantum_s,
                        });
                    }
                    _ => ended.push((job.given, job.unit)),
                }
            }
        }
        ended.sort_unstable();
        ended.into_iter().map(|(_, unit)| unit).collect()
    }
}

fn small(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("few"))
}
