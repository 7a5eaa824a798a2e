//! The checked program that every handler receives: names are resolved, expressions typed, and
//! control flow structured. [`crate::resolve`] builds it from a [`prophet_model::model::Model`]; it
//! is always valid.

pub mod action;
mod region;
mod repetition;

use std::collections::BTreeSet;

use crate::lang::constant::Constant;
use crate::lang::ir::{
    BinaryOp, DeviceUse, Expression, ExpressionKind, Needs, Signature, Statement, Type,
};
use action::{Completion, Mode, OffloadCall, Receive, Wait};
use prophet_model::diagnostic::Span;
use prophet_model::model::{Code, StereotypeKind};

pub use crate::index::{
    DeviceIndex, DiagramIndex, DispatchState, ElementIndex, FunctionIndex, GlobalIndex, Label,
    List, ListPlace, LockIndex, OpcodeIndex, ParameterIndex, RequestIndex, SignalIndex, TableIndex,
};
pub use action::Action;
pub use region::{Construct, Iterations, Region, Schedule, Team};
pub use repetition::Repetition;

/// A whole program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// The model's name.
    pub name: String,
    /// Whether it is a workflow: its executions are tasks that run on a machine's hosts.
    pub is_workflow: bool,
    /// Sentences about what was assumed where the drawing leaves something open.
    pub assumptions: Vec<String>,
    /// Time of an assumed step in seconds, if anything was assumed.
    pub assumed_step_s: Option<f64>,
    /// What the prediction is made of if not the model's own costs: assumed steps, or no costs;
    /// otherwise empty.
    pub costs: String,
    /// Model parameters: flags of the generated program.
    pub parameters: List<ParameterIndex, Parameter>,
    /// Global variables, in the order of their initialization.
    pub globals: List<GlobalIndex, Global>,
    /// Cost functions, in document order.
    pub functions: Functions,
    /// The tables of `interpolate`.
    pub tables: List<TableIndex, Table>,
    /// Models in the same folder whose predicted times are the costs of tasks.
    pub models: BTreeSet<String>,
    /// Operations that the machine must price, by name.
    pub opcodes: List<OpcodeIndex, Opcode>,
    /// Uses of custom devices.
    pub devices: List<DeviceIndex, Device>,
    /// Performance elements, and other nodes that can stop a run, in text order of execution.
    pub elements: List<ElementIndex, Element>,
    /// The names of critical sections: sections with the same name exclude each other.
    pub locks: List<LockIndex, String>,
    /// The names of requests, which sends and receives start and waits end.
    pub requests: List<RequestIndex, String>,
    /// The names of signals, which flows of a process send each other.
    pub signals: List<SignalIndex, String>,
    /// Diagrams that become separate functions; the first is the program's main diagram.
    pub diagrams: List<DiagramIndex, Diagram>,
}

/// The cost functions of a program.
pub type Functions = List<FunctionIndex, Function>;

/// A model parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name in the model.
    pub name: String,
    /// Default value; its type is the parameter's type.
    pub default: Constant,
    /// Whether each run must set its value.
    pub is_required: bool,
    /// Comment in the model.
    pub comment: Option<String>,
}

impl Parameter {
    /// Returns its description for the program's help: the first paragraph of the comment, on one
    /// line.
    pub fn about(&self) -> String {
        let comment = self.comment.as_deref().unwrap_or_default().trim();
        let first = comment.lines().take_while(|it| !it.trim().is_empty());
        let words: Vec<&str> = first.flat_map(str::split_whitespace).collect();
        prophet_text::fitted(&prophet_text::plain::line(&words.join(" ")), ABOUT_MAX)
    }
}

/// Maximum number of columns in a parameter's help text.
const ABOUT_MAX: usize = 200;

/// A variable; each simulated process has its own copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Type as written in the model.
    pub declared_type: String,
    /// Initial value; `None` means zero or false. Arrays start at zero.
    pub value: Option<Expression>,
    /// Comment in the model.
    pub comment: Option<String>,
}

/// A variable of a diagram, visible in the diagrams drawn inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Initial value; `None` means zero or false.
    pub value: Option<Expression>,
    /// Comment in the model.
    pub comment: Option<String>,
}

