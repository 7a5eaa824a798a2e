//! Defines what elements do when they are executed. [`Action`] has a variant for each family of
//! stereotypes, which contains the values of its tags.

use super::{RequestIndex, SignalIndex};
use crate::lang::ir::{Expression, Variable};
use prophet_model::vocabulary::{OwnStereotype, Tag};

/// What an element does when it is executed.
///
/// An action's `price` is the cost in the model. If the model doesn't give one, the machine
/// determines it.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// `action+`.
    Compute(Compute),
    /// `bsend`, `nbsend`.
    Send(Send),
    /// `brecv`, `nbrecv`.
    Receive(Receive),
    /// `sendrecv`.
    SendReceive(SendReceive),
    /// `wait`.
    Wait(Wait),
    /// `broadcast`, `barrier` and the like.
    Collective(Collective),
    /// `critical`, `ompbarrier` and the like, when drawn as actions.
    Order(Order),
    /// `delay`.
    Delay(Delay),
    /// `sendsignal`, `acceptsignal`.
    Signal(Signal),
    /// `kernel`, `copy`, `event`, `synchronize`.
    Offload(Offload),
    /// A custom stereotype.
    Own(Own),
}

/// A computation.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// Cost of the computation.
    pub price: Expression,
    /// The number of bytes that it moves between memory and CPU, an int.
    pub bytes: Option<Expression>,
    /// Size of the data that it accesses repeatedly, in bytes, an int. This size determines which
    /// cache the data fits in.
    pub working_set: Option<Expression>,
    /// The workflow task; `None` if the computation isn't a task.
    pub task: Option<Box<Task>>,
}

/// A workflow task: what it needs from its host, and its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Number of cores that the task occupies, an int; `None` means 1.
    pub cores: Option<Expression>,
    /// Memory that the task occupies in bytes, an int.
    pub memory: Option<Expression>,
    /// Files that the task reads.
    pub inputs: Vec<TaskFile>,
    /// Files that the task writes.
    pub outputs: Vec<TaskFile>,
    /// Name of a model in the same folder, whose predicted time is the task's cost.
    pub model: Option<String>,
    /// Number of processes in that model's run, an int; `None` means one per core.
    pub processes: Option<Expression>,
    /// Probability that an attempt fails, a real; `None` means 0.
    pub failure_probability: Option<Expression>,
    /// Maximum number of attempts after the first one, an int; `None` means 0.
    pub retries: Option<Expression>,
    /// Name of the program that the task runs.
    pub program: Option<String>,
}

/// A file that a task reads or writes.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskFile {
    /// Name in the model.
    pub name: String,
    /// Size in bytes, a real; `None` for an input that is written by an earlier task.
    pub size: Option<Expression>,
}

impl Task {
    /// Iterates over all expressions of the task.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let needs = [
            &self.cores,
            &self.memory,
            &self.processes,
            &self.failure_probability,
            &self.retries,
        ];
        let files = self.inputs.iter().chain(&self.outputs);
        let sizes = files.filter_map(|it| it.size.as_ref());
        needs.into_iter().flatten().chain(sizes)
    }
}

/// A send of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Send {
    /// When the send is complete.
    pub completion: Completion,
    /// The process that receives the message.
    pub dest: Partner,
    /// The message's size in bytes, an int; `None` means 0.
    pub size: Option<Expression>,
    /// The message's tag, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// The value that the message carries, an int or a real.
    pub value: Option<Expression>,
    /// Cost of the send.
    pub price: Option<Expression>,
}

/// A receive of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Receive {
    /// When the receive is complete.
    pub completion: Completion,
    /// The process that sends the message, or any process.
    pub source: Partner,
    /// Maximum size of the message in bytes, an int; `None` means any size.
    pub limit: Option<Expression>,
    /// Tag of the messages that it accepts, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// Cost of the receive.
    pub price: Option<Expression>,
    /// The variables that store parts of the message, in the order of assignment. If the receive
    /// doesn't block, they are global variables, and a wait assigns to them.
    pub results: Vec<Assigned>,
}

