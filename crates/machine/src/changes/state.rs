//! Tracks the current state of the parts of a machine that have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use prophet_platform::{Platform, Quantity};

use crate::parts::{Due, Parts};
use crate::prices::Prices;

/// The parts that have changed, and the changes that must still be applied.
#[derive(Debug)]
pub(super) struct State {
    platform: Option<Arc<Platform>>,
    links: BTreeMap<u32, Link>,
    /// Links with a new bandwidth that messages don't know yet.
    new_links: BTreeSet<u32>,
    /// Nodes with a new speed that must still be applied.
    new_nodes: BTreeMap<u32, f64>,
    prices: Prices,
    has_new_prices: bool,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    bytes_per_s: f64,
    background: f64,
    /// By how much the latency exceeds the one in the machine file, in seconds.
    more_s: f64,
}

impl State {
    pub(super) fn new(parts: &Parts, prices: &Prices) -> Self {
        Self {
            platform: parts.platform.clone(),
            links: BTreeMap::new(),
            new_links: BTreeSet::new(),
            new_nodes: BTreeMap::new(),
            prices: prices.clone(),
            has_new_prices: false,
        }
    }

    pub(super) fn set(&mut self, due: Due) {
        match due {
            Due::Link(link, quantity) => self.set_link(link, quantity),
            Due::Node(node, speed) => {
                self.new_nodes.insert(node, speed);
            }
            Due::Operation(name, price_s) => {
                self.prices.set(&name, price_s);
                self.has_new_prices = true;
            }
        }
    }

    fn set_link(&mut self, number: u32, quantity: Quantity) {
        let Some(platform) = &self.platform else {
            return;
        };
        let described = &platform.links()[number as usize];
        let link = self.links.entry(number).or_insert(Link {
            bytes_per_s: described.bytes_per_s,
            background: described.background,
            more_s: 0.0,
        });
        match quantity {
            Quantity::Bandwidth(bytes_per_s) => link.bytes_per_s = bytes_per_s,
            Quantity::Background(fraction) => link.background = fraction,
            Quantity::Latency(latency_s) => {
                link.more_s = latency_s - described.latency_s;
                return;
            }
            Quantity::Speed(_) => return,
        }
        self.new_links.insert(number);
    }

    pub(super) fn more_s(&self, links: &[u32]) -> f64 {
        if self.links.is_empty() {
            return 0.0;
        }
        let more = |link| self.links.get(link).map_or(0.0, |link| link.more_s);
        links.iter().map(more).sum()
    }

    pub(super) fn bytes_per_s(&self, link: u32) -> Option<f64> {
        self.links.get(&link).map(|link| link.bytes_per_s)
    }

    pub(super) fn has_links(&self) -> bool {
        !self.new_links.is_empty()
    }

    pub(super) fn take_link(&mut self) -> Option<(u32, f64)> {
        let number = self.new_links.pop_first()?;
        let link = self.links.get(&number)?;
        Some((number, link.bytes_per_s * (1.0 - link.background)))
    }

    pub(super) fn take_node(&mut self) -> Option<(u32, f64)> {
        self.new_nodes.pop_first()
    }

    pub(super) fn take_prices(&mut self) -> Option<&Prices> {
        let has_new_prices = std::mem::take(&mut self.has_new_prices);
        has_new_prices.then_some(&self.prices)
    }
}
