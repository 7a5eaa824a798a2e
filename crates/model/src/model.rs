//! Represents the content of a UML file, whatever its XMI dialect.
//!
//! Nothing is resolved or typed yet: expressions are text, and types are names. Parts refer to each
//! other by index, so that a model is plain data. [`crate::xmi`] builds it; the generator's
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

/// The center of a node in the original tool's drawing, in its units; `y` grows downward.
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
    /// Other activities where the program may start, if the model leaves that open, which is an
    /// error.
    pub others: Vec<Start>,
    /// Values for `--main`, one per candidate activity, if the program is ambiguous.
    pub mains: Vec<String>,
    /// Cost functions, in document order.
    pub functions: Vec<CostFunction>,
    /// All activities and all contents of structured nodes, in document order.
    pub diagrams: Vec<Diagram>,
    /// All nodes of all diagrams, in document order.
    pub elements: Vec<Element>,
    /// Assumptions made while reading, if requested.
    pub assumed: Vec<Assumed>,
    /// Actions without work: they hold data, send a signal or wait for an event, and nothing more
    /// is known.
    pub idle: BTreeSet<ElementId>,
    /// Positions of nodes in the original tool's drawing.
    pub places: Map<ElementId, DrawnPlace>,
}

/// An assumption made while reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The element that it concerns.
    pub element: ElementId,
    /// Place in the file.
    pub span: Span,
    /// A sentence that states the assumption.
    pub text: String,
    /// Nodes and flows in the file that the model ignores.
    pub gone: Vec<Span>,
}

/// An activity where a program may start.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    pub main: DiagramId,
    /// The global variables of that program.
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

    /// Returns, for each diagram, whether it is part of the program: the main activity, its hooks,
    /// and everything that these call and contain.
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
    /// Name of the activity or structured node; can be empty.
    pub name: String,
    /// `Model::Main::SA`, for messages.
    pub path: String,
    /// The start tag of the activity or node.
    pub span: Span,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
    /// A stereotype on the activity itself (`activity+`).
    pub stereotype: Option<Stereotype>,
    pub locals: Vec<Variable>,
    /// Nodes, including those in partitions and groups, in document order.
    pub elements: Vec<ElementId>,
    /// Edges, in document order.
    pub flows: Vec<Flow>,
}

/// An activity edge between two nodes of one diagram.
///
/// Edges to pins have been moved to the pins' actions, and edges across the border of a structured
/// node refused, so both ends are nodes of the diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// The node that the token leaves.
    pub source: ElementId,
    /// The node that the token enters.
    pub target: ElementId,
    /// Condition under which a token takes this flow.
    pub guard: Option<Guard>,
    /// The edge's tag.
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
    /// Name of the node; can be empty.
    pub name: String,
    /// `Model::Main::A1`, for messages; unnamed nodes show their UML type, as in
    /// `Main::DecisionNode`.
    pub path: String,
    /// The node's start tag.
    pub span: Span,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
    /// The diagram that it is drawn in.
    pub diagram: DiagramId,
    pub kind: NodeKind,
    /// The profile's stereotype that is applied to the element.
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

    /// Returns the diagrams that are the node's content, but not activities.
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

/// The parts of a UML `LoopNode`.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopNode {
    /// Setup, run once, before the first test.
    pub setup: Option<DiagramId>,
    /// Test, run before each evaluation of the condition; present if it has more than the deciding
    /// action.
    pub test: Option<DiagramId>,
    /// Body of the deciding action; `None` if no action decides.
    pub condition: Option<Code>,
    /// Body, run while the condition holds.
    pub body: DiagramId,
    /// Whether the test precedes the body (`isTestedFirst`).
    pub tested_first: bool,
}

/// A clause of a UML `ConditionalNode`.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The body of the deciding action.
    pub condition: Option<Code>,
    /// Body, run if the condition holds.
    pub body: DiagramId,
    /// The clause's tag.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: Text,
    /// The path of its owner, and its name.
    pub path: String,
    /// Type name as written in the model (`double`, `Integer`, `EDouble`, …); empty if absent.
    pub type_name: Text,
    /// Number of values, for an array: its upper multiplicity is more than one.
    pub length: Option<usize>,
    /// `isReadOnly`: a model parameter, if global.
    pub read_only: bool,
    /// `defaultValue`.
    pub default: Option<Code>,
    /// Whether it is a model parameter that every run must set.
    pub is_required: bool,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CostFunction {
    pub name: Text,
    /// The path of its owner, and its name.
    pub path: String,
    /// Parameters except the result, in order. They are never `read_only`.
    pub parameters: Vec<Variable>,
    /// Type name of the result; `None` if the model has no return parameter.
    pub result: Option<Text>,
    pub body: Code,
    /// Problems found while reading the function, which matter only if something calls it.
    pub problems: Vec<Diagnostic>,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
    /// The function's tag.
    pub span: Span,
}

/// A piece of the cost language.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    pub language: Language,
    pub text: Text,
}

/// The languages in which costs can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// C or C++; this is the default.
    #[default]
    C,
    Rust,
}

/// A stereotype of the profile, applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Stereotype {
    pub kind: StereotypeKind,
    /// Tags by name (`cost`, `time`, …), except those with an empty value.
    pub tags: BTreeMap<String, Text>,
    /// Place of the tag that applies the stereotype.
    pub span: Span,
    /// Whether the element's UML type implies it, without any tag that applies it.
    pub is_implied: bool,
}
