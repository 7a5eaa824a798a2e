//! Represents the checked program that handlers translate: names are resolved, expressions have
//! types, and the control flow is structured. [`crate::resolve`] builds it from a
//! [`prophet_model::model::Model`]. A program is always valid.

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
    /// Whether the program is a workflow. Its elements are tasks that run on a machine's hosts.
    pub is_workflow: bool,
    /// One sentence for each assumption about what the drawing leaves open.
    pub assumptions: Vec<String>,
    /// Time of an assumed step in seconds; `None` if nothing was assumed.
    pub assumed_step_s: Option<f64>,
    /// What the prediction is based on if the model has no costs: assumed steps, or nothing. Empty
    /// if the model has costs.
    pub costs: String,
    /// Model parameters, which are flags of the generated program.
    pub parameters: List<ParameterIndex, Parameter>,
    /// Global variables, in the order in which they are initialized.
    pub globals: List<GlobalIndex, Global>,
    /// Cost functions, in file order.
    pub functions: Functions,
    /// The tables that `interpolate` reads.
    pub tables: List<TableIndex, Table>,
    /// Names of models in the same folder. Their predicted times are the costs of tasks.
    pub models: BTreeSet<String>,
    /// Operations that the machine must have prices for.
    pub opcodes: List<OpcodeIndex, Opcode>,
    /// Uses of custom devices.
    pub devices: List<DeviceIndex, Device>,
    /// Performance elements and other nodes that can stop a run, in the order of the generated
    /// code.
    pub elements: List<ElementIndex, Element>,
    /// Names of critical sections. Sections with the same name exclude each other.
    pub locks: List<LockIndex, String>,
    /// Names of requests. Nonblocking sends and receives start a request, and a wait completes it.
    pub requests: List<RequestIndex, String>,
    /// Names of signals between the flows of a process.
    pub signals: List<SignalIndex, String>,
    /// Diagrams that become separate functions. The first is the program's main diagram.
    pub diagrams: List<DiagramIndex, Diagram>,
}

/// The cost functions of a program.
pub type Functions = List<FunctionIndex, Function>;

/// A model parameter, which each run can set.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name in the model.
    pub name: String,
    /// Default value, which has the parameter's type.
    pub default: Constant,
    /// Whether each run must set the value.
    pub is_required: bool,
    /// Comment on the parameter in the model.
    pub comment: Option<String>,
}

impl Parameter {
    /// Returns the parameter's description for the program's help: the first paragraph of its
    /// comment, in a single line.
    pub fn about(&self) -> String {
        let comment = self.comment.as_deref().unwrap_or_default().trim();
        let first = comment.lines().take_while(|it| !it.trim().is_empty());
        let words: Vec<&str> = first.flat_map(str::split_whitespace).collect();
        prophet_text::fitted(&prophet_text::plain::line(&words.join(" ")), ABOUT_MAX)
    }
}

/// Maximum width of a parameter's description, in columns.
const ABOUT_MAX: usize = 200;

/// A global variable. Each simulated process has its own copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Type, as written in the model.
    pub declared_type: String,
    /// Initial value; `None` for zero or false. Arrays always start with zeros.
    pub value: Option<Expression>,
    /// Comment on the variable in the model.
    pub comment: Option<String>,
}

/// A variable of a diagram. Diagrams that are nested in that diagram can use it too.
#[derive(Debug, Clone, PartialEq)]
pub struct Local {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Initial value; `None` for zero or false.
    pub value: Option<Expression>,
    /// Comment on the variable in the model.
    pub comment: Option<String>,
}

/// A cost function of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Name, arguments and result type.
    pub signature: Signature,
    /// Statements of the body.
    pub body: Vec<Statement>,
    /// What the body needs at run time, including the functions that it calls.
    pub needs: Needs,
    /// Whether the program calls the function.
    pub used: bool,
    /// The function's code, as written in the model.
    pub source: Code,
    /// Comment on the function in the model.
    pub comment: Option<String>,
}

/// A table that `interpolate` reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name of the table's file, which is in the model's folder.
    pub file: String,
    /// Rows of the file.
    pub rows: TableRows,
}

/// The rows of a table that `interpolate` reads.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRows {
    /// For one argument: each x with its value, sorted by x.
    Points(Vec<(f64, f64)>),
    /// For two arguments: for each x, in ascending order, the values for each y, in ascending
    /// order.
    Lines(Vec<(f64, Vec<(f64, f64)>)>),
}

/// An operation that the machine must have a price for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opcode {
    /// Name of the operation.
    pub name: String,
    /// The first element that uses the operation; `None` if it is used only to initialize
    /// variables.
    pub user: Option<ElementIndex>,
}

/// A use of a custom device.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// The device, and the names of its resource data.
    pub usage: DeviceUse,
    /// The first element that uses the device in this way; `None` if it is used only to initialize
    /// variables.
    pub user: Option<ElementIndex>,
}

