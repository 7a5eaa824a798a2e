//! Edits, as a page or a program asks for them.

use std::collections::BTreeSet;
use std::mem;

use serde::{Deserialize, Serialize};

/// An edit of a model.
///
/// Elements are named by their `xmi:id`. In a list of edits, `$key` names the element that an
/// earlier edit has added under that key.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Edit {
    /// Gives an element a name.
    Rename {
        /// The element.
        element: String,
        /// The new name.
        name: String,
    },
    /// Sets a tag of an element's stereotype, or takes it away.
    Tag {
        /// The element that the stereotype is applied to.
        element: String,
        /// Name of the tag.
        tag: String,
        /// The new value.
        value: Option<String>,
    },
    /// Replaces the applied stereotype by another one, or removes it.
    Stereotype {
        /// The element.
        element: String,
        /// Name of the stereotype in the profile.
        name: Option<String>,
    },
    /// Sets the code of an action, or the body of a cost function.
    Body {
        /// The action or function.
        element: String,
        /// The new code.
        text: Option<String>,
    },
    /// Sets the guard of a flow.
    Guard {
        /// The flow.
        flow: String,
        /// The new guard.
        text: Option<String>,
    },
    /// Sets the comment of an element.
    Comment {
        /// The element.
        element: String,
        /// The new comment.
        text: Option<String>,
    },
    /// Adds a node to a diagram.
    AddNode {
        /// The activity or structured node.
        diagram: String,
        /// UML type, such as `OpaqueAction`.
        kind: String,
        /// Name; may be empty.
        name: String,
        /// Stereotype, by its name in the profile.
        stereotype: Option<String>,
        /// Left edge of its drawing.
        x: f64,
        /// Upper edge of its drawing.
        y: f64,
        /// Width of its drawing.
        width: f64,
        /// Height of its drawing.
        height: f64,
        /// Key under which later edits know it.
        key: Option<String>,
    },
    /// Adds a flow between two nodes of a diagram.
    AddFlow {
        /// The activity or structured node.
        diagram: String,
        /// The node where it begins.
        source: String,
        /// The node where it ends.
        target: String,
        /// The guard.
        guard: Option<String>,
        /// Key under which later edits know it.
        key: Option<String>,
    },
    /// Gives a flow other ends.
    Reconnect {
        /// The flow.
        flow: String,
        /// The node where it begins from now on.
        source: String,
        /// The node where it ends from now on.
        target: String,
    },
    /// Removes nodes, flows, activities, variables or functions, with everything that refers to
    /// them.
    Remove {
        /// The elements that go.
        elements: Vec<String>,
    },
    /// Draws a node elsewhere.
    Move {
        /// The node.
        element: String,
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
    /// Draws a flow along points.
    Points {
        /// The flow.
        flow: String,
        /// From its source to its target; empty for a straight line.
        points: Vec<Point>,
    },
    /// Adds an activity beside the others.
    AddActivity {
        /// The name.
        name: String,
        /// Key under which later edits know it.
        key: Option<String>,
    },
    /// Lets a `CallBehaviorAction` call an activity.
    Calls {
        /// The action.
        element: String,
        /// The activity.
        diagram: Option<String>,
    },
    /// Adds or changes a variable.
    Variable {
        /// The variable that changes; `None` to add one.
        id: Option<String>,
        /// The diagram that it belongs to; `None` for a global one.
        owner: Option<String>,
        /// The main activity of the program that a new global one belongs to; `None` for the first
        /// program of the file.
        #[serde(default)]
        program: Option<String>,
        /// The name.
        name: String,
        /// The type: `Integer`, `Real` or `Boolean`, or as the model has it.
        #[serde(rename = "type")]
        type_name: String,
        /// True for a parameter of the model.
        #[serde(rename = "readOnly", default)]
        read_only: bool,
        /// Number of its values, for an array.
        length: Option<u64>,
        /// The value at the start.
        default: Option<String>,
        /// Key under which later edits know a new one.
        #[serde(default)]
        key: Option<String>,
    },
    /// Adds or changes a cost function.
    Function {
        /// The function that changes; `None` to add one.
        id: Option<String>,
        /// The name.
        name: String,
        /// The parameters.
        parameters: Vec<CostParameter>,
        /// The type of its result.
        result: Option<String>,
        /// The body.
        body: String,
        /// The language of a new one; C by default.
        #[serde(default)]
        language: Option<String>,
        /// Key under which later edits know a new one.
        #[serde(default)]
        key: Option<String>,
    },
}

impl Edit {
    /// The existing element that changes.
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

    /// The node that is moved, and where to.
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

/// Number of edits, from the first on, that need only one reading of the text: edits of one kind
/// that change different places.
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

/// A point of a drawing: to the right, and downwards.
pub type Point = [f64; 2];

/// A parameter of a cost function.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct CostParameter {
    /// The name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub type_name: String,
}