/// A combined send and receive.
#[derive(Debug, Clone, PartialEq)]
pub struct SendReceive {
    /// The process that receives the sent message.
    pub dest: Partner,
    /// The process that sends the received message, or any process.
    pub source: Partner,
    /// The sent message's size in bytes, an int; `None` means 0.
    pub size: Option<Expression>,
    /// The tag of both messages, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// The value that it sends, an int or a real.
    pub value: Option<Expression>,
    /// Cost of the send and the receive together.
    pub price: Option<Expression>,
    /// The variables that store parts of the received message, in the order of assignment.
    pub results: Vec<Assigned>,
}

/// When a send or receive is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// When the element itself ends.
    Blocking,
    /// When a wait for its request ends, or a wait for all requests. The request's index is in
    /// [`super::Program::requests`].
    Awaited(Option<RequestIndex>),
}

/// The partner of a send or receive.
#[derive(Debug, Clone, PartialEq)]
pub enum Partner {
    /// The process's number, an int.
    Number(Expression),
    /// A real number. If it is whole, it is the process's number; otherwise, the run stops.
    Whole(Expression),
}

impl Partner {
    /// Returns the expression that computes the partner's number, an int or a real.
    pub fn value(&self) -> &Expression {
        match self {
            Self::Number(value) | Self::Whole(value) => value,
        }
    }
}

/// A variable that stores a part of a received message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The part that is stored in the variable.
    pub part: Told,
    /// The variable to assign to, which is a scalar.
    pub variable: Variable,
}

/// The parts of a received message that can be stored in variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    /// The value that the message carries, as an int.
    Int,
    /// The value that the message carries, as a real.
    Real,
    /// The process that sent the message.
    Source,
    /// Tag of the message.
    Tag,
    /// Size of the message in bytes.
    Size,
}

impl Told {
    /// Returns `true` if this part is the value that the message carries.
    pub fn is_value(self) -> bool {
        matches!(self, Self::Int | Self::Real)
    }
}

/// A wait for nonblocking sends and receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The requests that it waits for, in [`super::Program::requests`]; an empty list means all
    /// requests.
    pub requests: Vec<RequestIndex>,
    /// What ends the wait.
    pub mode: Mode,
}

/// What ends a wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Mode {
    /// Waits for all of its operations to complete.
    #[default]
    All,
    /// Waits for any one of its operations to complete.
    Any {
        /// The int variable that gets the position of the completed request in the wait's list.
        index: Option<Variable>,
    },
}

/// A collective operation of all processes in a communicator.
#[derive(Debug, Clone, PartialEq)]
pub struct Collective {
    /// The operation.
    pub operation: Operation,
    /// The color that selects the process's communicator, an int; if `None`, all processes of the
    /// program take part.
    pub comm: Option<Expression>,
    /// Cost of the operation.
    pub price: Option<Expression>,
}

/// The kinds of collective operations.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Sends data from one process to all, or from all to one.
    Rooted {
        /// The operation.
        name: Rooted,
        /// The rank of the one process, an int; `None` means 0.
        root: Option<Expression>,
        /// The size in bytes, an int; `None` means 0.
        size: Option<Expression>,
    },
    /// Sends data from all processes to all.
    Unrooted {
        /// The operation.
        name: Unrooted,
        /// The size in bytes, an int; `None` means 0.
        size: Option<Expression>,
    },
    /// A barrier.
    Barrier,
}

impl Operation {
    /// Returns the operation's name in the profile.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rooted { name, .. } => name.name(),
            Self::Unrooted { name, .. } => name.name(),
            Self::Barrier => "barrier",
        }
    }

    /// Returns the root's rank and the size, for operations that have them.
    pub fn root_and_size(&self) -> [Option<&Expression>; 2] {
        match self {
            Self::Rooted { root, size, .. } => [root.as_ref(), size.as_ref()],
            Self::Unrooted { size, .. } => [None, size.as_ref()],
            Self::Barrier => [None, None],
        }
    }
}

