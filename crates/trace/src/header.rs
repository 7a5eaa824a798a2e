//! Describes the run that a trace records, as JSON in the table's metadata.

use std::collections::BTreeMap;

use prophet_result::ProcessOutcome;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::columns::FORMAT;
use crate::traffic::TracedNetwork;
use crate::traffic::tables::TablePlace;

/// What is known about a run before its first record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the trace format: [`FORMAT`].
    pub format: u32,
    /// The name of the model.
    pub model: String,
    /// The numbers of nodes, CPUs per node, processes and threads, as in the JSON result.
    #[serde(default)]
    pub system: Value,
    /// The values of the model's parameters, by name.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The name of the machine.
    #[serde(default)]
    pub machine: String,
    /// The costs of messages on the links between nodes; `None` for a single node.
    #[serde(default)]
    pub links: Option<Links>,
    /// The networks, disciplines and algorithms, written like the values of flags.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// The seed of the random numbers.
    #[serde(default)]
    pub seed: u64,
    /// The version of Performance Prophet.
    #[serde(default)]
    pub version: String,
    /// The filter for the records, written like the value of `--trace-filter`; `None` if all
    /// records were kept.
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

/// The costs of a message on the links between nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// The owners of the network interfaces; `None` if messages don't wait for interfaces
    /// (Hockney's model).
    pub interfaces: Option<Interfaces>,
    /// The latency of a link, in seconds.
    pub latency_s: f64,
    /// The time for which a message occupies its sender and its receiver, in seconds.
    pub overhead_s: f64,
    /// The time for which each message occupies an interface, in seconds.
    pub gap_s: f64,
    /// The additional time per byte, in seconds. With interfaces, the first byte takes no time.
    pub byte_s: f64,
    /// The size of the largest message that doesn't wait for its receive, in bytes; `None` if all
    /// messages wait.
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

/// The owners of the network interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// Each process has its own interface.
    Process,
    /// The processes of a node share one interface.
    Node,
}

/// The outcome of a run, with the numbers of the JSON result. It is known only after the last
/// record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    /// The predicted time, in seconds.
    pub predicted_time_s: f64,
    /// Whether the run reached its end. Otherwise, the trace covers only the events before the run
    /// stopped.
    #[serde(default)]
    pub complete: bool,
    /// The executed elements, by index.
    #[serde(default)]
    pub elements: Vec<ElementTotals>,
    /// The processes, by pid; empty if there are more than 10,000.
    #[serde(default)]
    pub processes: Vec<ProcessOutcome>,
    /// The network; `None` unless messages share its links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<TracedNetwork>,
    /// The machine operations that executions used, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<UsedOperations>,
}

/// The machine operations that an execution used, with their counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsedOperations {
    /// The number by which records refer to this entry.
    pub number: u32,
    /// The operations' names and counts, sorted by name.
    pub counts: Vec<(String, f64)>,
}

/// An element, with the total time of its executions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementTotals {
    /// The element's index in the model, by which records refer to it.
    pub index: u32,
    /// The element's name in the model.
    pub name: String,
    /// The element's id in the model.
    pub id: i64,
    /// The element's stereotype.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of executions.
    pub count: u64,
    /// The total time of all executions, in seconds.
    pub total_s: f64,
    /// The mean time of an execution, in seconds.
    pub mean_s: f64,
    /// The time of the longest execution, in seconds.
    pub max_s: f64,
    /// The element's share of the total time of all processes, from 0 to 1.
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
