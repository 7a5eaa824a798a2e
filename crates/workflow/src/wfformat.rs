//! Reads and writes `WfFormat` 1.5, the format in which `WfCommons` publishes recorded workflows.
//!
//! The schema is at <https://github.com/wfcommons/WfFormat>. A [`Document`] has a field for
//! everything in the schema. It stores everything else in `rest`, so that it can be written back
//! unchanged.

mod lower;
mod raise;
mod time;

use prophet_text::Problem;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};

pub use lower::{Instance, Recorded};
pub(crate) use time::{date, seconds as date_seconds};

/// The supported version of the format.
pub const VERSION: &str = "1.5";
/// Maximum size of a file, in bytes. Reading a file takes about ten times as much memory.
pub const LARGEST_BYTES: usize = 64 << 20;

/// The content of a `WfFormat` file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub name: String,
    /// Version of the format that the file states.
    #[serde(rename = "schemaVersion")]
    pub version: String,
    pub workflow: Body,
    /// Everything that the schema doesn't define.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The workflow: its tasks and files, and how it was executed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    pub specification: Specification,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub execution: Option<Execution>,
    /// Everything that the schema doesn't define.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Specification {
    pub tasks: Vec<TaskEntry>,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub files: Option<Vec<FileEntry>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskEntry {
    pub name: String,
    pub id: String,
    /// Ids of the tasks that this task waits for.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub parents: Option<Vec<String>>,
    /// Ids of the tasks that wait for this task.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub children: Option<Vec<String>>,
    /// Ids of the files that the task reads.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub input_files: Option<Vec<String>>,
    /// Ids of the files that the task writes.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub output_files: Option<Vec<String>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    pub id: String,
    pub size_in_bytes: Number,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// In seconds, from the start to the end of the workflow.
    pub makespan_in_seconds: Number,
    pub tasks: Vec<TaskRecord>,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub machines: Option<Vec<MachineRecord>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRecord {
    pub id: String,
    pub runtime_in_seconds: Number,
    /// When the workflow started, as a date and time.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub executed_at: Option<String>,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub core_count: Option<Number>,
    /// Memory that the task used, in bytes.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory_in_bytes: Option<Number>,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub machines: Option<Vec<String>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineRecord {
    pub node_name: String,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub cpu: Option<Cpu>,
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory_in_bytes: Option<Number>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpu {
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub core_count: Option<Number>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Parses a value, and rejects `null`, which would be lost otherwise.
fn there<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl Document {
    /// Parses the content of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is too large, isn't JSON, or isn't version 1.5.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        if text.len() > LARGEST_BYTES {
            return Err(too_large(text.len() as u64));
        }
        let read: Result<Self, _> = serde_json::from_str(text);
        let document = read.map_err(|error| not_read(text, &error))?;
        if document.version != VERSION {
            return Err(other_version(&document.version));
        }
        Ok(document)
    }

    /// Returns the document as indented text with a trailing newline.
    ///
    /// # Errors
    ///
    /// No document is known that causes an error.
    pub fn text(&self) -> Result<String, Problem> {
        serde_json::to_string_pretty(self)
            .map(|it| prophet_text::plain::json(&it) + "\n")
            .map_err(|error| {
                Problem::with_help(error.to_string(), "This is a bug; please report it.")
            })
    }
}

pub(crate) fn too_large(bytes: u64) -> Problem {
    let what = format!(
        "the file has {} MB; the limit is {} MB",
        bytes.div_ceil(1 << 20),
        LARGEST_BYTES >> 20
    );
    Problem::with_help(what, "Split the workflow, or remove the output of tasks.")
}

fn other_version(version: &str) -> Problem {
    let what = format!(
        "version {} is not supported; use {VERSION}",
        crate::quoted(version)
    );
    let help = "Convert the file with the WfCommons tools.";
    Problem::with_help(what, help).in_part("schemaVersion")
}

/// Explains why a text isn't a document. An old version is reported first.
fn not_read(text: &str, error: &serde_json::Error) -> Problem {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "schemaVersion")]
        version: String,
    }
    if let Ok(head) = serde_json::from_str::<Head>(text)
        && head.version != VERSION
    {
        return other_version(&head.version);
    }
    let place = format!("line {}, column {}", error.line(), error.column());
    if error.is_eof() {
        let help = "Write or copy it again.";
        return Problem::with_help("the file is cut off", help).in_part(place);
    }
    let what = prophet_text::json_mistake(prophet_text::plain::line(&error.to_string()));
    let help =
        "Compare the file with the WfFormat 1.5 schema, https://github.com/wfcommons/WfFormat.";
    Problem::with_help(format!("the file is not valid WfFormat: {what}"), help).in_part(place)
}