/// A cost function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Name, arguments and result.
    pub signature: Signature,
    /// Statements of the body.
    pub body: Vec<Statement>,
    /// Needs of the body and of the functions that it calls.
    pub needs: Needs,
    /// Whether anything in the program calls the function.
    pub used: bool,
    /// Text in the model.
    pub source: Code,
    /// Comment in the model.
    pub comment: Option<String>,
}

/// A table of `interpolate`.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of its file, next to the model.
    pub file: String,
    /// Rows of the file.
    pub rows: TableRows,
}

/// Rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRows {
    /// A value for each x, sorted by x.
    Points(Vec<(f64, f64)>),
    /// A value for each pair of x and y: for each x, the values by y, both in sorted order.
    Lines(Vec<(f64, Vec<(f64, f64)>)>),
}

/// An operation that the machine must price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opcode {
    /// Name of the operation.
    pub name: String,
    /// The first element that uses it; `None` if only initial values of variables do.
    pub user: Option<ElementIndex>,
}

/// A use of a custom device.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// The device, and the names of its resource data.
    pub usage: DeviceUse,
    /// The first element with this use; `None` if only initial values of variables have it.
    pub user: Option<ElementIndex>,
}

/// A named part of the model that is involved in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Name in the model, or the UML type for an unnamed node.
    pub name: String,
    /// Path in the model, such as `Model::Main::A1`.
    pub path: String,
    /// Place in the model file.
    pub span: Span,
    /// The id from the model, or one made from the path.
    pub id: i64,
    /// Stereotype; `None` for plain nodes.
    pub stereotype: Option<StereotypeKind>,
    /// Whether it starts concurrent threads: a `ForkNode`, or one that UML implies.
    pub forks: bool,
    /// Whether it stands for the flows of a diagram with unnested forks and joins.
    pub flows: bool,
    /// The lock of a named `critical`, in [`Program::locks`].
    pub lock: Option<LockIndex>,
    /// The signal of a `sendsignal` or `acceptsignal`, in [`Program::signals`].
    pub signal: Option<SignalIndex>,
    /// Whether the runtime must know the element: it is executed, or can stop the run.
    pub in_run: bool,
    /// Comment in the model.
    pub comment: Option<String>,
}

/// A diagram: an activity, or the content of an `activity+`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diagram {
    /// Name in the model.
    pub name: String,
    /// Path in the model.
    pub path: String,
    /// Comment in the model.
    pub comment: Option<String>,
    /// Variables of enclosing diagrams that it uses.
    pub outer: Vec<Outer>,
    /// Variables of the diagram itself.
    pub locals: Vec<Local>,
    /// Steps of the diagram.
    pub steps: Vec<Step>,
}

/// A variable that a diagram takes from the enclosing diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Outer {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Whether it is a loop's variable, which cannot be assigned to.
    pub counter: bool,
}

/// A step of the control flow.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Runs a code fragment that belongs to the element.
    Code(Fragment),
    /// Executes an element.
    Execute(Box<Execute>),
    /// Executes a diagram as a separate function.
    Call(Call),
    /// Executes diagrams with several threads, or lets one thread at a time execute them.
    Region(Region),
    /// Passes tokens to parts of the enclosing region.
    Pass(Pass),
    /// Runs steps that have their own variables: the content of a structured node.
    Scope(Scope),
    /// Takes the first arm whose guard holds.
    Branch(Branch),
    /// `for variable in 0..iterations`.
    Repeat(Repeat),
    /// `while condition`.
    While(While),
    /// `loop`.
    Loop(Loop),
    /// A block that [`Step::Break`] can leave.
    Labeled(Label, Vec<Step>),
    /// Leaves the innermost loop, or the loop or block with this label.
    Break(Option<Label>),
    /// Starts the next iteration of the innermost loop, or of the loop with this label.
    Continue(Option<Label>),
    /// Ends the diagram's execution.
    Return,
    /// A loop over states, for control flow that no loop or branch can express.
    Dispatch(Dispatch),
    /// Continues with another state of the dispatch loop.
    Goto(Label, DispatchState),
}

/// A code fragment.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragment {
    /// The element that it belongs to.
    pub element: ElementIndex,
    /// Statements of the fragment.
    pub statements: Vec<Statement>,
    /// Needs of the statements and of the functions that they call.
    pub needs: Needs,
    /// Text in the model.
    pub source: Code,
}

/// The execution of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Execute {
    /// The element.
    pub element: ElementIndex,
    /// Action of the element.
    pub action: Action,
    /// Needs of the action's expressions, of the functions that they call, and of the variables
    /// that the action assigns to.
    pub needs: Needs,
}