/// A part of the model that results and messages can name.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Name in the model, or the UML type if the node has no name.
    pub name: String,
    /// Path in the model, such as `Model::Main::A1`.
    pub path: String,
    /// Place in the model file.
    pub span: Span,
    /// The id from the model, or an id computed from the path.
    pub id: i64,
    /// Stereotype; `None` for nodes without one.
    pub stereotype: Option<StereotypeKind>,
    /// Whether the element starts concurrent threads, as a `ForkNode` or because UML implies a
    /// fork.
    pub forks: bool,
    /// Whether the element represents all flows of a diagram with forks and joins that aren't
    /// nested.
    pub flows: bool,
    /// The lock of a named `critical`.
    pub lock: Option<LockIndex>,
    /// The signal of a `sendsignal` or `acceptsignal`.
    pub signal: Option<SignalIndex>,
    /// Whether the runtime must know the element, because it is executed or can stop the run.
    pub in_run: bool,
    /// Comment on the element in the model.
    pub comment: Option<String>,
}

/// A diagram that becomes a function: an activity, or the content of an `activity+`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diagram {
    /// Name in the model.
    pub name: String,
    /// Path in the model.
    pub path: String,
    /// Comment on the diagram in the model.
    pub comment: Option<String>,
    /// Variables of enclosing diagrams that this diagram uses.
    pub outer: Vec<Outer>,
    /// Variables that this diagram declares.
    pub locals: Vec<Local>,
    /// Steps of the diagram, in order.
    pub steps: Vec<Step>,
}

/// A variable of an enclosing diagram, used in this diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Outer {
    /// Name in the model.
    pub name: String,
    /// Type of its values.
    pub ty: Type,
    /// Whether the variable is a loop's counter, which is read-only.
    pub counter: bool,
}

/// A step of the control flow.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Runs an element's code fragment.
    Code(Fragment),
    /// Executes an element.
    Execute(Box<Execute>),
    /// Runs a diagram as a separate function.
    Call(Call),
    /// Runs diagrams with several threads, or with one thread at a time.
    Region(Region),
    /// Passes tokens to parts of the region around it.
    Pass(Pass),
    /// Runs the content of a structured node, which can have its own variables.
    Scope(Scope),
    /// Runs the first arm whose guard holds.
    Branch(Branch),
    /// `for variable in 0..iterations`
    Repeat(Repeat),
    /// `while condition`
    While(While),
    /// `loop`
    Loop(Loop),
    /// Runs steps that [`Step::Break`] can leave by the label.
    Labeled(Label, Vec<Step>),
    /// Leaves the innermost loop, or the loop or block with this label.
    Break(Option<Label>),
    /// Starts the next iteration of the innermost loop, or of the loop with this label.
    Continue(Option<Label>),
    /// Ends the diagram.
    Return,
    /// A loop over states, for control flow that can't be written with loops and branches.
    Dispatch(Dispatch),
    /// Continues with another state of the dispatch loop.
    Goto(Label, DispatchState),
}

/// A code fragment. It runs before its element.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragment {
    /// The element that the fragment belongs to.
    pub element: ElementIndex,
    /// Statements of the fragment.
    pub statements: Vec<Statement>,
    /// What the statements need at run time, including the functions that they call.
    pub needs: Needs,
    /// The fragment's code, as written in the model.
    pub source: Code,
}

/// The execution of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Execute {
    /// The element that is executed.
    pub element: ElementIndex,
    /// What the element does.
    pub action: Action,
    /// What the action needs at run time: its expressions, the functions that they call, and the
    /// variables that it assigns to.
    pub needs: Needs,
}

/// A step that passes tokens from a part of a [`Construct::Flows`] to other parts, or back to
/// itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The element of the region that the part belongs to.
    pub element: ElementIndex,
    /// Numbers of the flows to pass a token on. A flow's number is its index in
    /// [`Construct::Flows`].
    pub flows: Vec<usize>,
}

/// A call of another diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The element that runs the diagram: an `activity+`, or a plain call.
    pub element: ElementIndex,
    /// Whether the element is an `activity+`, so that its time is measured.
    pub measured: bool,
    /// The diagram to run.
    pub diagram: DiagramIndex,
}

/// The content of a structured node.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// Variables that the node declares.
    pub locals: Vec<Local>,
    /// Steps of the node, in order.
    pub steps: Vec<Step>,
}

/// A branch that runs the first arm whose guard holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The decision, or another node with guards on its outgoing flows.
    pub element: ElementIndex,
    /// The guarded arms, in order.
    pub arms: Vec<Arm>,
    /// Steps to run if no guard holds. If it is `None`, the run stops with an error instead.
    pub otherwise: Option<Vec<Step>>,
    /// What the guards need at run time, including the functions that they call.
    pub needs: Needs,
}

