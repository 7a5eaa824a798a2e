//! Stores which flows cross which links.

use crate::Capacity;
use crate::capacity::{SAME, checked};
use crate::slots::put;

pub(super) const NO_LINK: u32 = u32::MAX;

/// Links, flows and routes, with working data for computing rates.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) links: Vec<Link>,
    pub(super) flows: Vec<Flow>,
    pub(super) hops: Vec<Hop>,
    /// Starts of unused routes in `hops`, by the binary logarithm of their size.
    vacant: Vec<Vec<u32>>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) capacity: Capacity,
    /// Flows that cross the link. A flow is listed twice if its route crosses the link twice.
    pub(super) crossings: Vec<Crossing>,
    pub(super) vacancy: Vacancy,
    /// The level where the link fills; infinite if it isn't full.
    pub(super) level: f64,
    pub(super) is_affected: bool,
    pub(super) settled: Settled,
    /// Whether the rate of a flow on the link has changed in the current computation.
    pub(super) has_changed: bool,
    pub(super) is_open: bool,
}

/// The part of a link's capacity that is left for flows without a new rate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vacancy {
    pub(super) bytes_per_s: f64,
    /// Sum of these flows' weights or, on a FATPIPE, the largest weight.
    pub(super) weight: f64,
    /// If `weight` falls below this, the weights are summed again.
    pub(super) weight_min: f64,
    pub(super) crossings: u32,
}

/// Flows on a link that keep their rates.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settled {
    pub(super) level: f64,
    /// Whether the link is the bottleneck of a settled flow.
    pub(super) has_bottleneck: bool,
    /// Whether the settled flows use more than the capacity of the link.
    pub(super) exceeds: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    pub(super) weight: f64,
    /// Rate in bytes per second; 0 until it is known.
    pub(super) rate: f64,
    /// The rate that a flow with weight 1 would have at the same bottleneck.
    pub(super) level: f64,
    pub(super) next_rate: f64,
    pub(super) bottleneck: u32,
    pub(super) state: State,
    hop_first: u32,
    hop_count: u32,
}

/// What is known about a flow's rate while rates are computed. Otherwise, all flows are settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum State {
    Settled,
    Free,
    /// `next_rate` is the new rate, unless further flows are included in the computation.
    Filled,
}

/// A link in a route, and the index of the flow among the link's crossings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hop {
    pub(super) link: u32,
    place: u32,
}

/// A flow on a link, and the index of the link's hop in the flow's route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub(super) flow: u32,
    hop: u32,
}

impl Flow {
    pub(super) fn hops(&self) -> std::ops::Range<usize> {
        let first = self.hop_first as usize;
        first..first + self.hop_count as usize
    }

    /// Returns `true` if the link limits the flow: it is the flow's bottleneck, or a FATPIPE that
    /// the flow fills. If several links are equally full, the bottleneck is the first of them in
    /// the route. A FATPIPE limits all flows that cross it, no matter where it is in their routes.
    pub(super) fn is_stopped_by(&self, number: u32, capacity: Capacity) -> bool {
        self.bottleneck == number || capacity.is_fatpipe_full(self.rate)
    }

    pub(super) fn changes(&self) -> bool {
        (self.next_rate - self.rate).abs() > SAME * self.rate
    }

    pub(super) fn settle(&mut self, rate: f64) {
        self.state = State::Settled;
        self.rate = rate;
        self.level = rate / self.weight;
    }
}

impl Link {
    pub(super) fn new(capacity: Capacity) -> Self {
        checked(capacity.bytes_per_s);
        Self {
            capacity,
            crossings: Vec::new(),
            vacancy: Vacancy::default(),
            level: f64::INFINITY,
            is_affected: false,
            settled: Settled::default(),
            has_changed: false,
            is_open: false,
        }
    }

    /// Marks the link as affected. Adds it to the list unless it was already marked.
    pub(super) fn affect(&mut self, number: u32, affected: &mut Vec<u32>) {
        if !self.is_affected {
            self.is_affected = true;
            affected.push(number);
        }
    }

