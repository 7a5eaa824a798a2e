//! What a trace says of its run, as JSON in the metadata of the table.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::FORMAT;

/// What was run. Known before the first record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// The model's name.
    pub model: String,
    /// Nodes, CPUs of each, processes, threads: as in the JSON result.
    #[serde(default)]
    pub system: Value,
    /// The model's parameters by name.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// The machine's name.
    #[serde(default)]
    pub machine: String,
    /// What messages take of the links between nodes; none where there is one node.
    #[serde(default)]
    pub links: Option<Links>,
    /// The networks, disciplines and algorithms, as flags have them.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// The seed of the random numbers.
    #[serde(default)]
    pub seed: u64,
    /// The version of Performance Prophet.
    #[serde(default)]
    pub version: String,
    /// Which records were kept, as `--trace-filter` has it; none when all were.
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

/// What a message takes of the links between nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Whose the network interfaces are; none where messages do not wait for each other
    /// (Hockney's model).
    pub interfaces: Option<Interfaces>,
    /// What lies between the ends of a link, in seconds.
    pub latency_s: f64,
    /// How long sender and receiver are busy with a message, in seconds.
    pub overhead_s: f64,
    /// How long any message takes an interface, in seconds.
    pub gap_s: f64,
    /// How much longer each byte takes it, in seconds; the first byte is free where there are
    /// interfaces.
    pub byte_s: f64,
    /// Messages with more bytes wait for their receives; none if no message does.
    #[serde(default)]
    pub eager_bytes: Option<u64>,
}

impl Links {
    /// How long a message takes a link, in seconds.
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

/// Whose the network interfaces are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Interfaces {
    /// Each process has one.
    Process,
    /// The processes of a node share one.
    Node,
}

/// What came out, in the numbers of the JSON result. Known after the last record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Results {
    /// The predicted time in seconds.
    pub predicted_time_s: f64,
    /// Whether the run came to its end; if not, the trace has what happened until then.
    #[serde(default)]
    pub complete: bool,
    /// The elements that were met, by index.
    #[serde(default)]
    pub elements: Vec<ElementTotals>,
    /// The processes, by pid; none when there are more than 10,000.
    #[serde(default)]
    pub processes: Vec<ProcessTotals>,
}

/// An element, and what its executions took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementTotals {
    /// Its index in the model, which records have.
    pub index: u32,
    /// Its name in the model.
    pub name: String,
    /// Its id in the model.
    pub id: i64,
    /// Its stereotype.
    #[serde(rename = "type")]
    pub kind: String,
    /// How often it was executed.
    pub count: u64,
    /// How long all executions took, in seconds.
    pub total_s: f64,
    /// How long one took in the mean, in seconds.
    pub mean_s: f64,
    /// How long the longest took, in seconds.
    pub max_s: f64,
    /// What it took of the time of all processes, from 0 to 1.
    #[serde(default)]
    pub share: f64,
}

/// A process, and what its time went to, in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessTotals {
    /// Its number.
    pub pid: u32,
    /// Its node's number.
    pub nid: u32,
    /// When it ended.
    pub end_s: f64,
    /// Time on a CPU, as the mean over its threads while it has several; so are the others.
    pub compute_s: f64,
    /// The price of communication.
    pub communication_s: f64,
    /// Time in queues, for messages, for other processes and threads.
    pub wait_s: f64,
    /// Time that elements of the user's own let pass.
    #[serde(default)]
    pub hold_s: f64,
}

/// All that the metadata of a finished file say.
#[derive(Debug, Serialize)]
pub(crate) struct Whole {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) results: Results,
}
