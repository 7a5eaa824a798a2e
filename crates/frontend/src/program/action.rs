//! Defines what elements do when they are executed. [`Action`] has a variant for each family of
//! stereotypes, with the values of its tags.

use super::{RequestIndex, SignalIndex};
use crate::lang::ir::{Expression, Variable};
use prophet_model::vocabulary::{OwnStereotype, Tag};

/// What an element does when it is executed.
///
/// The `price` of an action is the cost in the model. If it is `None`, the machine determines the
/// cost.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// `action+`
    Compute(Compute),
    /// `bsend` or `nbsend`
    Send(Send),
    /// `brecv` or `nbrecv`
    Receive(Receive),
    /// `sendrecv`
    SendReceive(SendReceive),
    /// `wait`
    Wait(Wait),
    /// `broadcast`, `barrier` and other collectives
    Collective(Collective),
    /// `critical`, `ompbarrier` and similar stereotypes on an action
    Order(Order),
    /// `delay`
    Delay(Delay),
    /// `sendsignal` or `acceptsignal`
    Signal(Signal),
    /// `kernel`, `copy`, `event` or `synchronize`
    Offload(Offload),
    /// A custom stereotype.
    Own(Own),
}

/// A computation.
#[derive(Debug, Clone, PartialEq)]
pub struct Compute {
    /// Cost of the computation.
    pub price: Expression,
    /// Number of bytes that move between memory and CPU, an int.
    pub bytes: Option<Expression>,
    /// Number of bytes that are accessed repeatedly, an int. It decides which cache the data fits
    /// into.
    pub working_set: Option<Expression>,
    /// What the computation needs as a workflow task; `None` if it isn't a task.
    pub task: Option<Box<Task>>,
}

/// What a workflow task needs from its host, and its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Number of cores that the task occupies, an int; `None` means 1.
    pub cores: Option<Expression>,
    /// Memory that the task occupies, in bytes, an int.
    pub memory: Option<Expression>,
    /// Files that the task reads.
    pub inputs: Vec<TaskFile>,
    /// Files that the task writes.
    pub outputs: Vec<TaskFile>,
    /// Name of a model in the same folder. Its predicted time is the task's cost.
    pub model: Option<String>,
    /// Number of processes in that model's run, an int; `None` means one for each core.
    pub processes: Option<Expression>,
    /// Probability that an attempt to run the task fails, a real; `None` means 0.
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
    /// Size in bytes, a real; `None` for an input that an earlier task writes.
    pub size: Option<Expression>,
}

impl Task {
    /// Iterates over all expressions in the task.
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
    /// What completes the send.
    pub completion: Completion,
    /// The process to send to.
    pub dest: Partner,
    /// Size of the message in bytes, an int; `None` means 0.
    pub size: Option<Expression>,
    /// Tag of the message, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// The value to send with the message, an int or a real.
    pub value: Option<Expression>,
    /// Cost of the send.
    pub price: Option<Expression>,
}

/// A receive of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Receive {
    /// What completes the receive.
    pub completion: Completion,
    /// The process to receive from, or any process.
    pub source: Partner,
    /// Maximum size of the message in bytes, an int; `None` means any size.
    pub limit: Option<Expression>,
    /// Tag of the messages to receive, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// Cost of the receive.
    pub price: Option<Expression>,
    /// Variables for parts of the message, in the order of assignment. In a nonblocking receive,
    /// they are global, and a wait assigns to them.
    pub results: Vec<Assigned>,
}

/// A combined send and receive.
#[derive(Debug, Clone, PartialEq)]
pub struct SendReceive {
    /// The process to send to.
    pub dest: Partner,
    /// The process to receive from, or any process.
    pub source: Partner,
    /// Size of the sent message in bytes, an int; `None` means 0.
    pub size: Option<Expression>,
    /// Tag of both messages, an int; `None` means 0.
    pub tag: Option<Expression>,
    /// The value to send with the message, an int or a real.
    pub value: Option<Expression>,
    /// Cost of the send and the receive together.
    pub price: Option<Expression>,
    /// Variables for parts of the received message, in the order of assignment.
    pub results: Vec<Assigned>,
}

/// What completes a send or receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// The end of the element itself.
    Blocking,
    /// A wait for this request; `None` for a wait for all requests.
    Awaited(Option<RequestIndex>),
}

/// The process to send to or receive from.
#[derive(Debug, Clone, PartialEq)]
pub enum Partner {
    /// The number of the process, an int.
    Number(Expression),
    /// The number of the process, as a real. The run stops if it isn't whole.
    Whole(Expression),
}

impl Partner {
    /// Returns the expression for the process's number, an int or a real.
    pub fn value(&self) -> &Expression {
        match self {
            Self::Number(value) | Self::Whole(value) => value,
        }
    }
}

