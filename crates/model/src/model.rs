//! Model tree: the content of the UML file, in whatever dialect of XMI it was written.
//!
//! The model is neither resolved nor typed yet: expressions are text, types are names. References
//! between its parts are indices, so that a model is plain data. [`crate::xmi`] makes it, `resolve`
//! of the generator turns it into a checked program.

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

/// The middle of a node in the drawing of the tool that wrote the file, in its units; `y` grows
/// downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnPlace {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// Names of the activities that processes execute before the main activity and after it.
pub const HOOKS: [&str; 2] = ["init", "end"];

/// A whole model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The `name` of the UML Model or Package.
    pub name: String,
    /// The activity where the program starts.
    pub main: DiagramId,
    /// Global variables and, where `read_only`, model parameters, in document order.
    pub globals: Vec<Variable>,
    /// Other activities at which the program may start, if the model leaves that open, which is an
    /// error.
    pub others: Vec<Start>,
    /// Words that `--main` takes for each activity that may be the program, if the model leaves it
    /// open.
    pub mains: Vec<String>,
    /// Cost functions, in document order.
    pub functions: Vec<CostFunction>,
    /// All activities and all contents of structured nodes, in document order.
    pub diagrams: Vec<Diagram>,
    /// All nodes of all diagrams, in document order.
    pub elements: Vec<Element>,
    /// Assumptions that were made while reading, where that was asked for.
    pub assumed: Vec<Assumed>,
    /// Actions that stand for no work: they hold data, send a signal or wait for an event, of which
    /// nothing more is known.
    pub idle: BTreeSet<ElementId>,
    /// Positions of the nodes in the tool's drawing.
    pub places: Map<ElementId, DrawnPlace>,
}

/// Something that was assumed while reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The element that it concerns.
    pub element: ElementId,
    /// Place in the file.
    pub span: Span,
    /// Sentence on an assumption.
    pub text: String,
    /// Nodes and flows of the file that the model is as if without.
    pub gone: Vec<Span>,
}

/// An activity that a program may start at.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The activity.
    pub main: DiagramId,
    /// The global variables of that program.
    pub globals: Vec<Variable>,
}

impl Model {
    /// The activities that each process executes before the main activity and after it: `init` and
    /// `end`, beside the main activity, which nothing calls.
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

    /// True for each diagram that is part of the program: its main activity and its hooks, and all
    /// that these call and contain.
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

    /// The diagram with that index.
    pub fn diagram(&self, id: DiagramId) -> &Diagram {
        &self.diagrams[id.0]
    }

    /// The element with that index.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0]
    }
}

/// An activity, or the content of a structured node.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// The activity's or structured node's name; may be empty.
    pub name: String,
    /// `Model::Main::SA`, for messages.
    pub path: String,
    /// The start tag of the activity or node.
    pub span: Span,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
    /// A stereotype on the activity itself (`activity+`).
    pub stereotype: Option<Stereotype>,
    /// Local variables.
    pub locals: Vec<Variable>,
    /// Nodes, including nodes in partitions and groups, in document order.
    pub elements: Vec<ElementId>,
    /// Edges, in document order.
    pub flows: Vec<Flow>,
}

/// An activity edge between two nodes of one diagram.
///
/// Edges that end at pins have been moved to the pins' actions, and edges that cross the border of
/// a structured node have been refused, so both ends are nodes of the diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// Origin of the token.
    pub source: ElementId,
    /// Destination of the token.
    pub target: ElementId,
    /// Condition for the token to take this flow.
    pub guard: Option<Guard>,
    /// The edge's tag.
    pub span: Span,
}

/// The guard of an edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// `else`: no other guard of the node holds.
    Else,
    /// An expression.
    When(Code),
}

/// A node of an activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// The node's name; may be empty.
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
    /// UML type of the node.
    pub kind: NodeKind,
    /// The stereotype of the profile that is applied to the element.
    pub stereotype: Option<Stereotype>,
    /// The body of an `OpaqueAction`: the code run before the element.
    pub body: Option<Code>,
}

/// UML type of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// `InitialNode`.
    Initial,
    /// `ActivityFinalNode`: ends the diagram.
    ActivityFinal,
    /// `FlowFinalNode`: ends this token.
    FlowFinal,
    /// `DecisionNode`.
    Decision,
    /// `MergeNode`.
    Merge,
    /// `ForkNode`.
    Fork,
    /// `JoinNode`.
    Join,
    /// `OpaqueAction`, or any other action without content.
    Action,
    /// `CallBehaviorAction`; `None` if it names no activity (already reported if dangling).
    Call(Option<DiagramId>),
    /// `StructuredActivityNode`, `SequenceNode` and the like.
    Structured(DiagramId),
    /// `LoopNode`.
    Loop(LoopNode),
    /// `ConditionalNode`: its clauses in order; if no test holds, nothing is done.
    Conditional(Vec<Clause>),
    /// Any other UML type, which is not supported: its name.
    Unsupported(String),
}

impl NodeKind {
    /// Diagrams that such a node calls or contains.
    #[must_use]
    pub fn diagrams(&self) -> Vec<DiagramId> {
        match self {
            Self::Call(called) => Vec::from_iter(*called),
            kind => kind.contents(),
        }
    }

    /// Diagrams that are the content of such a node, but not activities.
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

    /// UML name of a node of this kind.
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
    /// Test, run before each evaluation of the condition; present if it has more than its deciding
    /// action.
    pub test: Option<DiagramId>,
    /// Body of the deciding action; `None` if no action decides.
    pub condition: Option<Code>,
    /// Body, run while the condition holds.
    pub body: DiagramId,
    /// True if the test precedes the body (`isTestedFirst`).
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

/// A variable of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: Text,
    /// The path of its owner and its name.
    pub path: String,
    /// Name of the type as the model has it (`double`, `Integer`, `EDouble`, …); empty if absent.
    pub type_name: Text,
    /// Number of values if the upper multiplicity is more than one: an array.
    pub length: Option<usize>,
    /// `isReadOnly`: a model parameter, if global.
    pub read_only: bool,
    /// `defaultValue`.
    pub default: Option<Code>,
    /// True for a model parameter whose value each run has to give.
    pub is_required: bool,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
}

/// A cost function.
#[derive(Debug, Clone, PartialEq)]
pub struct CostFunction {
    /// Name.
    pub name: Text,
    /// The path of its owner and its name.
    pub path: String,
    /// Parameters except the result, in order. They are never `read_only`.
    pub parameters: Vec<Variable>,
    /// Type name of the result; `None` if the model has no return parameter.
    pub result: Option<Text>,
    /// Body.
    pub body: Code,
    /// Problems found when the function was read, which matter if anything calls it.
    pub problems: Vec<Diagnostic>,
    /// The text of its `ownedComment`s.
    pub comment: Option<String>,
    /// Tag.
    pub span: Span,
}

/// A piece of the cost language.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// The language it is written in.
    pub language: Language,
    /// The text.
    pub text: Text,
}

/// The languages that costs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// C or C++, which is also the default.
    #[default]
    C,
    /// Rust.
    Rust,
}

/// A stereotype of the profile, applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Stereotype {
    /// Kind of stereotype.
    pub kind: StereotypeKind,
    /// Tags by name (`cost`, `time`, …), except those with an empty value.
    pub tags: BTreeMap<String, Text>,
    /// Place of the tag that applies the stereotype.
    pub span: Span,
    /// True if nothing applies it: the UML type of the element means it.
    pub is_implied: bool,
}
