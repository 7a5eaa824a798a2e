//! Represents the content of a UML file, independently of the XMI dialect.
//!
//! Names and types aren't resolved yet: expressions are text, and types are names. Parts refer to
//! each other by index, so a model is plain data. [`crate::xmi`] builds it. The generator's
//! `resolve` turns it into a checked program.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Span};
use crate::source::Text;
pub use crate::vocabulary::StereotypeKind;
use prophet_map::Map;

/// Index of a [`Diagram`] in [`Model::diagrams`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiagramId(pub usize);

/// Index of an [`Element`] in [`Model::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ElementId(pub usize);

/// The center of a node in the original drawing, in the tool's units. `y` grows downward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnPlace {
    pub x: f64,
    pub y: f64,
}

/// Names of the activities that each process executes before and after the main activity.
pub const HOOKS: [&str; 2] = ["init", "end"];

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Name of the UML model or package.
    pub name: String,
    /// The activity where the program starts.
    pub main: DiagramId,
    /// Global variables, in file order. Those that are `read_only` are model parameters.
    pub globals: Vec<Variable>,
    /// Other activities where the program could start. Unless this is empty, the file doesn't say
    /// where it starts, which is an error.
    pub others: Vec<Start>,
    /// Candidates for `--main`, if the file doesn't say where the program starts.
    pub mains: Vec<String>,
    /// Cost functions, in file order.
    pub functions: Vec<CostFunction>,
    /// All activities and all contents of structured nodes, in file order.
    pub diagrams: Vec<Diagram>,
    /// Nodes of all diagrams, in file order.
    pub elements: Vec<Element>,
    /// Assumptions that the reader made, if the user allowed them.
    pub assumed: Vec<Assumed>,
    /// Actions that do no work: they only hold data, send a signal or wait for an event.
    pub idle: BTreeSet<ElementId>,
    /// Positions of nodes in the original drawing; empty if the file contains no drawing.
    pub places: Map<ElementId, DrawnPlace>,
}

/// An assumption that the reader made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The element that the assumption is about.
    pub element: ElementId,
    /// Place of the element in the file.
    pub span: Span,
    /// A sentence that states the assumption.
    pub text: String,
    /// Places of nodes and flows in the file that the assumption removes from the model.
    pub gone: Vec<Span>,
}

/// An activity where the program could start.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    pub main: DiagramId,
    /// Global variables of that program.
    pub globals: Vec<Variable>,
}

impl Model {
    /// Returns the activities `init` and `end`, if they exist. Each process executes them before
    /// and after the main activity. They have the same owner as the main activity, and nothing
    /// calls them.
    #[must_use]
    pub fn hooks(&self) -> [Option<DiagramId>; 2] {
        let owner = |it: &Diagram| it.path.rsplit_once("::").map(|it| it.0.to_owned());
        let of_main = owner(self.diagram(self.main));
        HOOKS.map(|name| {
            let is_hook = |(number, it): (usize, &Diagram)| {
                let id = DiagramId(number);
                let is_named = it.name == name && id != self.main && owner(it) == of_main;
                let is_used =
                    || { self.elements.iter() }.any(|it| it.kind.diagrams().contains(&id));
                (is_named && !is_used()).then_some(id)
            };
            self.diagrams.iter().enumerate().find_map(is_hook)
        })
    }

    /// Returns, for each diagram, whether it is part of the program: the main activity, its hooks,
    /// and everything that they call or contain.
    #[must_use]
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.diagrams.len()];
        let mut open = vec![self.main];
        open.extend(self.hooks().into_iter().flatten());
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut reached[id.0], true) {
                let elements = self.diagram(id).elements.iter();
                open.extend(elements.flat_map(|&id| self.element(id).kind.diagrams()));
            }
        }
        reached
    }

    pub fn diagram(&self, id: DiagramId) -> &Diagram {
        &self.diagrams[id.0]
    }

    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0]
    }
}

/// An activity, or the content of a structured node.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// Name of the activity or structured node, possibly empty.
    pub name: String,
    /// Path for messages, such as `Model::Main::SA`.
    pub path: String,
    /// Place of the start tag of the activity or node.
    pub span: Span,
    /// Text of the diagram's `ownedComment`s.
    pub comment: Option<String>,
    /// The stereotype on the activity itself, such as `activity+`.
    pub stereotype: Option<Stereotype>,
    pub locals: Vec<Variable>,
    /// Nodes in file order, including nodes in partitions and groups.
    pub elements: Vec<ElementId>,
    /// Edges, in file order.
    pub flows: Vec<Flow>,
}

/// An edge between two nodes of the same diagram.
///
/// Edges of pins have been moved to the pins' actions. Edges that cross the border of a structured
/// node have been moved or rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// The node that the edge comes from.
    pub source: ElementId,
    /// The node that the edge leads to.
    pub target: ElementId,
    /// Condition for a token to take this flow.
    pub guard: Option<Guard>,
    /// Place of the edge's tag.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// `else`, which holds if no other guard of the node does.
    Else,
    When(Code),
}

/// A node of an activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Name of the node, possibly empty.
    pub name: String,
    /// Path for messages, such as `Model::Main::A1`. An unnamed node has its UML type instead, as
    /// in `Main::DecisionNode`.
    pub path: String,
    /// Place of the node's start tag.
    pub span: Span,
    /// Text of the node's `ownedComment`s.
    pub comment: Option<String>,
    /// The diagram that contains the node.
    pub diagram: DiagramId,
    pub kind: NodeKind,
    /// The stereotype from the profile, if one is applied to the element.
    pub stereotype: Option<Stereotype>,
    /// The body of an `OpaqueAction`: code to run before the element.
    pub body: Option<Code>,
}

