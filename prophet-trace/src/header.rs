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
            settings: Map::new(),
            seed: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            filter: None,
        }
    }
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
    /// Time on a CPU, of all its threads.
    pub compute_s: f64,
    /// The price of communication.
    pub communication_s: f64,
    /// Time in queues, for messages, for other processes and threads.
    pub wait_s: f64,
}

/// All that the metadata of a finished file say.
#[derive(Debug, Serialize)]
pub(crate) struct Whole {
    #[serde(flatten)]
    pub(crate) header: Header,
    #[serde(flatten)]
    pub(crate) results: Results,
}
