//! The rules of `LogGOPSim` for GOAL schedules, in whole nanoseconds.
//!
//! A rank has CPUs and network interfaces (NICs). A send takes a CPU for `o`, and `O` for each byte
//! after the first, and its NIC for `g`, and `G` for each byte after the first. Its first byte
//! arrives `o + L` after it began. A message that arrives takes a CPU for `o` and the larger of
//! `O` and `G` for each byte after the first, and the NIC as a send does, whether its receive is
//! posted or not; it is received as soon as both are there. A send of more than `S` bytes ends with
//! its receive.
//!
//! T. Hoefler, T. Schneider, A. Lumsdaine: `LogGOPSim` - Simulating Large-Scale Applications in the
//! `LogGOPS` Model. HPDC 2010.

mod parameters;
mod sort;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use prophet_text::Problem;

use crate::goal::Schedule;
use crate::goal::graph::{GoalGraph, Operation, OperationKind};
use crate::graph::Moment;
pub use parameters::Parameters;

/// Ends of all ranks, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The end of each rank.
    pub ranks: Vec<u64>,
    /// Number of events that were simulated.
    pub events: u64,
}

/// Event in the queue: an operation that may begin, or a message that arrives.
#[derive(Debug, Clone, Copy)]
struct Coming {
    rank: u32,
    number: u32,
    /// The rank that has sent the message; `None` for an operation.
    sender: Option<u32>,
}

/// Message or receive that waits for the other.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    rank: Option<u32>,
    tag: Option<u32>,
    number: u32,
}

/// Rank of a schedule.
#[derive(Debug)]
struct ScheduledRank {
    graph: GoalGraph,
    needs: Vec<u32>,
    free: Vec<u32>,
    begun: u32,
    cpus: Vec<u64>,
    sending: Vec<u64>,
    receiving: Vec<u64>,
    receives: Vec<Waiting>,
    unexpected: Vec<Waiting>,
}

/// Simulation of a schedule.
#[derive(Debug)]
struct Simulation {
    parameters: Parameters,
    ranks: Vec<ScheduledRank>,
    /// Events to come, by time, then in the order in which they were found.
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    coming: Vec<Coming>,
    found: u64,
    /// Places in `coming` that are free.
    unused: Vec<usize>,
}

/// Simulates a schedule.
pub(crate) fn simulate(schedule: &Schedule, parameters: Parameters) -> Result<Ends, Problem> {
    let graphs: Result<Vec<GoalGraph>, Problem> = (0..schedule.ranks())
        .map(|rank| schedule.graph(rank))
        .collect();
    let graphs = graphs?;
    let most = |of: fn(&Operation) -> u8| {
        let all = graphs.iter().flat_map(|it| &it.operations);
        usize::from(all.map(of).max().unwrap_or(0)) + 1
    };
    let (cpus, nics) = (most(|it| it.cpu), most(|it| it.nic));
    let mut simulation = Simulation {
        parameters,
        ranks: graphs
            .into_iter()
            .map(|it| ScheduledRank::new(it, cpus, nics))
            .collect(),
        queue: BinaryHeap::new(),
        coming: Vec::new(),
        found: 0,
        unused: Vec::new(),
    };
    simulation.run();
    simulation.ends().map_err(|why| schedule.problem(why))
}

impl ScheduledRank {
    fn new(graph: GoalGraph, cpus: usize, nics: usize) -> Self {
        let needs = graph.needs.clone();
        let free = (0..graph.len()).filter(|it| needs[*it as usize] == 0);
        Self {
            free: free.collect(),
            needs,
            graph,
            begun: 0,
            cpus: vec![0; cpus],
            sending: vec![0; nics],
            receiving: vec![0; nics],
            receives: Vec::new(),
            unexpected: Vec::new(),
        }
    }

    fn operation(&self, number: u32) -> Operation {
        self.graph.operations[number as usize]
    }

    /// Lets operations begin that have waited for a moment of one.
    fn release(&mut self, number: u32, moment: Moment) {
        for later in self.graph.waiting_for(number, moment) {
            let needs = &mut self.needs[later as usize];
            *needs -= 1;
            if *needs == 0 {
                self.free.push(later);
            }
        }
    }

    /// Begins an operation.
    fn start(&mut self, number: u32) {
        self.begun += 1;
        self.release(number, Moment::Start);
    }
}