prophet_text::named_enum! {
    /// Operations with a root.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the variants are the profile's own names")]
    pub enum Rooted {
        Broadcast = "broadcast",
        Reduce = "reduce",
        Gather = "gather",
        Scatter = "scatter",
    }
}

prophet_text::named_enum! {
    /// Operations without a root.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the variants are the profile's own names")]
    pub enum Unrooted {
        AllReduce = "allreduce",
        AllGather = "allgather",
        AllToAll = "alltoall",
        ReduceScatter = "reducescatter",
        Scan = "scan",
    }
}

/// An element that orders or synchronizes the threads of a process.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// When threads that reach the element can continue.
    pub by: Synchronization,
    /// Cost of the element's content; `None` for an element without a cost.
    pub price: Option<Expression>,
}

/// When threads that reach an element can continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronization {
    /// The threads that the gate lets in continue.
    Gate(Gate),
    /// All threads of the team continue once all have arrived: `ompbarrier`.
    Barrier,
}

/// Which threads an element lets in, while the others wait or pass by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// One thread of the process at a time, across all elements with the same lock.
    Critical,
    /// One thread of the process at a time, at this element.
    Atomic,
    /// The first thread of the team to arrive; the other threads wait for it.
    Single,
    /// The first thread of the team; the other threads skip the content.
    Master,
}

/// Time that passes without using a CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// The time in seconds.
    pub price: Expression,
}

/// The sending of a signal to another flow of the process, or a wait for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Whether the element sends the signal or waits for it.
    pub part: SignalPart,
    /// The signal, in [`super::Program::signals`].
    pub signal: SignalIndex,
}

/// An element's role in a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalPart {
    /// Sends the signal without waiting.
    Sends,
    /// Waits until the signal arrives, and consumes it.
    Accepts,
}

/// A use of an accelerator.
#[derive(Debug, Clone, PartialEq)]
pub struct Offload {
    /// The operation that it requests.
    pub call: OffloadCall,
    /// The values of the element's tags, in the order of the vocabulary.
    pub arguments: Vec<Argument>,
    /// Cost of the operation on the accelerator.
    pub price: Option<Expression>,
}

/// An accelerator operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffloadCall {
    /// A kernel.
    Kernel,
    /// A copy of bytes.
    Copy {
        /// Whether the copy goes from the device to the host.
        to_host: bool,
    },
    /// A mark in a stream.
    Event,
    /// A wait for the device, a stream or an event.
    Synchronize,
}

/// A use of a custom stereotype; the stereotype's type in the runtime implements the behavior.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The stereotype.
    pub stereotype: &'static OwnStereotype,
    /// The values of the element's tags, in the order of the vocabulary.
    pub arguments: Vec<Argument>,
    /// Cost of the element.
    pub price: Option<Expression>,
}

/// The value of a tag whose meaning only the vocabulary defines.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The tag.
    pub tag: Tag,
    /// Value of the tag; `None` if the model omits an optional tag.
    pub value: Option<Expression>,
}

impl Action {
    /// Returns the cost that the model gives; `None` if it doesn't give one.
    pub fn price(&self) -> Option<&Expression> {
        match self {
            Self::Compute(it) => Some(&it.price),
            Self::Send(it) => it.price.as_ref(),
            Self::Receive(it) => it.price.as_ref(),
            Self::SendReceive(it) => it.price.as_ref(),
            Self::Wait(_) | Self::Signal(_) => None,
            Self::Collective(it) => it.price.as_ref(),
            Self::Order(it) => it.price.as_ref(),
            Self::Delay(it) => Some(&it.price),
            Self::Offload(it) => it.price.as_ref(),
            Self::Own(it) => it.price.as_ref(),
        }
    }

