//! Counts the parts of a file that were read or skipped, by kind, so that a user notices if an
//! import is empty.

mod count;
mod render;

use std::collections::BTreeMap;

use serde::Serialize;

/// Number of occurrences of each kind.
pub type Counts = BTreeMap<String, usize>;

/// What was read from a model file, and what was skipped.
///
/// Kinds have their names from UML (`DecisionNode`) or the profile (`action+`); other kinds have
/// the name that the file uses.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The file's name in messages.
    pub file: String,
    /// The kind of file: `UML 2`, `UML 1`, `PlantUML text` or, for our own format, `Prophet
    /// XML`; empty if there is no model.
    pub uml: String,
    /// The tool that wrote the file, as stated in the file.
    pub exporter: Option<String>,
    pub read: Read,
    /// Skipped parts, by kind and reason.
    pub skipped: Vec<Skipped>,
}

/// The parts of a file that were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Read {
    pub activities: usize,
    /// Packages and classes that count as activities, because they contain nodes drawn outside any
    /// activity.
    pub implicit_activities: usize,
    /// Activity nodes, by UML type.
    pub nodes: Counts,
    /// Edges, by UML type.
    pub edges: Counts,
    pub guards: usize,
    /// Edges whose name was used as the guard.
    pub guards_from_names: usize,
    /// Applied stereotypes of the profile, by name.
    pub stereotypes: Counts,
    pub functions: usize,
    /// Global and local variables.
    pub variables: usize,
}

/// Parts of one kind that were skipped for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub kind: String,
    pub reason: &'static str,
    pub count: usize,
}