/// Takes the first that fits out of a list.
fn matched(list: &mut Vec<Waiting>, rank: Option<u32>, tag: Option<u32>) -> Option<Waiting> {
    let fits =
        |one: Option<u32>, other: Option<u32>| one.is_none() || other.is_none() || one == other;
    let place = list
        .iter()
        .position(|it| fits(it.rank, rank) && fits(it.tag, tag))?;
    Some(list.remove(place))
}

/// Time of the bytes after the first.
fn body(size: u64, per_byte: u64) -> u64 {
    // An empty message counts one byte less than nothing, as in LogGOPSim.
    size.wrapping_sub(1).wrapping_mul(per_byte)
}

impl Simulation {
    fn run(&mut self) {
        for rank in 0..self.ranks.len() {
            self.take_free(u32::try_from(rank).unwrap_or(u32::MAX));
        }
        while let Some(Reverse((now, found, place))) = self.queue.pop() {
            let coming = self.coming[place];
            match self.go_on(now, coming) {
                Ok(touched) => {
                    self.unused.push(place);
                    for rank in touched {
                        self.take_free(rank);
                    }
                }
                Err(later) => self.queue.push(Reverse((later, found, place))),
            }
        }
    }

    /// Puts the operations of a rank that may begin into the queue.
    fn take_free(&mut self, number: u32) {
        let rank = &mut self.ranks[number as usize];
        let mut free = std::mem::take(&mut rank.free);
        let graph = &rank.graph;
        sort::sort(&mut free, |one, other| {
            kind(graph.operations[*one as usize].what)
                < kind(graph.operations[*other as usize].what)
        });
        for operation in free {
            let rank = &self.ranks[number as usize];
            let Operation { what, cpu, nic, .. } = rank.operation(operation);
            let cpu = rank.cpus[usize::from(cpu)];
            let time = match what {
                OperationKind::Send(_) => cpu.max(rank.sending[usize::from(nic)]),
                OperationKind::Receive(_) | OperationKind::Calculate => cpu,
            };
            self.push(
                time,
                Coming {
                    rank: number,
                    number: operation,
                    sender: None,
                },
            );
        }
    }

    fn push(&mut self, time: u64, coming: Coming) {
        let place = self.unused.pop().unwrap_or(self.coming.len());
        if place == self.coming.len() {
            self.coming.push(coming);
        } else {
            self.coming[place] = coming;
        }
        self.queue.push(Reverse((time, self.found, place)));
        self.found += 1;
    }

    /// Simulates an event. Gives the ranks that went on, or the time at which it can be tried
    /// again.
    fn go_on(&mut self, now: u64, coming: Coming) -> Result<BTreeSet<u32>, u64> {
        if let Some(sender) = coming.sender {
            return self.receive_message(now, coming, sender);
        }
        let Coming { rank, number, .. } = coming;
        match self.ranks[rank as usize].operation(number).what {
            OperationKind::Calculate => self.calculate(now, rank, number),
            OperationKind::Send(_) => self.send(now, rank, number),
            OperationKind::Receive(_) => Ok(self.receive(now, rank, number)),
        }
    }

    fn calculate(&mut self, now: u64, number: u32, operation: u32) -> Result<BTreeSet<u32>, u64> {
        let rank = &mut self.ranks[number as usize];
        let Operation { size, cpu, .. } = rank.operation(operation);
        let free = &mut rank.cpus[usize::from(cpu)];
        if *free > now {
            return Err(*free);
        }
        *free = now.wrapping_add(size);
        rank.start(operation);
        rank.release(operation, Moment::End);
        Ok(BTreeSet::from([number]))
    }

    fn send(&mut self, now: u64, number: u32, operation: u32) -> Result<BTreeSet<u32>, u64> {
        let Parameters {
            l,
            o,
            g,
            gap,
            overhead,
            limit,
        } = self.parameters;
        let rank = &mut self.ranks[number as usize];
        let Operation {
            what,
            size,
            cpu,
            nic,
        } = rank.operation(operation);
        let (cpu, nic) = (usize::from(cpu), usize::from(nic));
        let free = rank.cpus[cpu].max(rank.sending[nic]);
        if free > now {
            return Err(free);
        }
        rank.start(operation);
        rank.cpus[cpu] = now.wrapping_add(o).wrapping_add(body(size, overhead));
        rank.sending[nic] = now.wrapping_add(g).wrapping_add(body(size, gap));
        if size <= limit {
            rank.release(operation, Moment::End);
        }
        if let OperationKind::Send(partner) = what
            && let Some(receiver) = partner.rank
        {
            let message = Coming {
                rank: receiver,
                number: operation,
                sender: Some(number),
            };
            self.push(now.wrapping_add(o).wrapping_add(l), message);
        }
        Ok(BTreeSet::from([number]))
    }