/// Tokens that a part of [`Construct::Flows`] gives to other parts, or to itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The element of the region that the part is in.
    pub element: ElementIndex,
    /// The numbers of the flows that receive one token each.
    pub flows: Vec<usize>,
}

/// The execution of a diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The element that stands for it: an `activity+`, or a plain call.
    pub element: ElementIndex,
    /// Whether the element is an `activity+`, whose time is measured.
    pub measured: bool,
    /// The diagram.
    pub diagram: DiagramIndex,
}

/// The content of a structured node.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Variables of the node.
    pub locals: Vec<Local>,
    /// Steps of the node.
    pub steps: Vec<Step>,
}

/// A branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The decision, or another node with guards.
    pub element: ElementIndex,
    /// The guarded arms, in order.
    pub arms: Vec<Arm>,
    /// Steps if no guard holds; `None` stops the run.
    pub otherwise: Option<Vec<Step>>,
    /// Needs of the guards and of the functions that they call.
    pub needs: Needs,
}

impl Branch {
    /// Returns the two numbers that decide whether the run goes on, and C's operator between them.
    /// The only guard must compare them, and neither may be drawn at random.
    pub fn compared(&self) -> Option<(Expression, &'static str, Expression)> {
        let [arm] = &*self.arms else { return None };
        let ExpressionKind::Binary(operator, left, right) = &arm.guard.kind else {
            return None;
        };
        let real = |operand: &Expression| match operand.ty {
            Type::Real => Some(operand.clone()),
            Type::Int => Some(Expression {
                kind: ExpressionKind::Cast(Box::new(operand.clone())),
                ty: Type::Real,
            }),
            _ => None,
        };
        let compares = matches!(
            operator,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        );
        let is_told = compares && self.otherwise.is_none() && !self.needs.stream;
        let (left, right) = (real(left)?, real(right)?);
        is_told.then_some((left, operator.name(), right))
    }
}

/// An arm of a branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// Condition of the arm.
    pub guard: Expression,
    /// Steps if the guard holds.
    pub steps: Vec<Step>,
}

/// A counted loop: `loop+`.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// The loop.
    pub element: ElementIndex,
    /// Number of iterations, an int.
    pub iterations: Expression,
    /// Needs of `iterations` and of the functions that it calls.
    pub needs: Needs,
    /// The variable that counts from 0, if the model names one.
    pub variable: Option<String>,
    /// Whether iterations may repeat earlier ones.
    pub repetition: Repetition,
    /// Steps of an iteration.
    pub body: Vec<Step>,
}

/// A loop with a condition at its head.
#[derive(Debug, Clone, PartialEq)]
pub struct While {
    /// Label, if anything refers to it.
    pub label: Option<Label>,
    /// The node at the head of the loop.
    pub element: ElementIndex,
    /// Condition that is evaluated before each iteration; the loop ends when it is false.
    pub condition: Expression,
    /// Needs of the condition and of the functions that it calls.
    pub needs: Needs,
    /// Steps of an iteration.
    pub body: Vec<Step>,
}

/// A loop that only ends with [`Step::Break`].
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Label, if anything refers to it.
    pub label: Option<Label>,
    /// The node at the head of the loop.
    pub element: ElementIndex,
    /// Steps of an iteration.
    pub body: Vec<Step>,
}

/// A loop over states.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Label of the loop.
    pub label: Label,
    /// The node at the head of the loop.
    pub element: ElementIndex,
    /// The first state.
    pub entry: DispatchState,
    /// The states, each with its steps.
    pub states: Vec<(DispatchState, Vec<Step>)>,
}

/// A nonblocking receive with variables that a wait assigns to.
#[derive(Debug, Clone, Copy)]
pub struct Posted<'p> {
    /// The element.
    pub element: ElementIndex,
    /// The receive itself.
    pub receive: &'p Receive,
}

impl Posted<'_> {
    /// Returns `true` if `wait` may end the receive.
    pub fn may_end_by(&self, wait: &Wait) -> bool {
        let Completion::Awaited(request) = self.receive.completion else {
            return false;
        };
        wait.requests.is_empty() || request.is_some_and(|it| wait.requests.contains(&it))
    }
}

