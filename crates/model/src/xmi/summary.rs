//! Summary of the parts of a file that were read or skipped, by kind: an import is never silently
//! empty.

mod count;
mod render;

use std::collections::BTreeMap;

use serde::Serialize;

/// Numbers of occurrences by kind.
pub type Counts = BTreeMap<String, usize>;

/// Summary of a model file: the parts that were read, and the parts that were skipped.
///
/// Kinds are the names of UML (`DecisionNode`), of the profile (`action+`) and, where neither knows
/// them, of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The file, as messages name it.
    pub file: String,
    /// `UML 2`, `UML 1`, `text of PlantUML` or, for our own form, `XML of prophet`; empty where
    /// there is no model.
    pub uml: String,
    /// The tool that the file says has written it.
    pub exporter: Option<String>,
    /// Parts that were read.
    pub read: Read,
    /// Parts that were skipped, by kind and reason.
    pub skipped: Vec<Skipped>,
}

/// Parts of a file that were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Read {
    /// Activities.
    pub activities: usize,
    /// Packages and classes that stand for an activity, with the drawing in them outside of
    /// activities.
    pub implicit_activities: usize,
    /// Nodes of activities, by their UML types.
    pub nodes: Counts,
    /// Edges, by their UML types.
    pub edges: Counts,
    /// Guards of the edges.
    pub guards: usize,
    /// Names of edges that were taken for guards.
    pub guards_from_names: usize,
    /// Stereotypes of the profile that are applied.
    pub stereotypes: Counts,
    /// Cost functions.
    pub functions: usize,
    /// Global and local variables.
    pub variables: usize,
}

/// Things of one kind that were skipped for one reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// The kind.
    pub kind: String,
    /// The reason.
    pub reason: &'static str,
    /// Number of things.
    pub count: usize,
}