    /// Marks the link as open. Adds it to the list unless it was already marked.
    pub(super) fn open(&mut self, number: u32, open: &mut Vec<u32>) {
        if !self.is_open {
            self.is_open = true;
            open.push(number);
        }
    }
}

impl Graph {
    /// Stores a flow in a slot, without adding it to its links.
    pub(super) fn describe(&mut self, slot: u32, weight: f64, route: &[u32]) {
        let hop_first = self.room(route.len());
        for (place, &link) in (hop_first as usize..).zip(route) {
            assert!(
                (link as usize) < self.links.len(),
                "link {link} of {}",
                self.links.len()
            );
            self.hops[place] = Hop { link, place: 0 };
        }
        let flow = Flow {
            weight,
            rate: 0.0,
            level: 0.0,
            next_rate: 0.0,
            bottleneck: NO_LINK,
            state: State::Settled,
            hop_first,
            hop_count: small(route.len()),
        };
        put(&mut self.flows, slot, flow);
    }

    pub(super) fn forget(&mut self, slot: u32) {
        let flow = &self.flows[slot as usize];
        if flow.hop_count > 0 {
            let class = class(flow.hop_count as usize);
            self.vacant[class].push(flow.hop_first);
        }
    }

    /// Adds a flow to its links. Marks the links that it shares with other flows as affected.
    pub(super) fn join(&mut self, slot: u32, affected: &mut Vec<u32>) {
        for number in self.flows[slot as usize].hops() {
            let hop = &mut self.hops[number];
            let link = &mut self.links[hop.link as usize];
            hop.place = small(link.crossings.len());
            link.crossings.push(Crossing {
                flow: slot,
                hop: small(number),
            });
            if link.crossings.len() > 1 {
                link.affect(hop.link, affected);
            }
        }
    }

    /// Removes a flow from its links. Marks the links that other flows use as affected.
    pub(super) fn leave(&mut self, slot: u32, affected: &mut Vec<u32>) {
        for number in self.flows[slot as usize].hops() {
            let hop = self.hops[number];
            let link = &mut self.links[hop.link as usize];
            link.crossings.swap_remove(hop.place as usize);
            if let Some(moved) = link.crossings.get(hop.place as usize) {
                self.hops[moved.hop as usize].place = hop.place;
            }
            if !link.crossings.is_empty() {
                link.affect(hop.link, affected);
            }
        }
    }

    /// Returns the narrowest link of a flow, and the capacity of this link; `None` if the flow
    /// shares any link with other flows.
    pub(super) fn alone(&self, slot: u32) -> Option<(u32, f64)> {
        let mut narrowest = (NO_LINK, f64::INFINITY);
        for hop in &self.hops[self.flows[slot as usize].hops()] {
            let link = &self.links[hop.link as usize];
            if link.crossings.len() > 1 {
                return None;
            }
            let capacity = link.capacity.bytes_per_s;
            if capacity < narrowest.1 || narrowest.0 == NO_LINK {
                narrowest = (hop.link, capacity);
            }
        }
        Some(narrowest)
    }

    pub(super) fn load(&self, link: u32) -> f64 {
        let crossings = self.links[link as usize].crossings.iter();
        let rates = crossings.map(|it| self.flows[it.flow as usize].rate);
        // Without rates, `sum` would return -0.
        rates.fold(0.0, |sum, rate| sum + rate)
    }

    /// Returns the index of the first of `count` unused hops.
    fn room(&mut self, count: usize) -> u32 {
        if count == 0 {
            return 0;
        }
        let class = class(count);
        if self.vacant.len() <= class {
            self.vacant.resize_with(class + 1, Vec::new);
        }
        self.vacant[class].pop().unwrap_or_else(|| {
            let first = self.hops.len();
            let hop = Hop { link: 0, place: 0 };
            self.hops.resize(first + (1 << class), hop);
            small(first)
        })
    }
}

/// Returns the binary logarithm of the space for a route of `count` hops.
fn class(count: usize) -> usize {
    count.next_power_of_two().trailing_zeros() as usize
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a network has fewer than 2^32 crossings")
}
