//! Counts by kind which parts of a file were read or skipped, so that users notice an empty import.

mod count;
mod render;

use std::collections::BTreeMap;

use serde::Serialize;

/// Number of parts of each kind.
pub type Counts = BTreeMap<String, usize>;

/// What was read from a model file, and what was skipped.
///
/// Kinds are called as in UML (`DecisionNode`), in the profile (`action+`) or, if they are unknown,
/// in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The file's name for messages.
    pub file: String,
    /// The kind of file: `UML 2`, `UML 1`, `text of PlantUML`, or `XML of prophet` for our own
    /// format; empty if it contains no model.
    pub uml: String,
    /// The tool that wrote the file; `None` if the file doesn't say so.
    pub exporter: Option<String>,
    pub read: Read,
    /// Parts that were skipped, by kind and reason.
    pub skipped: Vec<Skipped>,
}

/// What was read from a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Read {
    pub activities: usize,
    /// Packages and classes that became activities, because nodes are drawn directly in them.
    pub implicit_activities: usize,
    /// Activity nodes, by UML type.
    pub nodes: Counts,
    /// Edges, by UML type.
    pub edges: Counts,
    pub guards: usize,
    /// Edges with a name that is used as the guard.
    pub guards_from_names: usize,
    /// Applied stereotypes of the profile.
    pub stereotypes: Counts,
    pub functions: usize,
    /// Global variables and variables of diagrams.
    pub variables: usize,
}

/// Parts of a kind that were skipped for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub kind: String,
    pub reason: &'static str,
    pub count: usize,
}