/// A variable to store a part of a received message in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The part to store.
    pub part: Told,
    /// The variable, which must be a scalar.
    pub variable: Variable,
}

/// The parts of a received message that can be stored in variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    /// The value that the message carries, as an int.
    Int,
    /// The value that the message carries, as a real.
    Real,
    /// The number of the process that sent the message.
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
    /// The requests to wait for. Empty for all requests.
    pub requests: Vec<RequestIndex>,
    /// Which operations must complete to end the wait.
    pub mode: Mode,
}

/// Which operations must complete to end a wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Mode {
    /// All operations that it waits for.
    #[default]
    All,
    /// One of the operations that it waits for.
    Any {
        /// An int variable for the position of the completed request in `requests`.
        index: Option<Variable>,
    },
}

/// A collective operation of all processes in a communicator.
#[derive(Debug, Clone, PartialEq)]
pub struct Collective {
    /// The operation.
    pub operation: Operation,
    /// An int that selects the communicator: processes with equal values form one. If it is `None`,
    /// all processes take part.
    pub comm: Option<Expression>,
    /// Cost of the operation.
    pub price: Option<Expression>,
}

/// The kinds of collective operations.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Moves data from one process to all processes, or from all processes to one.
    Rooted {
        /// The operation.
        name: Rooted,
        /// Rank of the root, an int; `None` means 0.
        root: Option<Expression>,
        /// Size in bytes, an int; `None` means 0.
        size: Option<Expression>,
    },
    /// Moves data from all processes to all processes.
    Unrooted {
        /// The operation.
        name: Unrooted,
        /// Size in bytes, an int; `None` means 0.
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

    /// Returns the root's rank and the size, if the operation has them.
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

/// An element that orders or synchronizes a process's threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// When threads may continue at the element.
    pub by: Synchronization,
    /// Cost of the element's content; `None` if the element has no cost.
    pub price: Option<Expression>,
}

/// When threads may continue at an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronization {
    /// When the gate lets them in.
    Gate(Gate),
    /// When all threads of the team have arrived: `ompbarrier`.
    Barrier,
}

/// Which threads execute an element's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// One thread of the process at a time, for all elements with the same lock.
    Critical,
    /// One thread of the process at a time, for this element.
    Atomic,
    /// The first thread of the team that arrives. The other threads wait for it.
    Single,
    /// The first thread of the team. The other threads skip the content.
    Master,
}

/// Time that passes without occupying a CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// The time in seconds.
    pub price: Expression,
}

/// An element that sends a signal to another flow of the process, or waits for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signal {
    /// Whether the element sends the signal or waits for it.
    pub part: SignalPart,
    /// The signal.
    pub signal: SignalIndex,
}

/// Whether an element sends or awaits a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalPart {
    /// Sends the signal without waiting.
    Sends,
    /// Waits until the signal arrives, and consumes it.
    Accepts,
}

/// An operation of an accelerator.
#[derive(Debug, Clone, PartialEq)]
pub struct Offload {
    /// The operation.
    pub call: OffloadCall,
    /// Values of the element's tags, in the order of the vocabulary.
    pub arguments: Vec<Argument>,
    /// Cost of the operation on the accelerator.
    pub price: Option<Expression>,
}

/// The kinds of accelerator operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffloadCall {
    /// A kernel.
    Kernel,
    /// A copy of bytes.
    Copy {
        /// Whether the copy goes from the device to the host.
        to_host: bool,
    },
    /// A marker in a stream, which can be waited for.
    Event,
    /// A wait for the device, a stream or an event.
    Synchronize,
}

/// A custom stereotype. The stereotype's type in the user's crate implements the behavior.
#[derive(Debug, Clone, PartialEq)]
pub struct Own {
    /// The stereotype.
    pub stereotype: &'static OwnStereotype,
    /// Values of the element's tags, in the order of the vocabulary.
    pub arguments: Vec<Argument>,
    /// Cost of the element.
    pub price: Option<Expression>,
}

/// A tag that only the vocabulary defines, with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The tag.
    pub tag: Tag,
    /// Value of the tag; `None` if the model omits an optional tag.
    pub value: Option<Expression>,
}

impl Action {
    /// Returns the cost in the model; `None` if the model doesn't contain a cost.
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

    /// Returns the expression that selects the action's communicator; `None` if it has no
    /// communicator.
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

    /// Returns the values of the action's tags, except its cost and communicator.
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

    /// Returns the variables for parts of a received message.
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

    /// Iterates over the variables that the action assigns to, either when it runs or when a wait
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

    /// Returns the value that the action sends; `None` if it doesn't send a value.
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

    /// Returns the requests that the action starts or waits for.
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