    fn receive(&mut self, now: u64, number: u32, operation: u32) -> BTreeSet<u32> {
        let rank = &mut self.ranks[number as usize];
        let Operation {
            what,
            size,
            cpu,
            nic,
        } = rank.operation(operation);
        rank.start(operation);
        let mut touched = BTreeSet::from([number]);
        let OperationKind::Receive(partner) = what else {
            return touched;
        };
        if let Some(message) = matched(&mut rank.unexpected, partner.rank, partner.tag) {
            rank.release(operation, Moment::End);
            if size > self.parameters.limit
                && let Some(sender) = message.rank
            {
                self.end_send(now, sender, message.number, (cpu, nic));
                touched.insert(sender);
            }
        } else {
            rank.receives.push(Waiting {
                rank: partner.rank,
                tag: partner.tag,
                number: operation,
            });
        }
        touched
    }

    /// Ends a send that has waited for its receive.
    fn end_send(&mut self, now: u64, sender: u32, operation: u32, (cpu, nic): (u8, u8)) {
        let rank = &mut self.ranks[sender as usize];
        rank.release(operation, Moment::End);
        let (cpu, nic) = (usize::from(cpu), usize::from(nic));
        rank.cpus[cpu] = rank.cpus[cpu].max(now);
        rank.sending[nic] = rank.sending[nic].max(now);
    }

    fn receive_message(
        &mut self,
        now: u64,
        coming: Coming,
        sender: u32,
    ) -> Result<BTreeSet<u32>, u64> {
        let Parameters {
            o,
            g,
            gap,
            overhead,
            limit,
            ..
        } = self.parameters;
        let sent = self.ranks[sender as usize].operation(coming.number);
        let (cpu, nic) = (usize::from(sent.cpu), usize::from(sent.nic));
        let rank = &mut self.ranks[coming.rank as usize];
        let free = rank.cpus[cpu].max(rank.receiving[nic]);
        if free > now {
            return Err(free);
        }
        let taken = body(sent.size, overhead).max(body(sent.size, gap));
        rank.cpus[cpu] = now.wrapping_add(o).wrapping_add(taken);
        rank.receiving[nic] = now.wrapping_add(g).wrapping_add(body(sent.size, gap));
        let tag = match sent.what {
            OperationKind::Send(partner) => partner.tag,
            OperationKind::Receive(_) | OperationKind::Calculate => None,
        };
        let mut touched = BTreeSet::new();
        if let Some(receive) = matched(&mut rank.receives, Some(sender), tag) {
            rank.release(receive.number, Moment::End);
            touched.insert(coming.rank);
            if sent.size > limit {
                self.end_send(now, sender, coming.number, (sent.cpu, sent.nic));
                touched.insert(sender);
            }
        } else {
            rank.unexpected.push(Waiting {
                rank: Some(sender),
                tag,
                number: coming.number,
            });
        }
        Ok(touched)
    }

    /// The ends of all ranks, or what is left.
    fn ends(&self) -> Result<Ends, String> {
        for (number, rank) in self.ranks.iter().enumerate() {
            if let Some(receive) = rank.receives.first() {
                let of = receive
                    .rank
                    .map_or("any rank".to_owned(), |it| format!("rank {it}"));
                return Err(format!(
                    "rank {number} waits for a message of {of} that nobody sends"
                ));
            }
            if let Some(message) = rank.unexpected.first() {
                let of = message.rank.unwrap_or_default();
                return Err(format!(
                    "rank {number} never receives a message of rank {of}"
                ));
            }
            if rank.begun < rank.graph.len() {
                let stuck = rank.graph.len() - rank.begun;
                return Err(format!(
                    "rank {number}: {stuck} operations wait for each other"
                ));
            }
        }
        let end = |rank: &ScheduledRank| rank.cpus.iter().copied().max().unwrap_or(0);
        Ok(Ends {
            ranks: self.ranks.iter().map(end).collect(),
            events: self.found,
        })
    }
}

/// Order of operations that may begin at the same time.
fn kind(what: OperationKind) -> u8 {
    match what {
        OperationKind::Send(_) => 1,
        OperationKind::Receive(_) => 2,
        OperationKind::Calculate => 3,
    }
}
