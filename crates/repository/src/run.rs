//! A run: the result of a program, and its origin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::Failure;

/// A run to keep.
#[derive(Debug, Clone)]
pub struct Run {
    /// The model's file, as the user named it.
    pub model_file: Option<String>,
    /// The SHA-256 of that file.
    pub model_hash: Option<String>,
    /// The SHA-256 of the generated crate.
    pub crate_hash: Option<String>,
    /// The flags of the program.
    pub command: Option<Vec<String>>,
    /// Path of the run's trace.
    pub trace: Option<String>,
    /// The result.
    pub result: RunResult,
    /// The result as the program wrote it.
    pub(crate) text: Box<RawValue>,
}

/// Result that a program prints with `--format json`; unknown keys are kept as well.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RunResult {
    /// The model's name.
    pub model: String,
    /// Size of the system.
    pub system: System,
    /// The values of the model's parameters.
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// The machine, in words.
    pub machine: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The prediction.
    pub predicted_time_s: f64,
    /// True if the run was interrupted: the rest is partial.
    #[serde(default)]
    pub partial: bool,
    /// Origin of the prediction.
    pub evaluation: Evaluation,
    /// Times of the elements.
    pub elements: Vec<Element>,
}

/// Size of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    /// Nodes.
    pub nodes: u32,
    /// CPUs of each node.
    pub cpus_per_node: u32,
    /// Processes of the program.
    pub processes: u32,
    /// Threads of each process.
    pub threads: u32,
}

/// Origin of a prediction.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Evaluation {
    /// The engine that made it.
    pub engine: String,
    /// Elapsed time, in seconds.
    pub wall_s: f64,
}

/// Times of an element, over all processes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Element {
    /// Name in the model.
    pub name: String,
    /// Id.
    pub id: i64,
    /// Stereotype.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of executions.
    pub count: u64,
    /// Total time, in seconds.
    pub total_s: f64,
    /// Mean time, in seconds.
    pub mean_s: f64,
    /// Longest time, in seconds.
    pub max_s: f64,
}

/// A run in its exported form.
#[derive(Deserialize)]
struct Record {
    model_file: Option<String>,
    model_hash: Option<String>,
    crate_hash: Option<String>,
    command: Option<Vec<String>>,
    trace: Option<String>,
    result: Option<Box<RawValue>>,
}

impl Run {
    /// Reads the runs of a JSON text: results as programs print them, or exported runs; one,
    /// several behind each other, or arrays of them.
    ///
    /// # Errors
    ///
    /// If one of them is not a run; the message gives its place.
    pub fn read_all(text: &str) -> Result<Vec<Self>, Failure> {
        let mut runs = Vec::new();
        let values = serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>();
        for value in values {
            let value = value.map_err(|error| Failure::new(format!("it is not JSON: {error}")))?;
            if value.get().starts_with('[') {
                let list: Vec<Box<RawValue>> = parse(value.get())?;
                for value in list {
                    runs.push(Self::read(value)?);
                }
            } else {
                runs.push(Self::read(value)?);
            }
        }
        if runs.is_empty() {
            return Err(Failure::new("there is no run in it"));
        }
        Ok(runs)
    }

    fn read(value: Box<RawValue>) -> Result<Self, Failure> {
        let record: Record = parse(value.get())?;
        let text = record.result.unwrap_or(value);
        Ok(Self {
            model_file: record.model_file,
            model_hash: record.model_hash,
            crate_hash: record.crate_hash,
            command: record.command,
            trace: record.trace,
            result: parse(text.get())?,
            text,
        })
    }

    /// The result as the program wrote it.
    pub fn text(&self) -> &str {
        self.text.get()
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        Failure::new(format!(
            "it is not a result of a run, as `--format json` prints it: {error}"
        ))
    })
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            model_file: &'a Option<String>,
            model_hash: &'a Option<String>,
            crate_hash: &'a Option<String>,
            command: &'a Option<Vec<String>>,
            trace: &'a Option<String>,
            result: &'a RawValue,
        }
        let record = Record {
            model_file: &self.model_file,
            model_hash: &self.model_hash,
            crate_hash: &self.crate_hash,
            command: &self.command,
            trace: &self.trace,
            result: &self.text,
        };
        record.serialize(serializer)
    }
}
