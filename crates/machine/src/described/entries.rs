//! Lists the entries of a machine for display.

use super::Machine;
use crate::accelerator::Kinds;
use crate::change::{Change, Setting};
use crate::groups::Described;
use crate::mapping::Mapping;
use crate::memory::Overlap;
use crate::network_flag::NetworkFlag;
use crate::policy::CpuDiscipline;
use crate::quantity::engineering;
use crate::saturation::Saturation;
use prophet_platform::Quantity;

/// The value of an entry of a machine file.
///
/// Texts are written as in the file. Quantities have a suitable unit.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The machine doesn't have the entry.
    Missing,
    Text(String),
    Count(u32),
    /// A bandwidth in bytes per second, or a time in seconds, with its text.
    Quantity(f64, String),
    /// Entries of the same kind.
    List(Vec<Entry>),
    /// Operations, each with its price in seconds and the text of that price.
    Prices(Vec<(String, f64, String)>),
}

impl Machine {
    /// Lists all entries of the machine: the keys that its file can have, with their values.
    ///
    /// ```
    /// use prophet_runtime::{Entry, Machine};
    ///
    /// let gescher = Machine::preset("gescher").expect("there is one of that name");
    /// let entries = gescher.entries();
    /// assert_eq!(entries[2], ("nodes", Entry::Count(16)));
    /// assert_eq!(entries[4], ("sockets", Entry::Count(1)));
    /// ```
    pub fn entries(&self) -> Vec<(&'static str, Entry)> {
        let count = |number: Option<u32>| number.map_or(Entry::Missing, Entry::Count);
        let rate = |number: Option<f64>| {
            number.map_or(Entry::Missing, |it| {
                Entry::Quantity(it, engineering(it, "B/s"))
            })
        };
        let network = |flag: &Option<NetworkFlag>| {
            let flag = flag.as_ref();
            flag.map_or(Entry::Missing, |flag| Entry::Text(flag.to_string()))
        };
        let quantum = match self.discipline {
            CpuDiscipline::RoundRobin { quantum_s } => {
                Entry::Quantity(quantum_s, engineering(quantum_s, "s"))
            }
            CpuDiscipline::Fcfs | CpuDiscipline::ProcessorSharing => Entry::Missing,
        };
        let prices = self.prices.iter().map(|(name, price_s)| {
            let text = engineering(price_s, "s");
            (name.to_owned(), price_s, text)
        });
        let devices = self.devices.iter().map(|it| Entry::Text(it.to_string()));
        let caches = self.memory.caches.iter();
        let caches = caches.map(|it| Entry::Text(it.to_string()));
        let accelerators = self.accelerators.iter();
        let accelerators = accelerators.map(|it| Entry::Text(it.to_string()));
        let groups = self.groups.iter();
        let groups = groups.map(|it| self.group_entry(&it));
        let power = self.power.map(|it| Entry::Text(it.to_string()));
        vec![
            ("name", Entry::Text(self.name.clone())),
            ("source", Entry::Text(self.source.clone())),
            ("nodes", count(self.nodes)),
            ("cpus-per-node", count(self.cpus_per_node)),
            ("sockets", Entry::Count(self.memory.sockets)),
            ("numa-domains", Entry::Count(self.memory.domains())),
            (
                "memory",
                self.memory
                    .size
                    .map_or(Entry::Missing, |it| Entry::Text(size(it))),
            ),
            ("memory-bandwidth", self.memory_entry()),
            ("core-bandwidth", rate(self.memory.core_bandwidth)),
            ("saturation", self.saturation_entry()),
            ("overlap", self.overlap_entry()),
            ("cache", Entry::List(caches.collect())),
            ("accelerator", Entry::List(accelerators.collect())),
            ("bind", Entry::Text(self.binding.to_string())),
            ("node", Entry::List(groups.collect())),
            ("power", power.unwrap_or(Entry::Missing)),
            ("network", network(&self.network)),
            ("intranode", network(&self.intranode)),
            ("discipline", Entry::Text(self.discipline.name().to_owned())),
            ("quantum", quantum),
            ("wait-policy", Entry::Text(self.wait_policy.to_string())),
            (
                "collectives",
                Entry::Text(self.collectives.name().to_owned()),
            ),
            ("mapping", self.mapping_entry()),
            ("operations", Entry::Prices(prices.collect())),
            ("device", Entry::List(devices.collect())),
            ("change", Entry::List(self.change_entries())),
        ]
    }