impl Program {
    /// Iterates over the steps of all diagrams, and the steps inside them, in text order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.diagrams.iter().flat_map(|it| all_steps(&it.steps))
    }

    /// Iterates over the executions of elements, in text order.
    pub fn executions(&self) -> impl Iterator<Item = &Execute> {
        self.steps().filter_map(|step| match step {
            Step::Execute(execute) => Some(&**execute),
            _ => None,
        })
    }

    /// Returns the nonblocking receives with variables that a wait assigns to, in the order of
    /// their elements.
    pub fn posted(&self) -> Vec<Posted<'_>> {
        let posted = self
            .executions()
            .filter_map(|execute| match &execute.action {
                Action::Receive(receive) => Some(Posted {
                    element: execute.element,
                    receive,
                }),
                _ => None,
            });
        let mut posted: Vec<Posted<'_>> = posted
            .filter(|it| it.receive.completion != Completion::Blocking)
            .filter(|it| !it.receive.results.is_empty())
            .collect();
        posted.sort_by_key(|it| it.element);
        posted
    }

    /// Returns `true` if nothing in the program can take time.
    pub fn is_unpriced(&self) -> bool {
        let takes_time = |action: &Action| match action {
            Action::Wait(_) | Action::Signal(_) => false,
            Action::Order(order) => order.price.is_some(),
            Action::Offload(it) => !matches!(it.call, OffloadCall::Event),
            Action::Compute(_)
            | Action::Send(_)
            | Action::Receive(_)
            | Action::SendReceive(_)
            | Action::Collective(_)
            | Action::Delay(_)
            | Action::Own(_) => true,
        };
        !self.executions().any(|it| takes_time(&it.action))
    }

    /// Returns `true` if a `wait` of the program ends with the first of its operations.
    pub fn waits_for_any(&self) -> bool {
        let is_for_any = |action: &Action| match action {
            Action::Wait(wait) => wait.mode != Mode::All,
            _ => false,
        };
        self.executions().any(|it| is_for_any(&it.action))
    }
}

/// The iterator of [`all_steps`].
#[derive(Debug)]
pub struct Steps<'p>(Vec<&'p Step>);

/// Iterates over `steps` and the steps inside them, in text order.
pub fn all_steps(steps: &[Step]) -> Steps<'_> {
    Steps(steps.iter().rev().collect())
}

impl<'p> Iterator for Steps<'p> {
    type Item = &'p Step;

    fn next(&mut self) -> Option<&'p Step> {
        let step = self.0.pop()?;
        for block in step.blocks().into_iter().rev() {
            self.0.extend(block.iter().rev());
        }
        Some(step)
    }
}

impl Step {
    /// Returns `true` if the next step can be reached.
    pub fn falls_through(&self) -> bool {
        match self {
            Self::Break(_) | Self::Continue(_) | Self::Return | Self::Goto(..) => false,
            Self::Scope(scope) => falls_through(&scope.steps),
            Self::Branch(branch) => {
                branch.arms.iter().any(|arm| falls_through(&arm.steps))
                    || branch.otherwise.as_deref().is_some_and(falls_through)
            }
            Self::Loop(Loop { label, body, .. }) => leaves(body, *label, true),
            Self::Dispatch(Dispatch { label, states, .. }) => states
                .iter()
                .any(|(_, steps)| leaves(steps, Some(*label), true)),
            Self::Labeled(label, steps) => {
                falls_through(steps) || leaves(steps, Some(*label), false)
            }
            Self::Code(_)
            | Self::Execute(_)
            | Self::Call(_)
            | Self::Region(_)
            | Self::Pass(_)
            | Self::Repeat(_)
            | Self::While(_) => true,
        }
    }

    /// Returns the element that the step belongs to, if there is only one.
    pub fn element(&self) -> Option<ElementIndex> {
        match self {
            Self::Code(it) => Some(it.element),
            Self::Execute(it) => Some(it.element),
            Self::Call(it) => Some(it.element),
            Self::Region(it) => Some(it.element),
            Self::Pass(it) => Some(it.element),
            Self::Branch(it) => Some(it.element),
            Self::Repeat(it) => Some(it.element),
            Self::While(it) => Some(it.element),
            Self::Loop(it) => Some(it.element),
            Self::Dispatch(it) => Some(it.element),
            _ => None,
        }
    }

