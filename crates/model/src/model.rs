//! Represents the content of a UML file, whatever its XMI dialect.
//!
//! Nothing is resolved or type-checked yet: expressions are text, and types are names. Parts refer
//! to each other by index, so a model is plain data. [`crate::xmi`] builds it; the generator's
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

/// The center of a node in the original tool's drawing, in that tool's units; `y` grows downward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnPlace {
    pub x: f64,
    pub y: f64,
}

/// Names of the activities that processes execute before and after the main activity.
pub const HOOKS: [&str; 2] = ["init", "end"];

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The `name` of the UML Model or Package.
    pub name: String,
    /// The activity where the program starts.
    pub main: DiagramId,
    /// Global variables, or model parameters if `read_only`, in document order.
    pub globals: Vec<Variable>,
    /// Other activities where the program could start, if the file doesn't say which one it is.
    /// That is an error.
    pub others: Vec<Start>,
    /// Values for `--main`, one per candidate activity, if the file doesn't say where the program
    /// starts.
    pub mains: Vec<String>,
    /// Cost functions, in document order.
    pub functions: Vec<CostFunction>,
    /// All activities and all contents of structured nodes, in document order.
    pub diagrams: Vec<Diagram>,
    /// All nodes of all diagrams, in document order.
    pub elements: Vec<Element>,
    /// Assumptions that were made while reading, if they were requested.
    pub assumed: Vec<Assumed>,
    /// Actions without work: they only hold data, send a signal or wait for an event.
    pub idle: BTreeSet<ElementId>,
    /// Positions of nodes in the original tool's drawing, if it has any.
    pub places: Map<ElementId, DrawnPlace>,
}

/// An assumption made while reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The element that the assumption is about.
    pub element: ElementId,
    /// Place of the element in the file.
    pub span: Span,
    /// A sentence that states the assumption.
    pub text: String,
    /// Places of nodes and flows in the file that the model leaves out because of the assumption.
    pub gone: Vec<Span>,
}

/// An activity where a program can start.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    pub main: DiagramId,
    /// The global variables of the program that starts here.
    pub globals: Vec<Variable>,
}

impl Model {
    /// Returns the activities `init` and `end`, which each process executes before and after the
    /// main activity. They are siblings of the main activity, and nothing calls them.
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

    /// Returns, for each diagram, whether it is part of the program, which consists of the main
    /// activity, its hooks, and everything they call or contain.
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

    /// Returns the diagram with this index.
    pub fn diagram(&self, id: DiagramId) -> &Diagram {
        &self.diagrams[id.0]
    }

    /// Returns the element with this index.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0]
    }
}

/// An activity, or the content of a structured node.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// Name of the activity or structured node; it can be empty.
    pub name: String,
    /// Path for messages, such as `Model::Main::SA`.
    pub path: String,
    /// Place of the activity's or node's start tag.
    pub span: Span,
    /// The text of the diagram's `ownedComment`s.
    pub comment: Option<String>,
    /// A stereotype that is applied to the activity itself (`activity+`).
    pub stereotype: Option<Stereotype>,
    pub locals: Vec<Variable>,
    /// Nodes, including those in partitions and groups, in document order.
    pub elements: Vec<ElementId>,
    /// Edges, in document order.
    pub flows: Vec<Flow>,
}

/// An activity edge between two nodes of the same diagram.
///
/// Both ends are nodes of the diagram: edges of pins have been moved to the pins' actions, and
/// edges that cross the border of a structured node have been moved or refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// The node that the token leaves.
    pub source: ElementId,
    /// The node that the token enters.
    pub target: ElementId,
    /// Condition under which a token takes this flow.
    pub guard: Option<Guard>,
    /// Place of the edge's tag.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// `else`: used if no other guard of the node is true.
    Else,
    When(Code),
}

