//! Represents the elements that code executes, with the registers of their operands.

use prophet_frontend::program::action::Told;
use prophet_runtime as runtime;
use prophet_runtime::Int;

use crate::op::Reg;
use crate::place::Place;

/// How an element is executed, with the registers of its operands.
#[derive(Debug)]
pub(crate) enum Execution {
    Compute(runtime::ActionPlus, Priced, Moved),
    Task(runtime::ActionPlus, Priced, Box<Task>),
    BSend(runtime::BSend, Sent),
    NBSend(runtime::NBSend, Sent),
    BRecv(runtime::BRecv, Expected, Vec<Result>),
    NBRecv(runtime::NBRecv, Expected),
    SendRecv(runtime::SendRecv, Sent, Reg, Vec<Result>),
    Wait(runtime::Wait, Vec<Posted>),
    WaitAny(runtime::Wait, Vec<Posted>, Option<Place>),
    /// A collective, with the expression for its communicator's color. Without one, all processes
    /// take part.
    Collective(Collective, Option<u32>, Priced),
    Order(Order, Option<Priced>),
    Delay(runtime::Delay, Priced),
    SendSignal(runtime::SendSignal),
    AcceptSignal(runtime::AcceptSignal),
    /// An operation of an accelerator, with its price, if any, and the registers of its tags.
    Offload(Offloaded, Option<Priced>, Vec<(OffloadTag, Reg)>),
    Repeat(Repeating),
}

/// The number of bytes that a computation moves, and its working set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moved {
    pub(crate) bytes: Option<Reg>,
    pub(crate) working_set: Option<Reg>,
}

/// A workflow task, with the registers of its needs and of its files' sizes.
#[derive(Debug, Default)]
pub(crate) struct Task {
    pub(crate) cores: Option<Reg>,
    pub(crate) memory: Option<Reg>,
    pub(crate) inputs: Vec<(String, Option<Reg>)>,
    pub(crate) outputs: Vec<(String, Option<Reg>)>,
    /// The model that predicts the task's cost, and the register of the number of processes for
    /// that model.
    pub(crate) model: Option<(String, Option<Reg>)>,
    pub(crate) failure_probability: Option<Reg>,
    pub(crate) retries: Option<Reg>,
    pub(crate) program: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Offloaded {
    Kernel(runtime::Kernel),
    Copy(runtime::CopyMemory, bool),
    Event(runtime::RecordEvent),
    Synchronize(runtime::Synchronize),
}

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum OffloadTag {
        Stream = "stream",
        Device = "device",
        Event = "event",
        Peer = "peer",
        Bytes = "bytes",
        Memory = "memory",
        Share = "share",
        Fp64 = "fp64",
        Fp32 = "fp32",
        Fp16 = "fp16",
        Int8 = "int8",
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Collective {
    /// A collective with a root, and the registers of its root and size.
    Rooted(Rooted, [Reg; 2]),
    Unrooted(Unrooted, Reg),
    Barrier(runtime::Barrier),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Barrier(runtime::OmpBarrier),
    Critical(runtime::Critical),
    Atomic(runtime::Atomic),
    Single(runtime::Single),
    Master(runtime::Master),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Rooted {
    Broadcast(runtime::Broadcast),
    Reduce(runtime::Reduce),
    Gather(runtime::Gather),
    Scatter(runtime::Scatter),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Unrooted {
    AllReduce(runtime::AllReduce),
    AllGather(runtime::AllGather),
    AllToAll(runtime::AllToAll),
    ReduceScatter(runtime::ReduceScatter),
    Scan(runtime::Scan),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Priced {
    ByMachine,
    /// Seconds in a register, or the fault that occurred while they were computed.
    Seconds(Reg),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) dest: Reg,
    pub(crate) size: Option<Reg>,
    pub(crate) tag: Option<Reg>,
    /// The register of the value that the message carries, and whether it is a real.
    pub(crate) value: Option<(Reg, bool)>,
    pub(crate) price: Priced,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    pub(crate) source: Reg,
    pub(crate) limit: Option<Reg>,
    pub(crate) tag: Option<Reg>,
    pub(crate) price: Priced,
}

/// A variable for a part of a received message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Result {
    pub(crate) part: Told,
    pub(crate) place: Place,
}

/// A nonblocking receive, and what to assign when a wait completes it.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) element: runtime::NBRecv,
    pub(crate) results: Vec<Result>,
}

/// The start of a loop with iterations that may repeat earlier ones.
#[derive(Debug)]
pub(crate) struct Repeating {
    pub(crate) element: runtime::LoopPlus,
    pub(crate) begun: Reg,
    pub(crate) number: Reg,
    pub(crate) count: Reg,
    /// Register that says whether there is another iteration.
    pub(crate) goes_on: Reg,
    pub(crate) least: Int,
    pub(crate) variables: Vec<Place>,
    /// For each period, the register for its number of iterations, and the expressions to multiply.
    pub(crate) periods: Vec<(Reg, Vec<u32>)>,
}