impl Branch {
    /// Returns the two numbers that the guard compares, and C's operator between them, for the
    /// message about a run that stops because the guard is false.
    ///
    /// Returns `None` if the branch has several arms or an `else`, if the guard doesn't compare two
    /// numbers, or if it draws random numbers.
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
    /// Guard of the arm.
    pub guard: Expression,
    /// Steps to run if this guard is the first that holds.
    pub steps: Vec<Step>,
}

/// A counted loop (`loop+`).
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// The loop's element.
    pub element: ElementIndex,
    /// Number of iterations, an int.
    pub iterations: Expression,
    /// What `iterations` needs at run time, including the functions that it calls.
    pub needs: Needs,
    /// Name of the variable with the iteration's number, counted from 0; `None` if the model
    /// doesn't use one.
    pub variable: Option<String>,
    /// Whether iterations may repeat earlier ones, so that not all of them need to be simulated.
    pub repetition: Repetition,
    /// Steps of each iteration.
    pub body: Vec<Step>,
}

/// A loop that tests its condition before each iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct While {
    /// Label; `None` if no `break` or `continue` refers to it.
    pub label: Option<Label>,
    /// The node at the start of the loop.
    pub element: ElementIndex,
    /// The loop ends when this condition is false.
    pub condition: Expression,
    /// What the condition needs at run time, including the functions that it calls.
    pub needs: Needs,
    /// Steps of each iteration.
    pub body: Vec<Step>,
}

/// A loop that only [`Step::Break`] can end.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Label; `None` if no `break` or `continue` refers to it.
    pub label: Option<Label>,
    /// The node at the start of the loop.
    pub element: ElementIndex,
    /// Steps of each iteration.
    pub body: Vec<Step>,
}

/// A loop that runs one of several states at a time, for control flow that can't be structured
/// otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Label of the loop.
    pub label: Label,
    /// The node at the start of the loop.
    pub element: ElementIndex,
    /// The state that runs first.
    pub entry: DispatchState,
    /// The states with their steps.
    pub states: Vec<(DispatchState, Vec<Step>)>,
}

/// A nonblocking receive that stores parts of the message in variables. A wait assigns to them.
#[derive(Debug, Clone, Copy)]
pub struct Posted<'p> {
    /// The receive's element.
    pub element: ElementIndex,
    /// The receive's action.
    pub receive: &'p Receive,
}

impl Posted<'_> {
    /// Returns `true` if `wait` may complete the receive.
    pub fn may_end_by(&self, wait: &Wait) -> bool {
        let Completion::Awaited(request) = self.receive.completion else {
            return false;
        };
        wait.requests.is_empty() || request.is_some_and(|it| wait.requests.contains(&it))
    }
}

impl Program {
    /// Iterates over the steps of all diagrams, including nested steps, in text order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.diagrams.iter().flat_map(|it| all_steps(&it.steps))
    }

    /// Iterates over all executions of elements, in text order.
    pub fn executions(&self) -> impl Iterator<Item = &Execute> {
        self.steps().filter_map(|step| match step {
            Step::Execute(execute) => Some(&**execute),
            _ => None,
        })
    }

    /// Returns the nonblocking receives that store parts of their messages in variables, in the
    /// order of their elements.
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

    /// Returns `true` if no element of the program can take time.
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

    /// Returns `true` if the program contains a `wait` that can end before all of its operations
    /// are complete.
    pub fn waits_for_any(&self) -> bool {
        let is_for_any = |action: &Action| match action {
            Action::Wait(wait) => wait.mode != Mode::All,
            _ => false,
        };
        self.executions().any(|it| is_for_any(&it.action))
    }
}

/// Iterator returned by [`all_steps`].
#[derive(Debug)]
pub struct Steps<'p>(Vec<&'p Step>);

/// Iterates over `steps`, including nested steps, in text order.
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
    /// Returns `true` if the step can continue to the next one.
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

    /// Returns the element that the step belongs to; `None` if it doesn't belong to a single
    /// element.
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

    /// Returns what the step itself needs at run time, without nested steps; `None` if it evaluates
    /// no code.
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

    /// Returns the lists of steps that are directly nested in the step.
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

/// Returns `true` if the flow can continue after `steps`.
pub fn falls_through(steps: &[Step]) -> bool {
    steps.last().is_none_or(Step::falls_through)
}

/// Returns `true` if a `break` in `steps` leaves the loop or block `label` around them. `innermost`
/// says that no other loop is in between.
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
    /// Returns `true` if a `break` without a label inside the step leaves the step.
    pub fn is_loop(&self) -> bool {
        matches!(
            self,
            Self::Repeat(_) | Self::While(_) | Self::Loop(_) | Self::Dispatch(_)
        )
    }
}

/// Which operand of a product or quotient is a plain factor, while the other operand uses
/// operations.
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
    /// Returns which operand is a plain factor; `None` if there is no such operand.
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

/// Returns `true` if an expression uses operations, either directly or in a function that it calls.
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
