//! Implements progressive filling: computes the rates of the free flows, given the rates of all
//! other flows.
//!
//! The rates of all free flows grow together, in proportion to their weights, until a link is full.
//! The rates of this link's flows stop there, and all other rates continue to grow. The rate that a
//! flow with weight 1 has at this time is the *level* of the link. If other links stop flows, the
//! level of a link can only grow. A queue of lower bounds is therefore enough to find the link that
//! fills next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::graph::{Graph, Settled, State, Vacancy};
use crate::capacity::SAME;

/// If the sum of weights falls below this fraction of an earlier sum, it is computed again because
/// of rounding errors.
const WEIGHT_LEFT: f64 = 1e-3;

/// Links that may fill next, the most likely first.
pub(super) type FillingOrder = BinaryHeap<Reverse<Candidate>>;

/// A link that may fill next: a lower bound of its level, and its number. The bits of nonnegative
/// numbers have the same order as the numbers, so both are packed into an integer, which is the
/// fastest to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(u128);

impl Candidate {
    fn new(level: f64, link: u32) -> Self {
        Self(u128::from(link)).at(level)
    }

    fn at(self, level: f64) -> Self {
        let rest = self.0 & u128::from(u64::MAX);
        Self((u128::from(level.to_bits()) << 64) | rest)
    }

    fn bound(self) -> f64 {
        f64::from_bits((self.0 >> 64) as u64)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lowest quarter is the link"
    )]
    fn link(self) -> u32 {
        self.0 as u32
    }
}

/// Computes the rates of the free flows. `open` must contain all links that they cross, and can
/// contain others.
pub(super) fn fill(graph: &mut Graph, open: &[u32], free: &[u32], queue: &mut FillingOrder) {
    queue.clear();
    for &link in open {
        graph.links[link as usize].has_changed = false;
        recount_link(graph, link);
    }
    let mut candidates = std::mem::take(queue).into_vec();
    let mut unmet = free.len();
    for &slot in free {
        match narrowest(graph, slot) {
            (Some(own), false) => unmet -= stop(graph, own.link(), own.bound()),
            (Some(own), true) => candidates.push(Reverse(own)),
            (None, _) => {}
        }
    }
    let met = open
        .iter()
        .filter(|it| graph.links[**it as usize].vacancy.crossings > 1);
    candidates.extend(met.map(|link| Reverse(candidate(graph, *link))));
    *queue = FillingOrder::from(candidates);
    let mut floor = 0.0;
    while unmet > 0 {
        let mut first = queue
            .peek_mut()
            .expect("each free flow crosses an open link");
        let link = first.0.link();
        let vacancy = &graph.links[link as usize].vacancy;
        if vacancy.crossings == 0 {
            PeekMut::pop(first);
            continue;
        }
        if vacancy.weight < vacancy.weight_min {
            recount_link(graph, link);
        }
        // Because of rounding, the level could be slightly lower than before.
        let level = level(graph, link).max(floor);
        if level > first.0.bound() {
            first.0 = first.0.at(level);
        } else {
            PeekMut::pop(first);
            unmet -= stop(graph, link, level);
            floor = level;
        }
    }
}

fn candidate(graph: &Graph, link: u32) -> Candidate {
    Candidate::new(level(graph, link), link)
}

/// Returns which of the links that no other free flow crosses fills first, and whether other free
/// flows cross any of the flow's other links.
fn narrowest(graph: &Graph, slot: u32) -> (Option<Candidate>, bool) {
    let mut own: Option<Candidate> = None;
    let mut meets = false;
    for hop in &graph.hops[graph.flows[slot as usize].hops()] {
        if graph.links[hop.link as usize].vacancy.crossings > 1 {
            meets = true;
        } else {
            let candidate = candidate(graph, hop.link);
            own = Some(own.map_or(candidate, |it| it.min(candidate)));
        }
    }
    (own, meets)
}

/// Returns the level where a link fills if no other link fills first.
fn level(graph: &Graph, link: u32) -> f64 {
    let vacancy = &graph.links[link as usize].vacancy;
    let level = vacancy.bytes_per_s / vacancy.weight;
    if level > 0.0 { level } else { 0.0 }
}

/// Computes how much capacity of a link is left for its free flows, and how much its settled flows
/// use.
fn recount_link(graph: &mut Graph, number: u32) {
    let link = &mut graph.links[number as usize];
    let capacity = link.capacity.bytes_per_s;
    let mut settled = Settled::default();
    let (mut taken, mut most): (f64, f64) = (0.0, 0.0);
    let (mut sum, mut greatest): (f64, f64) = (0.0, 0.0);
    let mut crossings = 0;
    for crossing in &link.crossings {
        let flow = &graph.flows[crossing.flow as usize];
        match flow.state {
            State::Settled => {
                taken += flow.rate;
                most = most.max(flow.rate);
                settled.level = settled.level.max(flow.level);
                settled.has_bottleneck |= flow.is_stopped_by(number, link.capacity);
            }
            State::Free => {
                sum += flow.weight;
                greatest = greatest.max(flow.weight);
                crossings += 1;
            }
            State::Filled => taken += flow.next_rate,
        }
    }
    let is_fatpipe = link.capacity.is_fatpipe;
    settled.exceeds = if is_fatpipe { most } else { taken } > capacity * (1.0 + SAME);
    link.settled = settled;
    link.level = f64::INFINITY;
    link.vacancy = if is_fatpipe || capacity == f64::INFINITY {
        Vacancy {
            bytes_per_s: capacity,
            weight: greatest,
            weight_min: greatest,
            crossings,
        }
    } else {
        Vacancy {
            bytes_per_s: capacity - taken,
            weight: sum,
            weight_min: WEIGHT_LEFT * sum,
            crossings,
        }
    };
}

/// Stops the free flows of a full link. If one of them also fills a FATPIPE, stops all flows of the
/// FATPIPE too. Returns the number of stopped flows.
fn stop(graph: &mut Graph, full: u32, level: f64) -> usize {
    graph.links[full as usize].level = level;
    let mut stopped = 0;
    let mut also_full = Vec::new();
    let mut next = Some(full);
    while let Some(full) = next {
        // The loop doesn't change crossings, or any other list of this link.
        let crossings = std::mem::take(&mut graph.links[full as usize].crossings);
        for crossing in &crossings {
            let flow = &mut graph.flows[crossing.flow as usize];
            if flow.state != State::Free {
                continue;
            }
            flow.state = State::Filled;
            flow.next_rate = level * flow.weight;
            flow.bottleneck = full;
            stopped += 1;
            let (weight, rate, changes) = (flow.weight, flow.next_rate, flow.changes());
            for hop in &graph.hops[flow.hops()] {
                let link = &mut graph.links[hop.link as usize];
                link.has_changed |= changes;
                link.vacancy.crossings -= 1;
                take(&mut link.vacancy, link.capacity.is_fatpipe, weight, rate);
                if link.level == f64::INFINITY && link.capacity.is_fatpipe_full(rate) {
                    link.level = level;
                    also_full.push(hop.link);
                }
            }
        }
        graph.links[full as usize].crossings = crossings;
        next = also_full.pop();
    }
    stopped
}

/// Subtracts what a stopped flow uses.
fn take(vacancy: &mut Vacancy, is_fatpipe: bool, weight: f64, rate: f64) {
    if is_fatpipe || vacancy.bytes_per_s == f64::INFINITY {
        if weight >= vacancy.weight {
            // The largest remaining weight is unknown, so it must be computed again.
            vacancy.weight = 0.0;
        }
    } else {
        vacancy.bytes_per_s -= rate;
        vacancy.weight -= weight;
    }
}