/// UML type of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    Initial,
    /// `ActivityFinalNode`, which ends the whole diagram.
    ActivityFinal,
    /// `FlowFinalNode`, which ends only the token that reaches it.
    FlowFinal,
    Decision,
    Merge,
    Fork,
    Join,
    /// `OpaqueAction`, or another action without content.
    Action,
    /// `CallBehaviorAction`. `None` if it doesn't refer to a known activity, which has been
    /// reported.
    Call(Option<DiagramId>),
    /// `StructuredActivityNode`, `SequenceNode` or a similar node.
    Structured(DiagramId),
    Loop(LoopNode),
    /// `ConditionalNode` with its clauses, in order. If no condition holds, nothing happens.
    Conditional(Vec<Clause>),
    /// A UML type that isn't supported, by its name.
    Unsupported(String),
}

impl NodeKind {
    /// Returns the diagrams that the node calls or contains.
    #[must_use]
    pub fn diagrams(&self) -> Vec<DiagramId> {
        match self {
            Self::Call(called) => Vec::from_iter(*called),
            kind => kind.contents(),
        }
    }

    /// Returns the diagrams inside the node, without called activities.
    #[must_use]
    pub fn contents(&self) -> Vec<DiagramId> {
        match self {
            Self::Structured(inside) => vec![*inside],
            Self::Loop(node) => {
                let parts = [node.setup, node.test, Some(node.body)];
                parts.into_iter().flatten().collect()
            }
            Self::Conditional(clauses) => clauses.iter().map(|clause| clause.body).collect(),
            Self::Initial
            | Self::ActivityFinal
            | Self::FlowFinal
            | Self::Decision
            | Self::Merge
            | Self::Fork
            | Self::Join
            | Self::Action
            | Self::Call(_)
            | Self::Unsupported(_) => Vec::new(),
        }
    }

    /// Returns the UML name of this kind of node.
    pub fn uml_name(&self) -> &str {
        match self {
            Self::Initial => "InitialNode",
            Self::ActivityFinal => "ActivityFinalNode",
            Self::FlowFinal => "FlowFinalNode",
            Self::Decision => "DecisionNode",
            Self::Merge => "MergeNode",
            Self::Fork => "ForkNode",
            Self::Join => "JoinNode",
            Self::Action => "Action",
            Self::Call(_) => "CallBehaviorAction",
            Self::Structured(_) => "StructuredActivityNode",
            Self::Loop(_) => "LoopNode",
            Self::Conditional(_) => "ConditionalNode",
            Self::Unsupported(kind) => kind,
        }
    }
}

/// The parts of a UML `LoopNode`. Each is a separate diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopNode {
    /// The setup, which runs once at the beginning.
    pub setup: Option<DiagramId>,
    /// The test, which runs before each evaluation of the condition; `None` if it consists only of
    /// the action that decides.
    pub test: Option<DiagramId>,
    /// Body of the action that decides, which computes the condition; `None` if there is no such
    /// action.
    pub condition: Option<Code>,
    /// The body, which is repeated while the condition holds.
    pub body: DiagramId,
    /// Whether the condition is tested before the first iteration (`isTestedFirst`).
    pub tested_first: bool,
}

/// A clause of a UML `ConditionalNode`.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// Body of the action that decides, which computes the condition.
    pub condition: Option<Code>,
    /// The body, which runs if this condition is the first that holds.
    pub body: DiagramId,
    /// Place of the clause's tag.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: Text,
    /// Path for messages: the owner's path and the variable's name.
    pub path: String,
    /// Type name as written in the model, such as `double`, `Integer` or `EDouble`; empty if there
    /// is none.
    pub type_name: Text,
    /// Number of values in an array; `None` for a scalar. An array is a variable with an upper
    /// multiplicity above 1.
    pub length: Option<usize>,
    /// Whether the variable is `isReadOnly`. Global variables with this flag are model parameters.
    pub read_only: bool,
    /// The `defaultValue`.
    pub default: Option<Code>,
    /// Whether this is a model parameter that every run must set.
    pub is_required: bool,
    /// Text of the variable's `ownedComment`s.
    pub comment: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CostFunction {
    pub name: Text,
    /// Path for messages: the owner's path and the function's name.
    pub path: String,
    /// Parameters in order, except the result. They are never `read_only`.
    pub parameters: Vec<Variable>,
    /// Type name of the result; `None` if the function has no return parameter.
    pub result: Option<Text>,
    pub body: Code,
    /// Problems found while reading the function. They matter only if something calls it.
    pub problems: Vec<Diagnostic>,
    /// Text of the function's `ownedComment`s.
    pub comment: Option<String>,
    /// Place of the function's tag.
    pub span: Span,
}

/// A piece of code in the cost language.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    pub language: Language,
    pub text: Text,
}

/// The languages that code in a model can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// C or C++, the default.
    #[default]
    C,
    Rust,
}

/// A stereotype of the profile, as applied to an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Stereotype {
    pub kind: StereotypeKind,
    /// Tags by name, such as `cost`. Empty tags aren't included.
    pub tags: BTreeMap<String, Text>,
    /// Place of the XML tag that applies the stereotype.
    pub span: Span,
    /// Whether the element's UML type implies the stereotype, rather than the file applying it.
    pub is_implied: bool,
}
