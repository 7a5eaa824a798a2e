//! Computes the energy of a run, and what it costs. A run's records can be added up in any order.

use std::cell::RefCell;

use prophet_machine::power::Law;
use prophet_machine::system::System;
use prophet_machine::tariff::Tariff;
use prophet_map::Map;

use crate::results::elements::{ElementTable, FixedSum};
use crate::results::outcome::{AcceleratorOutcome, ElementEnergy, Energy, RunCost};

const KWH_J: f64 = 3.6e6;

/// Maximum number of time spans of a node. If there are more, overlapping ones are joined.
const TIMES_MAX: usize = 1 << 12;

/// Measures the energy that units use in addition to the energy of idle nodes.
#[derive(Debug)]
pub(crate) struct Meter {
    laws: Box<[Law]>,
    memory_byte_j: f64,
    network_byte_j: f64,
    elements: RefCell<Map<u32, Joules>>,
    /// The times when any CPU of a node was busy, for each node, if the first busy CPU takes extra
    /// power.
    awake: RefCell<Vec<Times>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Joules {
    cpus: FixedSum,
    memory: FixedSum,
    network: FixedSum,
}

impl Joules {
    /// Combines each part with the same part of `other`.
    fn with(self, other: Self, combine: impl Fn(FixedSum, FixedSum) -> FixedSum) -> Self {
        Self {
            cpus: combine(self.cpus, other.cpus),
            memory: combine(self.memory, other.memory),
            network: combine(self.network, other.network),
        }
    }
}

impl Meter {
    /// Creates a meter, or returns `None` if the machine doesn't describe its power.
    pub(crate) fn new(system: &System) -> Option<Self> {
        let power = system.power?;
        let laws: Box<[Law]> = (0..system.nodes)
            .map_while(|nid| system.power_of(nid))
            .collect();
        Some(Self {
            awake: RefCell::new(vec![Times::default(); laws.len()]),
            laws,
            memory_byte_j: power.memory_byte_j,
            network_byte_j: power.network_byte_j,
            elements: RefCell::default(),
        })
    }

    fn add(&self, element: u32, add: impl FnOnce(&mut Joules)) {
        add(self.elements.borrow_mut().get_or_default(element));
    }

    pub(crate) fn add_all(&self, other: Self) {
        for (element, joules) in other.elements.into_inner() {
            self.add(element, |it| *it = it.with(joules, FixedSum::and));
        }
        let all = other.awake.into_inner();
        for (own, more) in self.awake.borrow_mut().iter_mut().zip(all) {
            more.all.into_iter().for_each(|span| own.add(span));
        }
    }

    pub(crate) fn sums(&self) -> Map<u32, Joules> {
        self.elements.borrow().clone()
    }

    /// Adds the energy metered after `since`, `times` more times; the machine must not need the
    /// times of busy nodes.
    pub(crate) fn repeat(&self, since: &Map<u32, Joules>, times: u64) {
        for (element, joules) in self.sums() {
            let since = since.get(&element).copied().unwrap_or_default();
            let repeated = joules.with(since, |sum, since| sum.repeated(since, times));
            self.elements.borrow_mut().insert(element, repeated);
        }
    }

