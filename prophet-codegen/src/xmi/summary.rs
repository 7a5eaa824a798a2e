//! What was read of a file and what was not, by kinds: an import is never silently empty.

mod count;
mod render;

use std::collections::BTreeMap;

use serde::Serialize;

/// How often each kind of thing is there.
pub type Counts = BTreeMap<String, usize>;

/// What was read of a model file, and what was skipped.
///
/// Kinds are the names of UML (`DecisionNode`), of the profile (`action+`) and, where neither knows
/// them, of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The file, as messages name it.
    pub file: String,
    /// `UML 2`, `UML 1` or, for our own form, `XML of prophet`; empty where there is no model.
    pub uml: String,
    /// The tool that the file says has written it.
    pub exporter: Option<String>,
    /// What was read.
    pub read: Read,
    /// What was not, by kind and reason.
    pub skipped: Vec<Skipped>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Read {
    /// Activities.
    pub activities: usize,
    /// Packages and classes that stand for one, with what is drawn in them outside of activities.
    pub implicit_activities: usize,
    /// Nodes of activities, by their UML types.
    pub nodes: Counts,
    /// Edges, by their UML types.
    pub edges: Counts,
    /// Guards of those edges.
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
    /// Why.
    pub reason: &'static str,
    /// How many there are.
    pub count: usize,
}
