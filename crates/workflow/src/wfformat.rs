//! `WfFormat` 1.5, in which `WfCommons` keeps recorded workflows.
//!
//! The schema: <https://github.com/wfcommons/WfFormat>. A [`Document`] has what the schema names in
//! fields of its own, and all else in `rest`, so that it is written as it was read.

mod lower;
mod raise;
mod time;

use prophet_text::Problem;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};

pub use lower::{Instance, Recorded};
pub(crate) use time::{date, seconds as date_seconds};

/// The version that is read and written.
pub const VERSION: &str = "1.5";
/// Size of the largest file that is read, in bytes; reading takes some ten times as much memory.
pub const LARGEST_BYTES: usize = 64 << 20;

/// A file in `WfFormat`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Name of the workflow.
    pub name: String,
    /// Version of the format.
    #[serde(rename = "schemaVersion")]
    pub version: String,
    /// The workflow.
    pub workflow: Body,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The workflow of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// The tasks and files.
    pub specification: Specification,
    /// A recorded execution.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub execution: Option<Execution>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Tasks and files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Specification {
    /// The tasks.
    pub tasks: Vec<TaskEntry>,
    /// The files.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub files: Option<Vec<FileEntry>>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskEntry {
    /// Name of its kind.
    pub name: String,
    /// The id.
    pub id: String,
    /// Ids of the tasks that it waits for.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub parents: Option<Vec<String>>,
    /// Ids of the tasks that wait for it.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub children: Option<Vec<String>>,
    /// Ids of the files that it reads.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub input_files: Option<Vec<String>>,
    /// Ids of the files that it writes.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub output_files: Option<Vec<String>>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A file that tasks read or write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// The id.
    pub id: String,
    /// The size.
    pub size_in_bytes: Number,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A recorded execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// Time from the start to the end, in seconds.
    pub makespan_in_seconds: Number,
    /// The tasks as they ran.
    pub tasks: Vec<TaskRecord>,
    /// The machines that they ran on.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub machines: Option<Vec<MachineRecord>>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A task as it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRecord {
    /// Id of the task.
    pub id: String,
    /// Seconds that the task ran.
    pub runtime_in_seconds: Number,
    /// Time when it started, as a date and time.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub executed_at: Option<String>,
    /// Cores that the task had.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub core_count: Option<Number>,
    /// Memory that the task took.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory_in_bytes: Option<Number>,
    /// Names of its machines.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub machines: Option<Vec<String>>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineRecord {
    /// The name.
    pub node_name: String,
    /// The processor.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub cpu: Option<Cpu>,
    /// The memory.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory_in_bytes: Option<Number>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The processor of a machine.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpu {
    /// Number of its cores.
    #[serde(
        default,
        deserialize_with = "there",
        skip_serializing_if = "Option::is_none"
    )]
    pub core_count: Option<Number>,
    /// All else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A value that is there: `null` is refused, which would be lost otherwise.
fn there<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl Document {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// If the text is too large, no JSON, or not of version 1.5.
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

    /// The document as text, indented, with a line break at its end.
    ///
    /// # Errors
    ///
    /// None that is known: all documents can be written.
    pub fn text(&self) -> Result<String, Problem> {
        serde_json::to_string_pretty(self)
            .map(|it| prophet_text::plain::json(&it) + "\n")
            .map_err(|error| {
                Problem::with_help(error.to_string(), "This is a bug; please report it.")
            })
    }
}

/// The problem of a file that is too large.
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

/// The reason why a text is not a document; an older version is named first.
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
    let message = prophet_text::plain::line(&error.to_string());
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let what = prophet_text::entry_mistake(&message[..end]);
    let help =
        "Compare the file with the WfFormat 1.5 schema, https://github.com/wfcommons/WfFormat.";
    Problem::with_help(format!("the file is not valid WfFormat: {what}"), help).in_part(place)
}