    /// Returns the step's own needs, without the steps inside it.
    pub fn needs(&self) -> Option<&Needs> {
        match self {
            Self::Code(it) => Some(&it.needs),
            Self::Execute(it) => Some(&it.needs),
            Self::Region(it) => Some(&it.needs),
            Self::Branch(it) => Some(&it.needs),
            Self::Repeat(it) => Some(&it.needs),
            Self::While(it) => Some(&it.needs),
            Self::Call(_)
            | Self::Pass(_)
            | Self::Scope(_)
            | Self::Loop(_)
            | Self::Labeled(..)
            | Self::Break(_)
            | Self::Continue(_)
            | Self::Return
            | Self::Dispatch(_)
            | Self::Goto(..) => None,
        }
    }

    /// Returns the blocks of steps inside the step.
    pub fn blocks(&self) -> Vec<&Vec<Step>> {
        match self {
            Self::Scope(scope) => vec![&scope.steps],
            Self::Branch(branch) => {
                let arms = branch.arms.iter().map(|arm| &arm.steps);
                arms.chain(branch.otherwise.as_ref()).collect()
            }
            Self::Repeat(repeat) => vec![&repeat.body],
            Self::While(one) => vec![&one.body],
            Self::Loop(one) => vec![&one.body],
            Self::Labeled(_, steps) => vec![steps],
            Self::Dispatch(dispatch) => dispatch.states.iter().map(|(_, steps)| steps).collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut Vec<Step>> {
        match self {
            Self::Scope(scope) => vec![&mut scope.steps],
            Self::Branch(branch) => {
                let arms = branch.arms.iter_mut().map(|arm| &mut arm.steps);
                arms.chain(branch.otherwise.as_mut()).collect()
            }
            Self::Repeat(repeat) => vec![&mut repeat.body],
            Self::While(one) => vec![&mut one.body],
            Self::Loop(one) => vec![&mut one.body],
            Self::Labeled(_, steps) => vec![steps],
            Self::Dispatch(dispatch) => {
                let states = dispatch.states.iter_mut();
                states.map(|(_, steps)| steps).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns `true` if the step after `steps` can be reached.
pub fn falls_through(steps: &[Step]) -> bool {
    steps.last().is_none_or(Step::falls_through)
}

/// Returns `true` if a `break` in `steps` leaves the loop or block `label` around them. `innermost`
/// means that no other loop lies in between.
fn leaves(steps: &[Step], label: Option<Label>, innermost: bool) -> bool {
    steps.iter().any(|step| match step {
        Step::Break(None) => innermost,
        Step::Break(target) => *target == label,
        _ => {
            let inside = innermost && !step.is_loop();
            step.blocks()
                .into_iter()
                .any(|block| leaves(block, label, inside))
        }
    })
}

impl Step {
    /// Returns `true` if an unlabeled `break` inside it would leave it.
    pub fn is_loop(&self) -> bool {
        matches!(
            self,
            Self::Repeat(_) | Self::While(_) | Self::Loop(_) | Self::Dispatch(_)
        )
    }
}

/// Which side of a product or quotient is a plain factor; the other side uses operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsesFactor {
    /// The left side of a product.
    Left,
    /// The right side of a product.
    Right,
    /// The divisor.
    Divisor,
}

impl UsesFactor {
    /// Returns the plain factor among an operator's operands, if exactly one operand uses
    /// operations that a trace counts.
    pub fn of(
        op: BinaryOp,
        [left, right]: [&Expression; 2],
        functions: &Functions,
    ) -> Option<Self> {
        let is_factor = matches!(op, BinaryOp::Multiply | BinaryOp::Divide);
        if !is_factor || left.ty != Type::Real {
            return None;
        }
        match (op, [left, right].map(|it| uses_operations(it, functions))) {
            (BinaryOp::Multiply, [false, true]) => Some(Self::Left),
            (BinaryOp::Multiply, [true, false]) => Some(Self::Right),
            (BinaryOp::Divide, [true, false]) => Some(Self::Divisor),
            _ => None,
        }
    }
}

/// Returns `true` if an expression, or a function in it, uses operations.
pub fn uses_operations(expression: &Expression, functions: &Functions) -> bool {
    let mut found = false;
    expression.visit(&mut |it| {
        found |= match &it.kind {
            ExpressionKind::Clc(_) => true,
            ExpressionKind::Call(function, _) => !functions[*function].needs.opcodes.is_empty(),
            _ => false,
        };
    });
    found
}
