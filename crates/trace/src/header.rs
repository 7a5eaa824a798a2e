//! Describes the run of a trace, as JSON in the table's metadata.

use std::collections::BTreeMap;

use prophet_result::ProcessOutcome;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::columns::FORMAT;
use crate::traffic::TracedNetwork;
use crate::traffic::tables::TablePlace;

/// What is known of a run before the first record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format: [`FORMAT`].
    pub format: u32,
    /// The model's name.
    pub model: String,
    /// Nodes, CPUs per node, processes and threads, as in the JSON result.
    #[serde(default)]
    pub system: Value,
    /// The model's parameters by name.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The machine's name.
    #[serde(default)]
    pub machine: String,
    /// Costs of messages on the links between nodes; `None` on a single node.
    #[serde(default)]
    pub links: Option<Links>,
    /// Networks, disciplines and algorithms, written like the values of flags.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// Seed of the random numbers.
    #[serde(default)]
    pub seed: u64,
    /// The version of Performance Prophet.
    #[serde(default)]
    pub version: String,
    /// Filter for the records, as in `--trace-filter`; `None` if all were kept.
    #[serde(default)]
    pub filter: Option<String>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            format: FORMAT,
            model: String::new(),
            system: Value::Null,
            parameters: Map::new(),
            machine: String::new(),
            links: None,
            settings: Map::new(),
            seed: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            filter: None,
        }
    }
}

/// Costs of a message on the links between nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Owners of the network interfaces; `None` if messages don't wait for each other (Hockney's
    /// model).
    pub interfaces: Option<Interfaces>,
    /// Latency of a link, in seconds.
    pub latency_s: f64,
    /// Time that a message occupies its sender and its receiver, in seconds.
    pub overhead_s: f64,
    /// Time that each message occupies an interface, in seconds.
    pub gap_s: f64,
    /// Additional time per byte, in seconds; with interfaces, the first byte is free.
    pub byte_s: f64,
    /// Size of the largest message that doesn't wait for its receive; `None` if all messages do.
    #[serde(default)]
    pub eager_bytes: Option<u64>,
}

impl Links {
    /// Computes how long a message occupies a link, in seconds.
    ///
    /// ```
    /// use prophet_trace::{Interfaces, Links};
    ///
    /// let (latency_s, overhead_s, eager_bytes) = (1.0, 0.0, None);
    /// let mut links =
    ///     Links { interfaces: None, latency_s, overhead_s, gap_s: 0.5, byte_s: 2.0, eager_bytes };
    /// assert_eq!(links.taken_s(3), 6.5);
    /// links.interfaces = Some(Interfaces::Node);
    /// assert_eq!(links.taken_s(3), 4.5);
    /// ```
    #[expect(
        clippy::cast_precision_loss,
        reason = "sizes above 2^53 bytes are rounded"
    )]
    pub fn taken_s(&self, bytes: u64) -> f64 {
        let free = u64::from(self.interfaces.is_some());
        self.gap_s + bytes.saturating_sub(free) as f64 * self.byte_s
    }
}

/// Owners of the network interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// Each process has its own interface.
    Process,
    /// The processes of a node share one interface.
    Node,
}

/// Outcome of a run, with the numbers of the JSON result. It is known after the last record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    /// Predicted time, in seconds.
    pub predicted_time_s: f64,
    /// Whether the run was finished; if not, the trace covers the events before it stopped.
    #[serde(default)]
    pub complete: bool,
    /// The executed elements, by index.
    #[serde(default)]
    pub elements: Vec<ElementTotals>,
    /// The processes, by pid; empty if there are more than 10,000.
    #[serde(default)]
    pub processes: Vec<ProcessOutcome>,
    /// The network, if messages share its links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<TracedNetwork>,
    /// The priced operations used by executions, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<UsedOperations>,
}

/// Machine operations that an execution used, with their counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsedOperations {
    /// Number by which records refer to this entry.
    pub number: u32,
    /// Names and counts, sorted by name.
    pub counts: Vec<(String, f64)>,
}

/// An element, and the time spent on its executions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementTotals {
    /// Index in the model, used by records.
    pub index: u32,
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of executions.
    pub count: u64,
    /// Total time of all executions, in seconds.
    pub total_s: f64,
    /// Mean time of an execution, in seconds.
    pub mean_s: f64,
    /// Time of the longest execution, in seconds.
    pub max_s: f64,
    /// Share of the total time of all processes, from 0 to 1.
    #[serde(default)]
    pub share: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Whole {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) results: Results,
    /// Places of all tables except the table of records.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) tables: BTreeMap<&'static str, TablePlace>,
}
