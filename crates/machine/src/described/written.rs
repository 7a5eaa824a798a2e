//! Declares the entries of a machine file as users write them.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::operations::Operations;
use super::{accelerator, accuracy, cache, device, group, power};
use crate::change::entry::Entry;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entries {
    pub(super) name: Spanned<String>,
    pub(super) source: Spanned<String>,
    /// Name of the nodes, which are all equal; kept for the XML format.
    pub(super) computer: Option<String>,
    pub(super) nodes: Option<Spanned<i64>>,
    pub(super) cpus_per_node: Option<Spanned<i64>>,
    pub(super) sockets: Option<Spanned<i64>>,
    pub(super) numa_domains: Option<Spanned<i64>>,
    pub(super) memory: Option<Spanned<String>>,
    pub(super) memory_bandwidth: Option<Spanned<Rates>>,
    pub(super) core_bandwidth: Option<Spanned<String>>,
    pub(super) saturation: Option<Spanned<String>>,
    pub(super) overlap: Option<Spanned<String>>,
    pub(super) bind: Option<Spanned<String>>,
    #[serde(default, rename = "node")]
    pub(super) groups: Vec<Spanned<group::Entry>>,
    #[serde(default, rename = "cache")]
    pub(super) caches: Vec<Spanned<cache::Entry>>,
    #[serde(default, rename = "accelerator")]
    pub(super) accelerators: Vec<Spanned<accelerator::Entry>>,
    pub(super) network: Option<Spanned<NetworkEntry>>,
    pub(super) intranode: Option<Spanned<String>>,
    #[serde(default, rename = "connect")]
    pub(super) connections: Vec<Spanned<ConnectEntry>>,
    #[serde(default, rename = "cable")]
    pub(super) cables: Vec<Spanned<CableEntry>>,
    #[serde(default, rename = "link")]
    pub(super) links: Vec<Spanned<LinkEntry>>,
    #[serde(default, rename = "route")]
    pub(super) routes: Vec<Spanned<RouteEntry>>,
    #[serde(default, rename = "change")]
    pub(super) changes: Vec<Spanned<Entry>>,
    pub(super) discipline: Option<Spanned<String>>,
    pub(super) quantum: Option<Spanned<String>>,
    pub(super) wait_policy: Option<Spanned<String>>,
    pub(super) collectives: Option<Spanned<String>>,
    pub(super) mapping: Option<Spanned<Layout>>,
    pub(super) operations: Option<Spanned<Operations>>,
    pub(super) power: Option<Spanned<power::Entry>>,
    pub(super) accuracy: Option<Spanned<accuracy::Entry>>,
    #[serde(default, rename = "device")]
    pub(super) devices: Vec<Spanned<device::Entry>>,
}

/// Placement of the processes: a value of `--mapping`, or a list.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a mapping: `block`, `cyclic` or a list of nodes"
)]
pub(super) enum Layout {
    Text(String),
    Nodes(Vec<u32>),
}

/// Bandwidth of a memory: one value for all CPUs together, or a curve for 1, 2, … CPUs.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text such as \"45GB/s\", or a list of texts for 1, 2, … CPUs"
)]
pub(super) enum Rates {
    All(String),
    Curve(Vec<String>),
}

/// The entry `network`: a text in the flag's notation, or a table with the flag's keys.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text such as \"hockney:latency=1us,bandwidth=1GB/s\", or a table"
)]
pub(super) enum NetworkEntry {
    Text(String),
    Table(BTreeMap<String, Value>),
}

/// A `[[connect]]`, which in PTI's format connects a node to a port of the network.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConnectEntry {
    pub(super) computer: Option<String>,
    pub(super) node: i64,
    pub(super) network: Option<String>,
    pub(super) port: i64,
}

/// A `[[cable]]` of the topology `graph`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CableEntry {
    pub(super) name: String,
    pub(super) between: Vec<String>,
    pub(super) bandwidth: Option<String>,
    pub(super) latency: Option<String>,
    #[serde(default)]
    pub(super) background: Option<f64>,
    /// Whether both directions share a single link.
    #[serde(default)]
    pub(super) half_duplex: bool,
    /// Whether the bandwidth limits each message separately.
    #[serde(default)]
    pub(super) fatpipe: bool,
}

/// A `[[link]]` of the topology `routes`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkEntry {
    pub(super) name: String,
    pub(super) bandwidth: Option<String>,
    pub(super) latency: Option<String>,
    #[serde(default)]
    pub(super) background: Option<f64>,
    /// Whether the bandwidth limits each message separately.
    #[serde(default)]
    pub(super) fatpipe: bool,
}

/// A `[[route]]` of the topologies `graph` and `routes`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RouteEntry {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) links: Vec<String>,
    /// Whether the way back uses the same links in reverse order.
    #[serde(default)]
    pub(super) both_ways: bool,
}
