//! Represents a run: the result of a program, and where it comes from.

use prophet_result::RunResult;
use prophet_text::{Problem, problem};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// A run to save: its result and origin.
#[derive(Debug, Clone)]
pub struct RunRecord {
    /// Path of the model file, as the user typed it.
    pub model_file: Option<String>,
    /// SHA-256 hash of the model file.
    pub model_hash: Option<String>,
    /// SHA-256 hash of the generated crate.
    pub crate_hash: Option<String>,
    /// Flags of the run.
    pub command: Option<Vec<String>>,
    /// Path of the trace that the run wrote.
    pub trace: Option<String>,
    pub result: RunResult<'static>,
    pub(crate) text: Box<RawValue>,
}

/// Keys that a result needs to be saved, although they have defaults elsewhere. Without them, the
/// run can't be repeated or compared.
#[derive(Deserialize)]
#[expect(dead_code, reason = "that they are there is all that matters")]
struct Required {
    parameters: IgnoredAny,
    machine: IgnoredAny,
    seed: IgnoredAny,
    evaluation: IgnoredAny,
    elements: IgnoredAny,
}

/// A run, as exported.
#[derive(Deserialize)]
struct Record {
    model_file: Option<String>,
    model_hash: Option<String>,
    crate_hash: Option<String>,
    command: Option<Vec<String>>,
    trace: Option<String>,
    result: Option<Box<RawValue>>,
}

impl RunRecord {
    /// Reads the runs in a JSON text: results as programs print them, or exported runs. They can be
    /// one value, several in a row, or arrays.
    ///
    /// # Errors
    ///
    /// Returns an error with its position in the text if a value isn't a run.
    pub fn read_all(text: &str) -> Result<Vec<Self>, Problem> {
        let mut runs = Vec::new();
        let values = serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>();
        for value in values {
            let value = value.map_err(|error| Problem::new(not_json(&error)))?;
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
            return Err(Problem::new("it does not contain a run"));
        }
        Ok(runs)
    }

    fn read(value: Box<RawValue>) -> Result<Self, Problem> {
        let record: Record = parse(value.get())?;
        let text = record.result.unwrap_or(value);
        let result = RunResult::from_json(text.get().as_bytes()).map_err(|it| no_result(&it))?;
        let _: Required = parse(text.get())?;
        Ok(Self {
            model_file: record.model_file,
            model_hash: record.model_hash,
            crate_hash: record.crate_hash,
            command: record.command,
            trace: record.trace,
            result,
            text,
        })
    }

    /// Returns the text of the result, as the program wrote it.
    pub fn text(&self) -> &str {
        self.text.get()
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| no_result(&error))
}

fn not_json(error: &serde_json::Error) -> String {
    format!("it is not JSON: {}", prophet_text::json_mistake(error))
}

fn no_result(error: &serde_json::Error) -> Problem {
    let why = prophet_text::json_mistake(error);
    problem!("it is not the result of a run, as printed by `--format json`: {why}")
}

impl Serialize for RunRecord {
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
