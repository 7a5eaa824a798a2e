//! Summarizes the parts of a file that were read or skipped, by kind, so that no import is silently
//! empty.

mod count;
mod render;

use std::collections::BTreeMap;

use serde::Serialize;

/// Numbers of occurrences by kind.
pub type Counts = BTreeMap<String, usize>;

/// What was read from a model file, and what was skipped.
///
/// Kinds are named as in UML (`DecisionNode`), the profile (`action+`) or, if neither knows them,
/// the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The file's name in messages.
    pub file: String,
    /// `UML 2`, `UML 1`, `text of PlantUML` or, for our own format, `XML of prophet`; empty if
    /// there is no model.
    pub uml: String,
    /// The tool that wrote the file, according to the file.
    pub exporter: Option<String>,
    pub read: Read,
    /// Skipped parts, by kind and reason.
    pub skipped: Vec<Skipped>,
}

/// The parts of a file that were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Read {
    pub activities: usize,
    /// Packages and classes that count as an activity, for drawings outside activities.
    pub implicit_activities: usize,
    /// Activity nodes, by UML type.
    pub nodes: Counts,
    /// Edges, by UML type.
    pub edges: Counts,
    pub guards: usize,
    /// Names of edges that were taken for guards.
    pub guards_from_names: usize,
    /// Applied stereotypes of the profile.
    pub stereotypes: Counts,
    pub functions: usize,
    /// Global and local variables.
    pub variables: usize,
}

/// Things of one kind that were skipped for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub kind: String,
    pub reason: &'static str,
    pub count: usize,
}
