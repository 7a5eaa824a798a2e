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
    /// [`FORMAT`], or the older version of the file that was read.
    pub format: u32,
    pub model: String,
    /// Numbers of nodes, CPUs per node, processes and threads, as in the JSON result.
    #[serde(default)]
    pub system: Value,
    /// The values of the model's parameters, by name.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    #[serde(default)]
    pub machine: String,
    /// Costs of messages between nodes; `None` for a single node.
    #[serde(default)]
    pub links: Option<Links>,
    /// Networks, disciplines and algorithms, in the notation of their flags.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// Seed of the random numbers.
    #[serde(default)]
    pub seed: u64,
    /// Version of Performance Prophet.
    #[serde(default)]
    pub version: String,
    /// The filter for the records, in the notation of `--trace-filter`; `None` if all records were
    /// kept.
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

/// What a message costs on the links between nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Who owns the network interfaces; `None` if messages don't wait for interfaces (Hockney's
    /// model).
    pub interfaces: Option<Interfaces>,
    /// In seconds.
    pub latency_s: f64,
    /// How long a message occupies its sender and its receiver, in seconds.
    pub overhead_s: f64,
    /// How long each message occupies an interface, in seconds.
    pub gap_s: f64,
    /// Additional time per byte, in seconds. With interfaces, the first byte takes no time.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// Each process has its own.
    Process,
    /// The processes of a node share one interface.
    Node,
}

/// The outcome of a run, as in the JSON result. It is known only after the last record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    pub predicted_time_s: f64,
    /// Whether the run reached its end. Otherwise, the trace covers only the events before the run
    /// stopped.
    #[serde(default)]
    pub complete: bool,
    /// The executed elements, sorted by index.
    #[serde(default)]
    pub elements: Vec<ElementTotals>,
    /// The processes, sorted by pid; empty if there are more than 10,000.
    #[serde(default)]
    pub processes: Vec<ProcessOutcome>,
    /// `None` unless messages share links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<TracedNetwork>,
    /// The machine operations that executions used, sorted by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<UsedOperations>,
}

/// The machine operations that an execution uses, and how often.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsedOperations {
    /// Number by which records refer to this entry.
    pub number: u32,
    /// Names and counts, sorted by name.
    pub counts: Vec<(String, f64)>,
}

/// An element, with the total time of its executions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementTotals {
    /// Index in the model, by which records refer to the element.
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
    /// Positions of all tables except the table of records.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) tables: BTreeMap<&'static str, TablePlace>,
}