    /// Returns the color of the action's communicator, if it has one.
    pub fn comm(&self) -> Option<&Expression> {
        match self {
            Self::Collective(it) => it.comm.as_ref(),
            Self::Compute(_)
            | Self::Send(_)
            | Self::Receive(_)
            | Self::SendReceive(_)
            | Self::Wait(_)
            | Self::Order(_)
            | Self::Delay(_)
            | Self::Signal(_)
            | Self::Offload(_)
            | Self::Own(_) => None,
        }
    }

    /// Returns the values of the action's tags, without its cost and communicator.
    pub fn arguments(&self) -> Vec<&Expression> {
        match self {
            Self::Compute(it) => {
                let task = it.task.iter().flat_map(|it| it.expressions());
                it.bytes.iter().chain(&it.working_set).chain(task).collect()
            }
            Self::Send(it) => {
                let optional = [&it.size, &it.tag, &it.value];
                let dest = [it.dest.value()].into_iter();
                dest.chain(optional.into_iter().flatten()).collect()
            }
            Self::Receive(it) => {
                let source = [it.source.value()].into_iter();
                source
                    .chain([&it.limit, &it.tag].into_iter().flatten())
                    .collect()
            }
            Self::SendReceive(it) => {
                let optional = [&it.size, &it.tag, &it.value];
                let partners = [it.dest.value(), it.source.value()].into_iter();
                partners.chain(optional.into_iter().flatten()).collect()
            }
            Self::Collective(it) => it.operation.root_and_size().into_iter().flatten().collect(),
            Self::Own(Own { arguments, .. }) | Self::Offload(Offload { arguments, .. }) => {
                arguments
                    .iter()
                    .filter_map(|it| it.value.as_ref())
                    .collect()
            }
            Self::Wait(_) | Self::Order(_) | Self::Delay(_) | Self::Signal(_) => Vec::new(),
        }
    }

    /// Iterates over all expressions of the action.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let arguments = self.arguments().into_iter();
        arguments.chain(self.comm()).chain(self.price())
    }

    /// Returns the variables that the action stores results in.
    pub fn results(&self) -> &[Assigned] {
        match self {
            Self::Receive(it) => &it.results,
            Self::SendReceive(it) => &it.results,
            Self::Compute(_)
            | Self::Send(_)
            | Self::Wait(_)
            | Self::Collective(_)
            | Self::Order(_)
            | Self::Delay(_)
            | Self::Signal(_)
            | Self::Offload(_)
            | Self::Own(_) => &[],
        }
    }

    /// Iterates over the variables that the action assigns to, either immediately or when a wait
    /// completes it.
    pub fn assigned(&self) -> impl Iterator<Item = &Variable> {
        let mut index = None;
        if let Self::Wait(wait) = self
            && let Mode::Any { index: variable } = &wait.mode
        {
            index = variable.as_ref();
        }
        self.results().iter().map(|it| &it.variable).chain(index)
    }

    /// Returns the value that the action sends, if any.
    pub fn sent(&self) -> Option<&Expression> {
        match self {
            Self::Send(it) => it.value.as_ref(),
            Self::SendReceive(it) => it.value.as_ref(),
            Self::Compute(_)
            | Self::Receive(_)
            | Self::Wait(_)
            | Self::Collective(_)
            | Self::Order(_)
            | Self::Delay(_)
            | Self::Signal(_)
            | Self::Offload(_)
            | Self::Own(_) => None,
        }
    }

    /// Returns the requests that the action starts or waits for, in [`super::Program::requests`].
    pub fn requests(&self) -> &[RequestIndex] {
        match self {
            Self::Send(Send { completion, .. }) | Self::Receive(Receive { completion, .. }) => {
                match completion {
                    Completion::Blocking => &[],
                    Completion::Awaited(request) => request.as_slice(),
                }
            }
            Self::Wait(it) => &it.requests,
            Self::Compute(_)
            | Self::SendReceive(_)
            | Self::Collective(_)
            | Self::Order(_)
            | Self::Delay(_)
            | Self::Signal(_)
            | Self::Offload(_)
            | Self::Own(_) => &[],
        }
    }
}