    /// Shows the number of nodes in a group, and the group's name.
    fn group_entry(&self, group: &Described) -> Entry {
        let kind = group.kind;
        let nodes = prophet_text::counted(u64::from(group.count), "node", "nodes");
        let name = { group.name.as_ref() }.map_or_else(String::new, |it| format!("{it}: "));
        let speed = kind.speed;
        let power = kind.power.map(|it| format!(", {it}")).unwrap_or_default();
        let memory = kind.memory.map(|it| format!(", memory {}", size(it)));
        let memory = memory.unwrap_or_default();
        let accelerators = self.accelerator_names(kind.accelerators);
        Entry::Text(format!(
            "{name}{nodes} with speed {speed}{power}{accelerators}{memory}"
        ))
    }

    /// Lists the accelerators of a group of nodes, unless the group has all of them.
    fn accelerator_names(&self, kinds: Kinds) -> String {
        let names: Vec<&str> = { kinds.of(&self.accelerators) }
            .map(|(_, it)| it.name.as_str())
            .collect();
        match names.len() {
            all if all == self.accelerators.len() => String::new(),
            0 => ", no accelerators".to_owned(),
            _ => format!(", accelerators {}", names.join(", ")),
        }
    }

    /// Shows the memory bandwidth of a domain, or the bandwidth curve if one was measured.
    fn memory_entry(&self) -> Entry {
        let rate = |it: &f64| Entry::Quantity(*it, engineering(*it, "B/s"));
        match &self.memory.saturation {
            Saturation::Measured(curve) => Entry::List(curve.iter().map(rate).collect()),
            _ => self.memory.bandwidth.as_ref().map_or(Entry::Missing, rate),
        }
    }

    /// Shows how the memory saturates; nothing if the machine gives no bandwidth.
    fn saturation_entry(&self) -> Entry {
        let law = &self.memory.saturation;
        let has_law = self.memory.bandwidth.and(self.memory.core_bandwidth);
        has_law.map_or(Entry::Missing, |_| Entry::Text(law.name().to_owned()))
    }

    /// Shows how moving bytes overlaps with computing; nothing for the default.
    fn overlap_entry(&self) -> Entry {
        match self.memory.overlap {
            Overlap::Full => Entry::Missing,
            Overlap::None => Entry::Text(Overlap::None.name().to_owned()),
        }
    }

    fn mapping_entry(&self) -> Entry {
        match &self.mapping {
            Mapping::Block => Entry::Text("block".to_owned()),
            Mapping::Cyclic => Entry::Text("cyclic".to_owned()),
            Mapping::File(name) => Entry::Text(name.clone()),
            Mapping::List(nodes) => {
                Entry::List(nodes.iter().map(|node| Entry::Count(*node)).collect())
            }
        }
    }

    /// Lists changes of links, changes of nodes and operations, and the number of changes from
    /// profiles.
    fn change_entries(&self) -> Vec<Entry> {
        let fabric = self.network.as_ref().and_then(|flag| flag.fabric.as_ref());
        let of_links = fabric.map(|fabric| &fabric.changes);
        let lists = || of_links.into_iter().chain([&self.changes]);
        let changes = lists().flat_map(|listed| listed.entries.iter());
        let mut all: Vec<Entry> = changes.map(|it| Entry::Text(text_of(it))).collect();
        let of_profiles: usize = lists().map(|listed| listed.profile.len()).sum();
        if of_profiles > 0 {
            all.push(Entry::Text(format!("{of_profiles} by profiles")));
        }
        all
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
fn size(bytes: u64) -> String {
    engineering(bytes as f64, "B")
}

/// Formats a change as its entry in the machine file.
fn text_of(change: &Change) -> String {
    let at = engineering(change.at_s, "s");
    let (what, value) = match &change.setting {
        Setting::Node(node, speed) => (format!("node {node}"), format!("speed {speed}")),
        Setting::Operation(name, price_s) => {
            (format!("operation {name}"), engineering(*price_s, "s"))
        }
        Setting::Link(link, quantity) => {
            let value = match quantity {
                Quantity::Bandwidth(rate) => format!("bandwidth {}", engineering(*rate, "B/s")),
                Quantity::Latency(time_s) => format!("latency {}", engineering(*time_s, "s")),
                Quantity::Background(fraction) => format!("background {fraction}"),
                Quantity::Speed(speed) => format!("speed {speed}"),
            };
            (format!("link {link}"), value)
        }
    };
    format!("at {at}: {what}, {value}")
}
