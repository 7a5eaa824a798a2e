//! Defines the edits that a page or program can request.

use std::collections::BTreeSet;
use std::mem;

use serde::{Deserialize, Serialize};

/// An edit of a model.
///
/// Edits name elements by `xmi:id`. In a list of edits, `$key` refers to the element that an
/// earlier edit added under that key.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Edit {
    /// Renames an element.
    Rename { element: String, name: String },
    /// Sets or removes a tag of an element's stereotype.
    Tag {
        element: String,
        tag: String,
        value: Option<String>,
    },
    /// Applies, replaces or removes an element's stereotype.
    Stereotype {
        element: String,
        /// Name of the stereotype in the profile.
        name: Option<String>,
    },
    /// Sets the code of an action, or the body of a cost function.
    Body {
        element: String,
        text: Option<String>,
    },
    /// Sets the guard of a flow.
    Guard { flow: String, text: Option<String> },
    /// Sets the comment of an element.
    Comment {
        element: String,
        text: Option<String>,
    },
    /// Adds a node to a diagram.
    AddNode {
        /// The activity or structured node that gets the node.
        diagram: String,
        /// UML type of the node, such as `OpaqueAction`.
        kind: String,
        name: String,
        /// Name of the stereotype in the profile.
        stereotype: Option<String>,
        /// Left edge of the node in the drawing.
        x: f64,
        /// Top edge of the node in the drawing.
        y: f64,
        width: f64,
        height: f64,
        /// Key by which later edits refer to the node.
        key: Option<String>,
    },
    /// Adds a flow between two nodes of a diagram.
    AddFlow {
        /// The activity or structured node that contains the flow.
        diagram: String,
        source: String,
        target: String,
        guard: Option<String>,
        /// Key by which later edits refer to the flow.
        key: Option<String>,
    },
    /// Changes the ends of a flow.
    Reconnect {
        flow: String,
        source: String,
        target: String,
    },
    /// Removes nodes, flows, activities, variables or functions, along with everything that refers
    /// to them.
    Remove { elements: Vec<String> },
    /// Moves a node in the drawing.
    Move {
        element: String,
        x: f64,
        y: f64,
        width: f64,
        height: f64,
    },
    /// Draws a flow along points.
    Points {
        flow: String,
        /// The flow's points, from source to target; empty for a straight line.
        points: Vec<Point>,
    },
    /// Adds an activity.
    AddActivity {
        name: String,
        /// Key by which later edits refer to the activity.
        key: Option<String>,
    },
    /// Sets the activity that a `CallBehaviorAction` calls.
    Calls {
        element: String,
        diagram: Option<String>,
    },
    /// Adds or changes a variable.
    Variable {
        /// The variable to change; `None` to add one.
        id: Option<String>,
        /// The diagram that the variable belongs to; `None` for a global variable.
        owner: Option<String>,
        /// The main activity of the program that a new global variable belongs to; `None` for the
        /// file's first program.
        #[serde(default)]
        program: Option<String>,
        name: String,
        /// The variable's type: `Integer`, `Real`, `Boolean`, or one of the model's types.
        #[serde(rename = "type")]
        type_name: String,
        /// Whether the variable is a parameter of the model.
        #[serde(rename = "readOnly", default)]
        read_only: bool,
        /// Number of values if the variable is an array; `None` for a scalar.
        length: Option<u64>,
        default: Option<String>,
        /// Key by which later edits refer to a new variable.
        #[serde(default)]
        key: Option<String>,
    },
    /// Adds or changes a cost function.
    Function {
        /// The function to change; `None` to add one.
        id: Option<String>,
        name: String,
        parameters: Vec<CostParameter>,
        result: Option<String>,
        body: String,
        /// The language of a new function; C if `None`.
        #[serde(default)]
        language: Option<String>,
        /// Key by which later edits refer to a new function.
        #[serde(default)]
        key: Option<String>,
    },
}

impl Edit {
    /// Returns the existing element that the edit changes.
    pub(crate) fn element(&self) -> Option<&str> {
        match self {
            Self::Rename { element, .. }
            | Self::Tag { element, .. }
            | Self::Body { element, .. }
            | Self::Comment { element, .. }
            | Self::Calls { element, .. }
            | Self::Stereotype { element, .. }
            | Self::Move { element, .. }
            | Self::Points { flow: element, .. } => Some(element),
            Self::Guard { .. }
            | Self::AddNode { .. }
            | Self::AddFlow { .. }
            | Self::Reconnect { .. }
            | Self::Remove { .. }
            | Self::AddActivity { .. }
            | Self::Variable { .. }
            | Self::Function { .. } => None,
        }
    }

    /// Returns the node that the edit moves, with its new bounds.
    pub(crate) fn as_move(&self) -> Option<(&str, [f64; 4])> {
        let Self::Move {
            element,
            x,
            y,
            width,
            height,
        } = self
        else {
            return None;
        };
        Some((element, [*x, *y, *width, *height]))
    }
}

/// Counts how many edits at the start of the list can share one reading of the text. They are of
/// the same kind and change different places.
pub(crate) fn together(edits: &[Edit]) -> usize {
    let kind = edits.first().map(mem::discriminant);
    let mut places = BTreeSet::new();
    let mut is_another = |it: &Edit| match it {
        Edit::AddNode { .. }
        | Edit::AddFlow { .. }
        | Edit::AddActivity { .. }
        | Edit::Move { .. } => true,
        Edit::Variable { id, .. } | Edit::Function { id, .. } => id.is_none(),
        Edit::Tag { element, tag, .. } => places.insert((element.clone(), tag.clone())),
        Edit::Rename { .. }
        | Edit::Body { .. }
        | Edit::Comment { .. }
        | Edit::Calls { .. }
        | Edit::Points { .. } => {
            places.insert((it.element().unwrap_or("").to_owned(), String::new()))
        }
        Edit::Stereotype { .. }
        | Edit::Guard { .. }
        | Edit::Reconnect { .. }
        | Edit::Remove { .. } => false,
    };
    let mut edits = edits.iter();
    let first = edits.next().map_or(0, |it| {
        is_another(it);
        1
    });
    first
        + edits
            .take_while(|it| Some(mem::discriminant(*it)) == kind && is_another(it))
            .count()
}

/// A point in a drawing: its distance from the left edge and from the top.
pub type Point = [f64; 2];

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct CostParameter {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}
