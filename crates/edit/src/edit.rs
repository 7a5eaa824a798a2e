//! Defines the edits that pages and programs can request.

use std::collections::BTreeSet;
use std::mem;

use serde::{Deserialize, Serialize};

/// An edit of a model.
///
/// Edits refer to elements by `xmi:id`. Later in a list of edits, `$key` refers to the element that
/// an edit has added with this `key`.
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
        /// Name of the stereotype in the profile; `None` to remove the current stereotype.
        name: Option<String>,
    },
    /// Sets the code of an action, or the body of a cost function.
    Body {
        element: String,
        text: Option<String>,
    },
    /// Sets or removes the guard of a flow.
    Guard { flow: String, text: Option<String> },
    /// Sets or removes the comment of an element.
    Comment {
        element: String,
        text: Option<String>,
    },
    /// Adds a node to a diagram.
    AddNode {
        /// The activity or structured node to add the node to.
        diagram: String,
        /// UML type of the node, such as `OpaqueAction`.
        kind: String,
        name: String,
        /// Name of the stereotype in the profile; `None` for no stereotype.
        stereotype: Option<String>,
        /// Left edge of the node in the drawing.
        x: f64,
        /// Top edge of the node in the drawing.
        y: f64,
        width: f64,
        height: f64,
        /// Key for later edits to refer to the node.
        key: Option<String>,
    },
    /// Adds a flow between two nodes of a diagram.
    AddFlow {
        /// The activity or structured node to add the flow to.
        diagram: String,
        source: String,
        target: String,
        guard: Option<String>,
        /// Key for later edits to refer to the flow.
        key: Option<String>,
    },
    /// Changes the ends of a flow.
    Reconnect {
        flow: String,
        source: String,
        target: String,
    },
    /// Removes nodes, flows, activities, variables or functions, together with everything that
    /// refers to them.
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
        /// Points from source to target; empty for a straight line.
        points: Vec<Point>,
    },
    /// Adds an activity.
    AddActivity {
        name: String,
        /// Key for later edits to refer to the activity.
        key: Option<String>,
    },
    /// Sets or removes the activity that a `CallBehaviorAction` calls.
    Calls {
        element: String,
        diagram: Option<String>,
    },
    /// Adds or changes a variable.
    Variable {
        /// The variable to change; `None` to add a variable.
        id: Option<String>,
        /// The diagram that a new variable belongs to; `None` for a global variable.
        owner: Option<String>,
        /// The main activity of the program that a new global variable belongs to; `None` for the
        /// first program in the file.
        #[serde(default)]
        program: Option<String>,
        name: String,
        /// Type: `Integer`, `Real`, `Boolean`, or a type from the model.
        #[serde(rename = "type")]
        type_name: String,
        /// Whether the variable is a model parameter.
        #[serde(rename = "readOnly", default)]
        read_only: bool,
        /// Number of values in an array; `None` for a scalar.
        length: Option<u64>,
        default: Option<String>,
        /// Key for later edits to refer to a new variable.
        #[serde(default)]
        key: Option<String>,
    },
    /// Adds or changes a cost function.
    Function {
        /// The function to change; `None` to add a function.
        id: Option<String>,
        name: String,
        parameters: Vec<CostParameter>,
        result: Option<String>,
        body: String,
        /// The language of a new function; `None` for C.
        #[serde(default)]
        language: Option<String>,
        /// Key for later edits to refer to a new function.
        #[serde(default)]
        key: Option<String>,
    },
}

impl Edit {
    /// Returns the existing element that the edit changes; `None` if it only adds an element.
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

    /// Returns the node and its new bounds if the edit is a move.
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

/// Returns the number of edits at the start of the list that need the text to be parsed only once,
/// because they are of the same kind and change different places.
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

/// A point in a drawing: its distances from the left edge and from the top.
pub type Point = [f64; 2];

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct CostParameter {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}