    /// Adds the seconds for which a unit had a CPU of a node, in a span from start to end.
    pub(crate) fn add_cpu(&self, nid: u32, element: u32, seconds: f64, span: (f64, f64)) {
        let Some(law) = self.laws.get(nid as usize) else {
            return;
        };
        let joules = law.cpu_w * seconds;
        self.add(element, |it| it.cpus = it.cpus.plus(joules));
        if law.wakes()
            && let Some(awake) = self.awake.borrow_mut().get_mut(nid as usize)
        {
            awake.add(span);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
    pub(crate) fn add_memory(&self, element: u32, bytes: u64) {
        let joules = self.memory_byte_j * bytes as f64;
        self.add(element, |it| it.memory = it.memory.plus(joules));
    }

    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
    pub(crate) fn add_message(&self, element: u32, bytes: u64) {
        let joules = self.network_byte_j * bytes as f64;
        self.add(element, |it| it.network = it.network.plus(joules));
    }

    pub(crate) fn energy(
        &self,
        system: &System,
        elements: &ElementTable,
        accelerators: &[AcceleratorOutcome],
        end_s: f64,
    ) -> Energy {
        let mut of_elements = Vec::new();
        let mut sum = Joules::default();
        for (index, joules) in self.elements.borrow().iter() {
            sum = sum.with(*joules, FixedSum::and);
            let [cpus_j, memory_j, network_j] =
                [joules.cpus, joules.memory, joules.network].map(FixedSum::seconds);
            let known = elements
                .get(*index)
                .filter(|_| cpus_j + memory_j + network_j > 0.0);
            of_elements.extend(known.map(|(element, _)| ElementEnergy {
                name: element.name.to_owned(),
                id: element.id,
                cpus_j,
                memory_j,
                network_j,
            }));
        }
        let nodes = f64::from(system.nodes);
        let idle_w: f64 = self.laws.iter().map(|law| law.idle_w).sum();
        let network_w = system.power.map_or(0.0, |power| power.network_idle_w) * nodes;
        let mut awake = self.awake.borrow_mut();
        let awake = self.laws.iter().zip(awake.iter_mut());
        let awake_j = awake.map(|(law, times)| (law.awake_w - law.idle_w) * times.seconds());
        let idle_j = idle_w * end_s;
        let cpus_j = sum.cpus.seconds() + awake_j.sum::<f64>();
        let memory_j = sum.memory.seconds();
        let network_j = network_w * end_s + sum.network.seconds();
        let accelerators_j = accelerators_j(system, accelerators, end_s);
        let total_j = idle_j + cpus_j + memory_j + network_j + accelerators_j;
        Energy {
            total_j,
            mean_power_w: if end_s > 0.0 { total_j / end_s } else { 0.0 },
            idle_j,
            cpus_j,
            memory_j,
            network_j,
            accelerators_j,
            elements: of_elements,
        }
    }
}

fn accelerators_j(system: &System, used: &[AcceleratorOutcome], end_s: f64) -> f64 {
    let mut nodes = vec![0_u32; system.accelerators.len()];
    let kinds = (0..system.nodes).flat_map(|nid| system.accelerators_of(nid));
    kinds.for_each(|(kind, _)| nodes[kind] += 1);
    let all = system.accelerators.iter().zip(nodes).map(|(of, nodes)| {
        let kernels = used.iter().find(|it| it.name == of.name);
        let kernels_s = kernels.map_or(0.0, |it| it.kernels_s);
        let devices = f64::from(of.count) * f64::from(nodes);
        of.idle_w * devices * end_s + (of.busy_w - of.idle_w) * kernels_s
    });
    // An empty sum is -0.
    all.sum::<f64>() + 0.0
}

pub(crate) fn cost(tariff: &Tariff, energy: Option<&Energy>, nodes: u32, end_s: f64) -> RunCost {
    let kwh = energy.map(|energy| energy.total_j / KWH_J);
    let times = |price: Option<f64>, count: Option<f64>| Some(price? * count?);
    let energy = times(tariff.kwh, kwh);
    let nodes = times(tariff.node_hour, Some(f64::from(nodes) * end_s / 3600.0));
    let parts: Vec<f64> = energy.into_iter().chain(nodes).collect();
    RunCost {
        tariff: tariff.from.to_string(),
        currency: tariff.currency.clone(),
        total: (!parts.is_empty()).then(|| parts.iter().sum()),
        energy,
        nodes,
        carbon_g: times(tariff.carbon_g, kwh),
    }
}

/// Spans of time from start to end, which can overlap.
#[derive(Debug, Clone, Default)]
struct Times {
    all: Vec<(f64, f64)>,
    /// Number of spans left after overlapping ones were last joined.
    joined: usize,
}

impl Times {
    fn add(&mut self, (start_s, end_s): (f64, f64)) {
        match self.all.last_mut() {
            Some(last) if last.0 <= start_s && start_s <= last.1 => last.1 = last.1.max(end_s),
            _ => self.all.push((start_s, end_s)),
        }
        if self.all.len() >= TIMES_MAX.max(2 * self.joined) {
            self.join();
        }
    }

    fn join(&mut self) {
        self.all
            .sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        self.all.dedup_by(|next, before| {
            let overlaps = next.0 <= before.1;
            if overlaps {
                before.1 = before.1.max(next.1);
            }
            overlaps
        });
        self.joined = self.all.len();
    }

    /// Returns the total time that the spans cover, in seconds.
    fn seconds(&mut self) -> f64 {
        self.join();
        self.all
            .iter()
            .map(|(start_s, end_s)| end_s - start_s)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_overlap_count_once() {
        let mut forward = Times::default();
        let mut backward = Times::default();
        let spans: Vec<(f64, f64)> = (0..20_000_u32)
            .map(|at| {
                (
                    f64::from(at),
                    f64::from(at) + if at % 4 == 0 { 1.5 } else { 0.25 },
                )
            })
            .collect();
        for span in &spans {
            forward.add(*span);
        }
        for span in spans.iter().rev() {
            backward.add(*span);
        }
        // A span of 1.5 s covers the start of the next. Every four cover 1.5 + 0.25 + 0.25 s.
        assert_eq!(forward.seconds().to_bits(), 10_000.0_f64.to_bits());
        assert_eq!(backward.seconds().to_bits(), 10_000.0_f64.to_bits());
    }
}