/// A node of an activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Name of the node; it can be empty.
    pub name: String,
    /// Path for messages, such as `Model::Main::A1`; an unnamed node is shown with its UML type, as
    /// in `Main::DecisionNode`.
    pub path: String,
    /// Place of the node's start tag.
    pub span: Span,
    /// The text of the node's `ownedComment`s.
    pub comment: Option<String>,
    /// The diagram that contains the node.
    pub diagram: DiagramId,
    pub kind: NodeKind,
    /// The stereotype of the profile that is applied to the element.
    pub stereotype: Option<Stereotype>,
    /// The body of an `OpaqueAction`: code that runs before the element.
    pub body: Option<Code>,
}

/// UML type of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    Initial,
    /// `ActivityFinalNode`: ends the diagram.
    ActivityFinal,
    /// `FlowFinalNode`: ends only its token.
    FlowFinal,
    Decision,
    Merge,
    Fork,
    Join,
    /// `OpaqueAction`, or any other action without content.
    Action,
    /// `CallBehaviorAction`; `None` if it names no activity (in which case a dangling reference has
    /// been reported).
    Call(Option<DiagramId>),
    /// `StructuredActivityNode`, `SequenceNode` or a similar node.
    Structured(DiagramId),
    Loop(LoopNode),
    /// `ConditionalNode`: its clauses, in order; if no test is true, nothing happens.
    Conditional(Vec<Clause>),
    /// A UML type that isn't supported; the value is its name.
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

    /// Returns the diagrams that are the node's content; called activities are not included.
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

/// The parts of a UML `LoopNode`, which are diagrams of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopNode {
    /// The setup part, which runs once, before the first test.
    pub setup: Option<DiagramId>,
    /// The test part, which runs before each evaluation of the condition; `None` if it contains
    /// only the deciding action.
    pub test: Option<DiagramId>,
    /// Body of the deciding action, which computes the condition; `None` if no action decides.
    pub condition: Option<Code>,
    /// The body, which runs while the condition holds.
    pub body: DiagramId,
    /// Whether the first test comes before the body (`isTestedFirst`).
    pub tested_first: bool,
}

/// A clause of a UML `ConditionalNode`.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// Body of the deciding action, which computes the condition.
    pub condition: Option<Code>,
    /// The body, which runs if the condition holds.
    pub body: DiagramId,
    /// Place of the clause's tag.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: Text,
    /// Path for messages: the owner's path, and the variable's name.
    pub path: String,
    /// Type name as written in the model (`double`, `Integer`, `EDouble`, …); empty if absent.
    pub type_name: Text,
    /// Number of values if the variable is an array, which has an upper multiplicity of more than
    /// one.
    pub length: Option<usize>,
    /// `isReadOnly`: a global variable with this flag is a model parameter.
    pub read_only: bool,
    /// The `defaultValue`.
    pub default: Option<Code>,
    /// Whether this is a model parameter that every run must set.
    pub is_required: bool,
    /// The text of the variable's `ownedComment`s.
    pub comment: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CostFunction {
    pub name: Text,
    /// Path for messages: the owner's path, and the function's name.
    pub path: String,
    /// Parameters in order, without the result. They are never `read_only`.
    pub parameters: Vec<Variable>,
    /// Type name of the result; `None` if the model has no return parameter.
    pub result: Option<Text>,
    pub body: Code,
    /// Problems found while reading the function; they matter only if the function is called.
    pub problems: Vec<Diagnostic>,
    /// The text of the function's `ownedComment`s.
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

/// The languages that costs can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// C or C++; this is the default.
    #[default]
    C,
    Rust,
}

/// A stereotype of the profile, as applied to an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Stereotype {
    pub kind: StereotypeKind,
    /// Tags by name (`cost`, `time`, …), without those whose value is empty.
    pub tags: BTreeMap<String, Text>,
    /// Place of the XML tag that applies the stereotype.
    pub span: Span,
    /// Whether the element's UML type implies the stereotype, so that the file doesn't apply it.
    pub is_implied: bool,
}
